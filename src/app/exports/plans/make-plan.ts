import type { ExportFailure } from '../../../kit/summaries/export-summary.ts';
import { worded } from '../../../kit/worded.ts';
import { counted } from '../../../kit/words/amounts.ts';
import {
  AppError,
  type JsonObject,
  type OwnedObject,
  type PlanBasis,
  type PlanCounts,
  type PlanEntry,
  type PlanField,
  type TargetPart,
  type Wording,
} from '../../../ports/index.ts';
import { SYSTEM_KIND } from '../../accounts/owned-objects.ts';
import { fieldOf, remoteDigest } from './decisions/canonical.ts';
import { allFields, type Owned } from './decisions/match-object.ts';
import { changesOf, missingRefusal, thresholdRefusal } from './decisions/thresholds.ts';
import { ROWS_A_STEP } from './disk-rows.ts';
import { gatherWanted } from './gather-wanted.ts';
import type { OpenedObjectTarget } from './open-object-target.ts';
import { noteSystem, type Remembered, requireSameSystem } from './owned-system.ts';
import { type PlanInMaking, PlanTally, type PlanWork, sealSecrets } from './plan-in-making.ts';
import { type Draft, joined } from './plan-tables.ts';
import { type Gaps, readRemote } from './read-remote.ts';
import { resolveDrafts } from './resolve-drafts.ts';

export interface MadePlan {
  readonly counts: PlanCounts;
  /** Entries about what was changed there since Muster wrote it. */
  readonly drift: number;
  /** Records that the rules let through. */
  readonly records: number;
  /** Records that could not be decided on. */
  readonly failed: number;
  /** The first records and objects that something is wrong with. */
  readonly named: readonly ExportFailure[];
  /** The number of remembered objects before the plan, and their system. */
  readonly remembered: Remembered;
  /** Why the plan may not be applied; `undefined` when it may. */
  readonly refusal: Wording | undefined;
  readonly needsApproval: boolean;
  readonly gaps: Gaps;
  /** The one part that it is of. */
  readonly part: TargetPart | undefined;
}

/** Compares what a system has with what the store's records want there. Changes nothing in the system. Throws `AppError`. */
export async function makePlan(given: Omit<PlanInMaking, 'gaps' | 'tally'>): Promise<MadePlan> {
  const { opened, tables, hosts, scope, progress } = given;
  const total = await hosts.count({ scope, kind: opened.takes, state: 'active' });
  const gaps = await readRemote(given, (count, note) =>
    progress?.({ done: 0, total, note: note ?? `${counted(count, 'object')} read` }),
  );
  const remembered = await requireSameSystem(given, await readOwned(given));
  const tally = new PlanTally();
  const plan: PlanInMaking = { ...given, gaps, tally };
  await gatherWanted(plan, (done) => progress?.({ done, total: Math.max(total, done), note: 'comparing' }));
  if (tally.records === 0 && tally.failed === 0 && !opened.options.allow_empty) {
    throw new AppError(
      'failed',
      worded`there is no host to export, which would empty the target; if that is intended, set allow_empty of the account`,
    );
  }
  await resolveDrafts(plan);
  const drift = await handOver(plan);
  const refusal =
    missingRefusal(tally.missing, remembered.kinds, opened.options) ??
    thresholdRefusal(tally.counts, tally.owned, opened.options);
  if (!plan.dryRun) await remember(plan);
  if (!plan.dryRun && refusal === undefined && remembered.count > 0) await noteSystem(plan, remembered);
  await tables.forgetDrafts();
  const { counts } = tally;
  const { approval_above: above } = opened.options;
  return {
    counts,
    drift,
    records: tally.records,
    failed: tally.failed,
    named: tally.named,
    refusal,
    remembered,
    needsApproval: above !== undefined && changesOf(counts) > above,
    gaps,
    part: opened.part,
  };
}

/** Returns the revisions of hosts and rules on which a plan is based, to be taken before they are read. */
export function basisOf(opened: OpenedObjectTarget, revisions: ReadonlyMap<string, number>): PlanBasis {
  return { hosts: revisions.get('hosts') ?? 0, rules: opened.evaluator.revision };
}

/** Puts all that Muster remembers of the account into the tables. */
export async function readOwned({ ownership, accountId, tables }: PlanWork): Promise<Remembered> {
  const kinds = new Map<string, number>();
  let count = 0;
  let system: string | undefined;
  for await (const batch of ownership.scan(accountId, ROWS_A_STEP)) {
    const rows: [string, Owned][] = [];
    for (const { kind, key, remoteId, hostname, digest, pending, secrets } of batch) {
      if (kind === SYSTEM_KIND) {
        system = digest;
        continue;
      }
      rows.push([joined(kind, key), { remoteId, hostname, digest, pending, secrets }]);
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    tables.owned.put(rows);
    count += rows.length;
  }
  return { count, kinds, system };
}

/** Answers how many entries are about what was changed there. */
async function handOver(plan: PlanInMaking): Promise<number> {
  const { tables, signal } = plan;
  let count = 0;
  let drift = 0;
  // The next entries are made while those before are stored.
  let handedOver = Promise.resolve();
  try {
    for await (const step of tables.ordered.steps()) {
      signal.throwIfAborted();
      const entries: PlanEntry[] = [];
      for (const draft of tables.drafts.get(step.map(([, place]) => place))) {
        if (draft === undefined) continue;
        entries.push(await entryOf(plan, draft, ++count));
        if (draft.drift) drift++;
      }
      await handedOver;
      handedOver = plan.onEntries(entries);
      handedOver.catch(() => undefined);
    }
  } finally {
    await handedOver;
  }
  return drift;
}

async function entryOf(plan: PlanInMaking, draft: Draft, number: number): Promise<PlanEntry> {
  const { kinds, mask } = plan.opened;
  const { action, key, previousKey, hostname, host, rule, drift, after, wanted } = draft;
  const kind = kinds.get(draft.kind);
  const remote = plan.tables.remote.one(joined(draft.kind, draft.previousKey ?? draft.key));
  const hidden: Record<string, JsonObject[string]> = {};
  const isSecret = ({ name, before, after }: PlanField): boolean =>
    (kind !== undefined && fieldOf(kind, name)?.secret === true) || isMasked(mask, before) || isMasked(mask, after);
  const written = action === 'create' && kind !== undefined ? allFields(kind, draft) : draft.fields;
  const fields = written.map((field): PlanField => {
    if (!isSecret(field)) return field;
    if (field.after !== undefined) hidden[field.name] = field.after;
    return { name: field.name, secret: true };
  });
  // All secret fields of the object are remembered, so that the next plan knows what was written.
  for (const [name, value] of Object.entries(wanted)) {
    if (kind !== undefined && fieldOf(kind, name)?.secret === true) hidden[name] = value;
  }
  const isHidden = Object.keys(hidden).length > 0;
  // Member by member: copying the rest of an object takes ten times as long.
  return {
    action,
    kind: draft.kind,
    key,
    previousKey,
    hostname,
    host,
    several: plan.tables.desired.one(joined(draft.kind, key))?.several,
    rule,
    drift,
    after,
    number,
    fields,
    reason: mask(draft.reason),
    remote:
      remote === undefined || kind === undefined
        ? null
        : { id: remote.id, etag: remote.etag, digest: remoteDigest(kind, remote) },
    digest: draft.digest,
    secrets: isHidden ? await sealSecrets(plan, hidden, draft) : '',
    outcome: null,
  };
}

function isMasked(mask: (text: string) => string, value: JsonObject[string] | undefined): boolean {
  if (value === undefined || typeof value === 'boolean' || value === null) return false;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return mask(text) !== text;
}

/** Notes what reading showed: what a lost answer had made, whose an object is. */
async function remember({ ownership, clock, accountId, tables }: PlanInMaking): Promise<void> {
  const writtenAt = clock.now();
  for await (const step of tables.confirmed.steps()) {
    await ownership.save(
      accountId,
      step.map(([, owned]): OwnedObject => ({ ...owned, writtenAt })),
    );
  }
}

/**
 * Forgets objects that no host wants and that the system no longer shows. Only exports do so, because each has its account to
 * itself: a plan may have read the system before something was made.
 */
export async function forgetGone({
  ownership,
  accountId,
  tables,
}: Pick<PlanWork, 'ownership' | 'accountId' | 'tables'>): Promise<void> {
  for await (const step of tables.forgotten.steps()) {
    await ownership.remove(
      accountId,
      step.map(([, place]) => place),
    );
  }
}
