import { archivedTypeOf } from '../../../../kit/account-options/import-options.ts';
import { worded } from '../../../../kit/worded.ts';
import type {
  ContributionOutcome,
  HostScope,
  InventoryEntry,
  InventoryOutcome,
  LabelOutcome,
  SweepResult,
  Wording,
} from '../../../../ports/index.ts';
import { isUnavailable } from '../../../kernel/outage.ts';
import type { PreparedRecord } from '../decisions/prepare-record.ts';
import {
  DUPLICATE,
  type FinishResult,
  type ImportRun,
  NO_SUCH_HOST,
  NOTHING_FINISHED,
  OPERATOR_ARCHIVED,
  OTHER_ACCOUNT,
  type Stage,
  TOO_LARGE,
  type WriteOutcome,
} from '../import-stage.ts';
import { archiveRefusal, sweepLimit } from './unnamed-hosts.ts';

/** The account owns the hosts it writes. */
export function ownHosts(run: ImportRun): Stage {
  const { stores, account, actor, id: runId, clock } = run;
  return {
    async write(records, as = account) {
      const write = { account: as, entries: records, at: clock.now(), actor, runId, takeOver: account.isMaster };
      const outcomes = await stores.hosts.saveLabels(write);
      return withSections(run, records, outcomes);
    },
    finish: (except) => sweep(run, except),
  };
}

/** The account adds labels to hosts of other accounts and never creates, owns or archives one. */
export function contributedLabels(run: ImportRun): Stage {
  const { stores, account, actor, id: runId, startedAt, clock, options } = run;
  return {
    async write(records) {
      const outcomes = await stores.hosts.contributeLabels({
        accountId: account.id,
        precedence: options.precedence,
        entries: records,
        at: clock.now(),
        actor,
        runId,
      });
      return withSections(run, records, outcomes);
    },
    async finish(except) {
      const request = {
        accountId: account.id,
        runId,
        seenBefore: startedAt,
        except: [...except],
        at: clock.now(),
        actor,
      };
      return { ...NOTHING_FINISHED, withdrawn: await stores.hosts.withdrawContributions(request) };
    },
  };
}

function outcomeOf(outcome: LabelOutcome | ContributionOutcome, hostname: string): WriteOutcome {
  switch (outcome) {
    case 'duplicate':
      return DUPLICATE;
    case 'account_conflict':
      return OTHER_ACCOUNT;
    case 'archived':
      return OPERATOR_ARCHIVED;
    case 'not_found':
      return NO_SUCH_HOST;
    case 'too_large':
      return { ...TOO_LARGE, stays: [hostname] };
    // Only of writes that say what they have seen, which imports do not.
    case 'changed':
      return OTHER_ACCOUNT;
    default:
      return outcome;
  }
}

/** Archives the account's hosts that this run did not see, when the account wants that; otherwise says how many stay. */
async function sweep(run: ImportRun, except: ReadonlySet<string>): Promise<FinishResult> {
  const { stores, account, options, id: runId, startedAt, activeBefore, actor, clock } = run;
  if (activeBefore === 0) return NOTHING_FINISHED;
  const archives = options.delete_host_if_not_found_on_import;
  const objectType = archivedTypeOf(options);
  const result = await stores.hosts.archiveUnseen({
    accountId: account.id,
    runId,
    seenBefore: startedAt,
    except: [...except],
    ...(archives ? sweepLimit(run, activeBefore) : { thresholdPercent: 100, activeBefore }),
    ...(objectType === undefined ? {} : { objectType }),
    at: clock.now(),
    actor,
    preview: !archives,
  });
  const { archived, candidates, sample } = result;
  if (!archives) return { ...NOTHING_FINISHED, unseen: { count: candidates, sample } };
  if (result.refused) return { ...NOTHING_FINISHED, sample, refused: candidates, refusal: refusalWording(result, run) };
  return { archived, sample, withdrawn: 0 };
}

function refusalWording({ candidates: count }: SweepResult, run: ImportRun): Wording {
  const share = Math.round((count / run.activeBefore) * 100);
  return worded`the source no longer has ${{ count }} of ${{ all: run.activeBefore }} hosts ${{ why: archiveRefusal(run, { count, share }) }}`;
}

/** Writes the inventory sections of records whose labels were written; a changed section makes the host `updated`. */
async function withSections(
  run: ImportRun,
  records: readonly PreparedRecord[],
  labels: readonly (LabelOutcome | ContributionOutcome)[],
): Promise<readonly WriteOutcome[]> {
  const outcomes = labels.map((outcome, index) => outcomeOf(outcome, records[index]?.hostname ?? ''));
  if (records.every(({ inventory }) => inventory.length === 0)) return outcomes;
  const written = records.flatMap((record, index) =>
    record.inventory.length > 0 && typeof outcomes[index] === 'string' ? [{ record, index }] : [],
  );
  if (written.length === 0) return outcomes;
  const result = [...outcomes];
  const settle = (index: number, hostname: string, { updated, tooLarge }: SavedSections): void => {
    if (updated.has(hostname) && result[index] === 'unchanged') result[index] = 'updated';
    const key = tooLarge.get(hostname);
    if (key === undefined) return;
    const reason = worded`its inventory ${{ key }} was not stored: the host would be larger than MAX_HOST_BYTES allows`;
    result[index] = { kind: 'failed', reason };
  };
  try {
    const saved = await saveSections(
      run,
      written.map(({ record }) => record),
    );
    for (const { record, index } of written) settle(index, record.hostname, saved);
  } catch (refusal) {
    if (isUnavailable(refusal)) throw refusal;
    for (const { record, index } of written) {
      try {
        settle(index, record.hostname, await saveSections(run, [record]));
      } catch (error) {
        if (isUnavailable(error)) throw error;
        const message = error instanceof Error ? error.message : String(error);
        result[index] = { kind: 'failed', reason: worded`its inventory was not stored: ${{ message }}` };
      }
    }
  }
  return result;
}

interface SavedSections {
  readonly updated: ReadonlySet<string>;
  /** By hostname the key of a section that does not fit. */
  readonly tooLarge: ReadonlyMap<string, string>;
}

async function saveSections(run: ImportRun, records: readonly PreparedRecord[]): Promise<SavedSections> {
  const { stores, options, account, clock, actor } = run;
  const entries: InventoryEntry[] = records.flatMap(({ hostname, inventory }) =>
    inventory.map(({ key, section }) => ({ hostname, key, section })),
  );
  /** The account's own hosts, or every host for one that adds to the hosts of others. */
  const scope: HostScope = options.mode === 'own' ? { accounts: [account.id], templates: null } : null;
  const outcomes = await stores.hosts.saveInventory({ entries, scope, at: clock.now(), actor });
  const of = (outcome: InventoryOutcome): InventoryEntry[] => entries.filter((_, index) => outcomes[index] === outcome);
  return {
    updated: new Set(of('updated').map(({ hostname }) => hostname)),
    tooLarge: new Map(of('too_large').map(({ hostname, key }) => [hostname, key])),
  };
}
