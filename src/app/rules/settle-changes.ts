import { setImmediate as nextTurn } from 'node:timers/promises';
import * as z from 'zod';
import { isSameDocument, memberFlag, memberReference, memberText } from '../../kit/document/members.ts';
import { hostsWording } from '../../kit/summaries/export-summary.ts';
import { worded } from '../../kit/worded.ts';
import {
  AppError,
  type ConfirmedBy,
  type HostRecord,
  isObjectTarget,
  type RuleDocument,
  type RuleRecord,
  type RuleRemoval,
  type RuleType,
  type RuleWrite,
  type Wording,
} from '../../ports/index.ts';
import { type Caller, writerOf } from '../kernel/caller.ts';
import { changeWithRetry } from '../kernel/change-with-retry.ts';
import { HELD } from '../kernel/plugin-host/registry.ts';
import type { PreviewProgram } from './engine/program-input.ts';
import { hostImpact } from './host-impact.ts';
import { DEFAULT_PROJECT, PROJECTS } from './rule-generation.ts';
import type { RuleServices } from './services.ts';
import { confirmerOf } from './trust/confirmer.ts';
import {
  actingRecords,
  type HeldVersion,
  heldRemovals,
  heldVersion,
  heldWrite,
  isFilter,
  restrictionOf,
} from './trust/held-versions.ts';

/** Member of the result of a removal. */
export const waitsSchema = z
  .boolean()
  .optional()
  .describe('True when what the rule holds back stays so until an administrator confirms the removal');

/** One document that a user writes or removes. */
export interface AskedChange {
  readonly type: RuleType;
  readonly id: string;
  readonly name: string;
  readonly before: RuleRecord | undefined;
  /** `undefined`: it is removed. */
  readonly after: RuleDocument | undefined;
  /** As `RuleWrite` has it. */
  readonly confirmedBy: ConfirmedBy | 'keep';
}

/** The outcome of an asked change. */
export interface SettledChange {
  readonly confirmedBy: ConfirmedBy | 'keep';
  /** The version that acts until the change is confirmed, if it has to be held and is not held yet. */
  readonly holds: HeldVersion | undefined;
  /** The removal of the held version, if none is needed once the change is stored. */
  readonly lifts: RuleRemoval | undefined;
  /** Why the change waits, for people. */
  readonly waits: Wording | undefined;
}

const ACCOUNTS = 'accounts';
/** The type that maps groups to the rights of people who sign in through accounts for logins. */
const MAPPINGS = 'sign_in_groups';
/** A preview that takes longer does not tell that nothing becomes visible. */
const MOST_MILLISECONDS = 10_000;
const HOSTS_A_BATCH = 25;

/** The revisions of all documents on which a decision depends. See `RuleStore.write`. */
export type Basis = ReadonlyMap<string, number>;

const turns = new WeakMap<RuleServices['storage']['rules'], Promise<unknown>>();

/**
 * Settles a change and writes it only if the decision is still right then: of two filters with the same effect, each could be removed
 * while the other one exists, and an administrator may have changed the confirmed version. `attempt` reads all documents, writes on
 * the given basis, and answers `undefined` if that has moved. It is then called again. It gets no basis if only the caller matters.
 *
 * The basis covers other threads and nodes. The turns within a thread only save work: many removals at once would force each other
 * to start again.
 */
export async function settledWrite<T>(
  services: Pick<RuleServices, 'storage' | 'plugins'>,
  caller: Caller,
  types: readonly RuleType[],
  attempt: (basis: Basis | undefined) => Promise<T | undefined>,
): Promise<T> {
  const { storage, plugins } = services;
  const confirmer = confirmerOf(caller);
  const guarded = confirmer === 'operator' ? [] : types.filter(confirmer === null ? mayTakeAway : asksOthers);
  // Changes of filters by other users must not keep an administrator from changing these documents.
  const others = plugins
    .ruleTypes()
    .filter((type) => type.id === MAPPINGS || (confirmer === null && (isFilter(type) || type.namesProvider === true)));
  const run = async () => {
    const done = await changeWithRetry(async () =>
      attempt(guarded.length > 0 ? await basisOf(storage, [...guarded, ...others]) : undefined),
    );
    if (done !== undefined) return done;
    throw new AppError('conflict', worded`rules are changed by others all the time, so nothing was stored; try again`);
  };
  if (guarded.length === 0 || confirmer !== null) return run();
  const turn = (turns.get(storage.rules) ?? Promise.resolve()).then(run);
  turns.set(
    storage.rules,
    turn.catch(() => undefined),
  );
  return turn;
}

function mayTakeAway(type: RuleType): boolean {
  return restrictionOf(type) !== undefined || type.namesProvider === true || type.kept !== undefined;
}

/** Whether the rights of an administrator who changes such documents depend on the documents that are there. */
function asksOthers(type: RuleType): boolean {
  const restriction = restrictionOf(type);
  return restriction?.needsSecond !== undefined || restriction?.exceeds !== undefined;
}

async function basisOf(storage: RuleServices['storage'], types: readonly RuleType[]): Promise<Basis> {
  const revisions = await storage.revisions();
  const names = [HELD, ...types.map(({ id }) => id)].map((id) => `rules/${id}`);
  return new Map(names.map((name) => [name, revisions.get(name) ?? 0]));
}

/**
 * The one place that says whether a change of documents that restrict counts at once or waits: everything that stores, moves, switches,
 * reverts or removes documents asks it.
 */
export async function settleChanges(
  services: RuleServices,
  caller: Caller,
  changes: readonly AskedChange[],
): Promise<readonly SettledChange[]> {
  await refuseMissed(services, changes);
  const settled: Settling[] = [];
  const filters: number[] = [];
  for (const change of changes) {
    const withConfirmer = { ...change, confirmedBy: await confirmerFor(services, caller, change) };
    if (restrictionOf(change.type) === undefined || withConfirmer.confirmedBy === 'keep')
      settled.push(untouched(withConfirmer));
    else if (withConfirmer.confirmedBy !== null) settled.push({ ...untouched(withConfirmer), lifts: true });
    else {
      if (isFilter(change.type) && !isSameDocument(change.after, change.before?.document.value))
        filters.push(settled.length);
      settled.push(await unconfirmed(services, caller, withConfirmer));
    }
  }
  const asked = filters.map((position) => changes[position] as AskedChange);
  const shown = asked.length === 0 ? 0 : await revealedByFilters(services, asked);
  for (const position of filters) {
    const change = settled[position] as Settling;
    if (shown === 0) settled[position] = { ...untouched({ confirmedBy: null }), lifts: true };
    else if (change.confirmedBy === null) settled[position] = { ...change, waits: revealsMessage(shown) };
  }
  const projects = changes.filter(({ type, confirmedBy }) => type.namesProvider === true && confirmedBy === null);
  await refuseRevealing(services, projects, shown === 0 ? asked : []);
  const isLifted = settled.some(({ lifts }) => lifts);
  const removalOf = isLifted ? await heldRemovals(services.storage.rules) : () => undefined;
  return settled.map((settling, position) => {
    const { type, id, before } = changes[position] as AskedChange;
    const lifts = settling.lifts ? removalOf({ type: type.id, id: before?.id ?? id }) : undefined;
    return { ...settling, lifts };
  });
}

/** As `SettledChange`, with whether nothing is held any more. */
type Settling = Omit<SettledChange, 'lifts'> & { readonly lifts: boolean };

/** Returns the writes to store with the changes, in one unit. */
export function heldWrites(settled: readonly SettledChange[]): readonly RuleWrite[] {
  return settled.flatMap(({ holds }) => (holds === undefined ? [] : [heldWrite(holds)]));
}

/** Removes documents as this caller may, in one unit. Answers those that were there, and whether their removal waits. */
export function removeDocuments(
  services: RuleServices,
  caller: Caller,
  type: RuleType,
  records: readonly RuleRecord[],
  signal?: AbortSignal,
): Promise<readonly { readonly record: RuleRecord; readonly waits: boolean }[]> {
  const { storage, clock } = services;
  const actor = { kind: 'user', name: caller.name } as const;
  return settledWrite(services, caller, [type], async (given) => {
    const basis = given ?? (await basisOf(storage, [type]));
    const changes: AskedChange[] = [];
    for (const { id } of records) {
      const before = await storage.rules.get(type.id, id);
      const removal = { type, id, before, after: undefined, confirmedBy: confirmerOf(caller) };
      if (before !== undefined) changes.push({ ...removal, name: before.name });
    }
    const settled = await settleChanges(services, caller, changes);
    const removed = settled.map(({ waits }, position) => ({
      record: changes[position]?.before as RuleRecord,
      waits: waits !== undefined,
    }));
    const entries = [
      ...heldWrites(settled),
      ...removed.map(({ record: { id, version } }) => ({ type: type.id, id, removes: version })),
      ...settled.flatMap(({ lifts }) => lifts ?? []),
    ];
    signal?.throwIfAborted();
    const outcomes = await storage.rules.write({ entries, mode: 'replace', at: clock.now(), actor, basis });
    return outcomes.includes('changed') ? undefined : removed;
  });
}

/**
 * An administrator does not take away alone what holds people down whom the other documents give more than that administrator holds, nor what says who
 * these people are.
 */
export async function exceedsHolder(
  { storage, plugins, accounts }: Pick<RuleServices, 'storage' | 'plugins' | 'accounts'>,
  caller: Caller,
  type: RuleType,
  id: string,
  after: RuleDocument | undefined,
): Promise<boolean> {
  const letIn = (account: string) => plugins.signInMethod(account) !== undefined;
  const lets =
    type.id === ACCOUNTS &&
    ((after !== undefined && letIn(memberText(after, 'type') || memberText(after, 'typ'))) ||
      (await accounts.list(null)).some(
        ({ type: own, record, parentRecord }) => letIn(own) && [record.id, parentRecord?.id].includes(id),
      ));
  const rights = lets ? plugins.ruleType(MAPPINGS) : type;
  const exceeds = rights && restrictionOf(rights)?.exceeds;
  if (rights === undefined || exceeds === undefined) return false;
  const writer = writerOf(caller);
  const records = [...(await actingRecords(storage.rules, rights)), ...(await storage.rules.list(rights.id))];
  return records.some(({ document }) => exceeds(document.value, writer));
}

async function confirmerFor(
  services: RuleServices,
  caller: Caller,
  { type, id, name, before, after, confirmedBy }: AskedChange,
): Promise<ConfirmedBy | 'keep'> {
  if (restrictionOf(type) === undefined || confirmedBy === null || confirmedBy === 'keep') return confirmedBy;
  if (type.id === ACCOUNTS && (await exceedsHolder(services, caller, type, id, after))) {
    throw new AppError(
      'forbidden',
      worded`account ${{ name }} grants logins more rights than you have; only users with these rights can change it`,
    );
  }
  const acting = (await heldVersion(services.storage.rules, type.id, id, before))?.acting ?? before;
  const isAlone = confirmedBy === 'operator' || after === undefined;
  if (!isAlone && (await needsSecond(services, type, acting, after))) return null;
  return acting !== undefined && (await exceedsHolder(services, caller, type, id, after)) ? null : confirmedBy;
}

/** Whether another administrator has to confirm the change. A new document takes the place of one of its name whose change waits. */
export async function needsSecond(
  { storage }: Pick<RuleServices, 'storage'>,
  type: RuleType,
  acting: Pick<RuleRecord, 'document'> | undefined,
  after: RuleDocument,
): Promise<boolean> {
  const asks = restrictionOf(type)?.needsSecond;
  if (asks === undefined) return false;
  const records = await actingRecords(storage.rules, type);
  const find = (reference: string) => records.find(({ id, name }) => id === reference || name === reference);
  const own = memberReference(after, '_id');
  const before = acting ?? records.find(({ id, name }) => name === memberText(after, type.keyedBy) && id !== own);
  return before !== undefined && asks(before.document.value, after, (reference) => find(reference)?.document.value);
}

function untouched({ confirmedBy }: Pick<AskedChange, 'confirmedBy'>): Settling {
  return { confirmedBy, holds: undefined, lifts: false, waits: undefined };
}

async function unconfirmed({ storage, clock }: RuleServices, caller: Caller, change: AskedChange): Promise<Settling> {
  const { type, id, name, before, after } = change;
  const part = restrictionOf(type)?.part;
  const held = await heldVersion(storage.rules, type.id, id, before);
  const acting = held === undefined ? actingNow(type, before) : held.acting;
  if (acting !== undefined && isSameDocument(after, acting.document.value)) {
    return { confirmedBy: acting.confirmedBy, holds: undefined, lifts: true, waits: undefined };
  }
  const pending = { confirmedBy: null, holds: undefined, lifts: false, waits: undefined };
  if (!isFilter(type) && (acting === undefined || part?.(acting.document.value) === undefined)) {
    return { ...pending, lifts: after === undefined };
  }
  const holds = held === undefined ? { type: type.id, id, name, acting, at: clock.now(), by: caller.name } : undefined;
  return { ...pending, holds, waits: waitsWord(type) };
}

/** Returns the version that acts if none is held. Filters act regardless of their author, because they hide. */
function actingNow(type: RuleType, before: RuleRecord | undefined): RuleRecord | undefined {
  return before === undefined || (before.confirmedBy === null && !isFilter(type)) ? undefined : before;
}

function waitsWord({ id }: RuleType): Wording {
  return worded`documents of type ${{ type: id }} restrict access: the change waits for an administrator, and the version before stays in effect`;
}

function revealsMessage(count: number): Wording {
  return count === Infinity
    ? worded`hidden data might become visible: the change waits for an administrator, and the version before stays in effect`
    : worded`on ${{ hosts: hostsWording(count) }} something hidden would become visible: the change waits for an administrator, and the version before stays in effect`;
}

/** Nothing is served while the effect of an enabled rule is unknown, so only an administrator may remove it. */
async function refuseMissed({ evaluators, storage }: RuleServices, changes: readonly AskedChange[]): Promise<void> {
  const asked = changes.filter(({ type, confirmedBy }) => type.kept !== undefined && confirmedBy === null);
  const missed = new Set(asked.length === 0 ? [] : (await evaluators.missing()).map(({ type }) => type));
  for (const { type, id, name, after } of asked.filter((change) => missed.has(change.type.id))) {
    const { rules } = storage;
    const document = ((await rules.get(type.id, id)) ?? (await rules.findByName(type.id, name)))?.document.value;
    if (document === undefined || !memberFlag(document, 'enabled') || isSameDocument(after, document)) continue;
    throw new AppError(
      'forbidden',
      worded`no loaded plugin knows what ${{ type: type.id }} ${{ name }} hides, so only an administrator changes or removes it`,
    );
  }
}

/**
 * Returns on how many hosts something hidden becomes visible, in any inventory and export; infinite if that cannot be determined.
 */
async function revealedByFilters(services: RuleServices, changes: readonly AskedChange[]): Promise<number> {
  const { evaluators } = services;
  const later = documentsAfter(changes);
  const projects = await evaluators.projects();
  const enabled = (await services.storage.rules.list(PROJECTS)).filter(({ document }) =>
    memberFlag(document.value, 'enabled'),
  );
  const known = new Set([DEFAULT_PROJECT, ...enabled.flatMap(({ id, name }) => [id, name])]);
  // A rule that cannot be evaluated as stored hides nothing in a preview, although nothing is served because of it; a preview
  // does not cover disabled projects either.
  const broken = new Set((await evaluators.broken()).map(({ type, id }) => `${type}/${id}`));
  const isUnknown = ({ type, id, before }: AskedChange) =>
    broken.has(`${type.id}/${id}`) ||
    !known.has((before && memberReference(before.document.value, 'project')) ?? DEFAULT_PROJECT);
  if (changes.some(isUnknown)) return Infinity;
  const targets = new Set(
    changes.flatMap(({ type }) =>
      type.evaluation?.target === undefined ? everyTarget(services) : type.evaluation.target,
    ),
  );
  return revealed(services, targets, [null, ...projects], async (project, target) => ({
    before: await evaluators.preview(project, target),
    after: await evaluators.withDocuments(later, project, target),
  }));
}

/**
 * A project that comes on is an inventory that shows what other filters hide, and one that gets another name leaves exports by its former name
 * without its filters.
 */
async function refuseRevealing(
  services: RuleServices,
  changes: readonly AskedChange[],
  filters: readonly AskedChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const { evaluators, plugins, storage } = services;
  const types = plugins.ruleTypes().filter(isFilter);
  const acting = (await Promise.all(types.map((type) => actingRecords(storage.rules, type)))).flat();
  if (acting.length === 0) return;
  const filtered = new Set(acting.map(({ document }) => memberReference(document.value, 'project')));
  const later = documentsAfter([...changes, ...filters]);
  const on = new Set(await evaluators.projects());
  for (const { id, name, before, after } of changes) {
    if (after === undefined) continue;
    const former = before === undefined || before.name === name ? undefined : before.name;
    const comesOn = memberFlag(after, 'enabled') && !on.has(name);
    const leaves = former !== undefined && (filtered.has(id) || filtered.has(former));
    const shows = async () =>
      revealed(services, new Set(everyTarget(services)), [null], async (_project, target) => ({
        before: await evaluators.preview(null, target),
        after: await evaluators.withDocuments(later, name, target),
        // No filter hid variables of the project or the names it changes.
        isHidden: true,
      }));
    if (!leaves && (!comesOn || (await shows()) === 0)) continue;
    throw new AppError(
      'forbidden',
      worded`project ${{ name }} would show what filters hide; ask an administrator to change it so`,
    );
  }
}

function documentsAfter(changes: readonly AskedChange[]): ReadonlyMap<string, readonly RuleDocument[]> {
  const later = new Map<string, RuleDocument[]>();
  for (const { type, id, after, before } of changes) {
    const document = after ?? { ...before?.document.value, enabled: false };
    later.set(type.id, [...(later.get(type.id) ?? []), { ...document, _id: { $oid: id } }]);
  }
  return later;
}

/** Two states of an inventory. */
interface Compared {
  readonly before: PreviewProgram;
  readonly after: PreviewProgram;
  /** True counts attributes of hosts alone. */
  readonly isHidden?: boolean;
}

async function revealed(
  services: RuleServices,
  targets: ReadonlySet<string | undefined>,
  projects: readonly (string | null)[],
  comparedOf: (project: string | null, target: string | undefined) => Promise<Compared>,
): Promise<number> {
  const end = performance.now() + MOST_MILLISECONDS;
  try {
    const found = new Set<string>();
    for (const target of targets) {
      for (const project of projects) {
        const compared = await comparedOf(project, target);
        const filter = { scope: null, kind: takenBy(services, target), state: 'any' } as const;
        for await (const batch of services.storage.hosts.scan(filter, HOSTS_A_BATCH)) {
          for (const host of batch) if (isRevealed(compared, host)) found.add(host.hostname);
          await nextTurn();
          if (performance.now() > end) return Infinity;
        }
      }
    }
    return found.size;
  } catch (error) {
    if (error instanceof AppError) return Infinity;
    throw error;
  }
}

function isRevealed({ before, after, isHidden = false }: Compared, host: HostRecord): boolean {
  const impact = hostImpact(before, after, host);
  const shown = impact?.changes.filter(({ before, after }) => before === undefined && after !== undefined) ?? [];
  const attributes = isHidden && shown.length > 0 ? before.attributes(host) : undefined;
  return impact?.change === 'appears' || shown.some(({ path }) => attributes === undefined || attributes.has(path));
}

function everyTarget({ plugins }: RuleServices): readonly (string | undefined)[] {
  return [undefined, ...plugins.ruleTypes().flatMap(({ evaluation }) => evaluation?.target ?? [])];
}

function takenBy({ plugins }: RuleServices, type: string | undefined): 'hosts' | 'objects' | 'all' {
  const known = type === undefined ? undefined : plugins.target(type)?.item;
  return (known !== undefined && isObjectTarget(known) ? known.takes : undefined) ?? 'hosts';
}
