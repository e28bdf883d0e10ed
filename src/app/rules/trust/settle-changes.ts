import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import {
  AppError,
  type ConfirmedBy,
  isObjectTarget,
  type RuleDocument,
  type RuleRecord,
  type RuleType,
  type RuleWrite,
  type Wording,
} from '../../../ports/index.ts';
import { type Caller, writerOf } from '../../kernel/caller.ts';
import { worded } from '../../kernel/worded.ts';
import { memberFlag, memberReference } from '../document/members.ts';
import { hostImpact } from '../host-impact.ts';
import { DEFAULT_PROJECT, PROJECTS } from '../rule-generation.ts';
import type { RuleServices } from '../services.ts';
import {
  actingRecords,
  forgetHeld,
  type HeldVersion,
  heldVersion,
  heldWrite,
  isFilter,
  restrictionOf,
} from './held-versions.ts';
import { voucherOf } from './voucher.ts';

/** Of an answer to a removal. */
export const waitsSchema = z
  .boolean()
  .optional()
  .describe('True when what the rule holds back stays so until an administrator confirms the removal');

/** One document that somebody writes or removes. */
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

/** What becomes of it. */
export interface SettledChange {
  readonly confirmedBy: ConfirmedBy | 'keep';
  /** The version that acts until the change is confirmed, where there is none yet. */
  readonly holds: HeldVersion | undefined;
  /** Whether nothing is held any more once the change is stored. */
  readonly lifts: boolean;
  /** Why the change waits, for people. */
  readonly waits: Wording | undefined;
}

/** A preview that takes longer does not tell that nothing becomes visible. */
const MOST_MILLISECONDS = 10_000;
const HOSTS_A_BATCH = 25;

const turns = new WeakMap<RuleServices['storage']['rules'], Promise<unknown>>();

/**
 * Whoever takes away what restricts does so one after the other: of two filters that hide the same, each by itself may go, and what is looked at
 * must be what is there when the change is stored.
 */
export async function inTurn<T>(
  { storage: { rules } }: Pick<RuleServices, 'storage'>,
  caller: Caller,
  types: readonly RuleType[],
  run: () => Promise<T>,
): Promise<T> {
  if (voucherOf(caller) !== null || types.every((type) => restrictionOf(type) === undefined)) return run();
  const turn = (turns.get(rules) ?? Promise.resolve()).then(run);
  turns.set(
    rules,
    turn.catch(() => undefined),
  );
  return turn;
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
  const settled: SettledChange[] = [];
  const filters: number[] = [];
  for (const change of changes) {
    const vouched = { ...change, confirmedBy: await voucherFor(services, caller, change) };
    if (restrictionOf(change.type) === undefined || vouched.confirmedBy === 'keep') settled.push(untouched(vouched));
    else if (vouched.confirmedBy !== null) settled.push({ ...untouched(vouched), lifts: true });
    else {
      if (isFilter(change.type) && !isSame(change.after, change.before?.document.value)) filters.push(settled.length);
      settled.push(await unvouched(services, caller, vouched));
    }
  }
  const asked = filters.map((position) => changes[position] as AskedChange);
  const shown = asked.length === 0 ? 0 : await revealed(services, asked);
  if (shown === 0) {
    for (const position of filters) settled[position] = { ...untouched({ confirmedBy: null }), lifts: true };
    return settled;
  }
  for (const position of filters) {
    const change = settled[position] as SettledChange;
    if (change.confirmedBy === null) settled[position] = { ...change, waits: revealsMessage(shown) };
  }
  return settled;
}

/** What is stored with the changes, in one unit. */
export function heldWrites(settled: readonly SettledChange[]): readonly RuleWrite[] {
  return settled.flatMap(({ holds }) => (holds === undefined ? [] : [heldWrite(holds)]));
}

/** Removes documents as this caller may. Answers those that were there, and whether their removal waits. */
export function removeDocuments(
  services: RuleServices,
  caller: Caller,
  type: RuleType,
  records: readonly RuleRecord[],
  signal?: AbortSignal,
): Promise<readonly { readonly record: RuleRecord; readonly waits: boolean }[]> {
  const { storage, clock } = services;
  const actor = { kind: 'user', name: caller.name } as const;
  return inTurn(services, caller, [type], async () => {
    const changes: AskedChange[] = [];
    for (const { id } of records) {
      const before = await storage.rules.get(type.id, id);
      const removal = { type, id, before, after: undefined, confirmedBy: voucherOf(caller) };
      if (before !== undefined) changes.push({ ...removal, name: before.name });
    }
    const removed: { record: RuleRecord; waits: boolean }[] = [];
    for (const [position, settled] of (await settleChanges(services, caller, changes)).entries()) {
      signal?.throwIfAborted();
      const at = clock.now();
      const record = changes[position]?.before as RuleRecord;
      const entries = heldWrites([settled]);
      if (entries.length > 0) await storage.rules.write({ entries, mode: 'replace', at, actor });
      const wasThere = await storage.rules.remove({ type: type.id, id: record.id, at, actor });
      if (settled.lifts) await forgetHeld(storage.rules, record, at);
      if (wasThere) removed.push({ record, waits: settled.waits !== undefined });
    }
    return removed;
  });
}

/**
 * An administrator does not take away alone what holds people down whom the other documents give more than that administrator holds.
 */
export async function exceedsHolder(
  { storage }: Pick<RuleServices, 'storage'>,
  caller: Caller,
  type: RuleType,
): Promise<boolean> {
  const exceeds = restrictionOf(type)?.exceeds;
  if (exceeds === undefined) return false;
  const writer = writerOf(caller);
  const records = [...(await actingRecords(storage.rules, type)), ...(await storage.rules.list(type.id))];
  return records.some(({ document }) => exceeds(document.value, writer));
}

async function voucherFor(
  services: RuleServices,
  caller: Caller,
  { type, id, before, after, confirmedBy }: AskedChange,
): Promise<ConfirmedBy | 'keep'> {
  const restriction = restrictionOf(type);
  if (restriction === undefined || confirmedBy === null || confirmedBy === 'keep') return confirmedBy;
  const acting = (await heldVersion(services.storage.rules, type.id, id, before))?.acting ?? before;
  if (acting === undefined) return confirmedBy;
  if (confirmedBy === 'administrator' && after !== undefined && (await needsSecond(services, type, acting, after)))
    return null;
  return (await exceedsHolder(services, caller, type)) ? null : confirmedBy;
}

/** Whether another administrator has to confirm the change. */
export async function needsSecond(
  { storage }: Pick<RuleServices, 'storage'>,
  type: RuleType,
  acting: Pick<RuleRecord, 'document'>,
  after: RuleDocument,
): Promise<boolean> {
  const asks = restrictionOf(type)?.needsSecond;
  if (asks === undefined) return false;
  const records = await actingRecords(storage.rules, type);
  const find = (reference: string) => records.find(({ id, name }) => id === reference || name === reference);
  return asks(acting.document.value, after, (reference) => find(reference)?.document.value);
}

function untouched({ confirmedBy }: Pick<AskedChange, 'confirmedBy'>): SettledChange {
  return { confirmedBy, holds: undefined, lifts: false, waits: undefined };
}

async function unvouched(
  { storage, clock }: RuleServices,
  caller: Caller,
  change: AskedChange,
): Promise<SettledChange> {
  const { type, id, name, before, after } = change;
  const part = restrictionOf(type)?.part;
  const held = await heldVersion(storage.rules, type.id, id, before);
  const acting = held === undefined ? actingNow(type, before) : held.acting;
  if (acting !== undefined && isSame(after, acting.document.value)) {
    return { confirmedBy: acting.confirmedBy, holds: undefined, lifts: true, waits: undefined };
  }
  const waiting = { confirmedBy: null, holds: undefined, lifts: false, waits: undefined };
  if (!isFilter(type) && (acting === undefined || part?.(acting.document.value) === undefined)) {
    return { ...waiting, lifts: after === undefined };
  }
  const holds = held === undefined ? { type: type.id, id, name, acting, at: clock.now(), by: caller.name } : undefined;
  return { ...waiting, holds, waits: waitsWord(type) };
}

/** What acts where nothing is held. Filters act whoever wrote them, because they hide. */
function actingNow(type: RuleType, before: RuleRecord | undefined): RuleRecord | undefined {
  return before === undefined || (before.confirmedBy === null && !isFilter(type)) ? undefined : before;
}

function isSame(after: RuleDocument | undefined, before: RuleDocument | undefined): boolean {
  return after !== undefined && before !== undefined && isDeepStrictEqual({ ...after, _id: 0 }, { ...before, _id: 0 });
}

function waitsWord({ id }: RuleType): Wording {
  return worded`documents of type ${{ type: id }} restrict: the change waits for an administrator, and the version before goes on`;
}

function revealsMessage(count: number): Wording {
  return count === Infinity
    ? worded`it cannot be told that nothing hidden becomes visible: the change waits for an administrator, and the version before goes on`
    : worded`on ${{ count: String(count) }} hosts something hidden would become visible: the change waits for an administrator, and the version before goes on`;
}

/** On how many hosts something becomes visible that was hidden, in any inventory and export; infinite where nothing tells. */
async function revealed(services: RuleServices, changes: readonly AskedChange[]): Promise<number> {
  const { evaluators } = services;
  const end = performance.now() + MOST_MILLISECONDS;
  const later = new Map<string, RuleDocument[]>();
  for (const { type, id, after, before } of changes) {
    const document = after ?? { ...before?.document.value, enabled: false };
    later.set(type.id, [...(later.get(type.id) ?? []), { ...document, _id: { $oid: id } }]);
  }
  try {
    const projects = await evaluators.projects();
    const enabled = (await services.storage.rules.list(PROJECTS)).filter(({ document }) =>
      memberFlag(document.value, 'enabled'),
    );
    const known = new Set([DEFAULT_PROJECT, ...enabled.flatMap(({ id, name }) => [id, name])]);
    if (changes.some((change) => isOfUnknownProject(change, known))) return Infinity;
    const targets = new Set<string | undefined>(
      changes.some(({ type }) => type.evaluation?.target === undefined) ? [undefined, ...targetsOf(services)] : [],
    );
    for (const { type } of changes) if (type.evaluation?.target !== undefined) targets.add(type.evaluation.target);
    const found = new Set<string>();
    for (const target of targets) {
      for (const project of [null, ...projects]) {
        const before = await evaluators.preview(project, target);
        const after = await evaluators.withDocuments(later, project, target);
        const filter = { scope: null, kind: takenBy(services, target), state: 'active' } as const;
        for await (const batch of services.storage.hosts.scan(filter, HOSTS_A_BATCH)) {
          for (const host of batch) {
            const impact = hostImpact(before, after, host);
            const isShown = impact?.changes.some(({ before, after }) => before === undefined && after !== undefined);
            if (impact?.change === 'appears' || isShown === true) found.add(host.hostname);
          }
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

/** Of a project that is switched off no preview tells what it shows once it is on again. */
function isOfUnknownProject({ before }: AskedChange, known: ReadonlySet<string>): boolean {
  const project = before && memberReference(before.document.value, 'project');
  return project !== undefined && !known.has(project);
}

function targetsOf({ plugins }: RuleServices): readonly string[] {
  return plugins.ruleTypes().flatMap(({ evaluation }) => evaluation?.target ?? []);
}

function takenBy({ plugins }: RuleServices, type: string | undefined): 'hosts' | 'objects' | 'all' {
  const known = type === undefined ? undefined : plugins.target(type)?.item;
  return (known !== undefined && isObjectTarget(known) ? known.takes : undefined) ?? 'hosts';
}
