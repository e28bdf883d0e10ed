import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  AppError,
  type Change,
  type ChangeOutcome,
  type Clock,
  type EntryEnd,
  type EntryOutcome,
  type JsonObject,
  type OwnedKey,
  type OwnedObject,
  type OwnershipStore,
  type PlanAction,
  type PlanEntry,
  type PlanStore,
  type SecretBox,
  type TargetKind,
} from '../../../ports/index.ts';
import { type ExportFailure, MAX_REPORTED_HOSTS } from '../export/decisions/summary.ts';
import { type AppliedEntry, ownedAfter, ownedBefore, remoteAfter } from './decisions/applied-entries.ts';
import { checkedOutcomes, endOf, isNotTried } from './decisions/change-outcomes.ts';
import { changeOf } from './decisions/entry-change.ts';
import { type EntryState, entryState, isRetiring } from './decisions/entry-state.ts';
import type { Remote } from './decisions/match-object.ts';
import type { OpenedObjectTarget } from './open-object-target.ts';
import { openSecrets, ownershipPlace } from './owned-secrets.ts';
import { joined, type PlanTables } from './plan-tables.ts';
import { PluginTurn } from './plugin-turn.ts';
import type { Gaps } from './read-remote.ts';

export interface ApplyDeps {
  readonly plans: PlanStore;
  readonly ownership: OwnershipStore;
  readonly clock: Clock;
  readonly secrets: () => SecretBox;
}

export interface ApplyRequest {
  readonly planId: string;
  readonly accountId: string;
  /** Its name. */
  readonly account: string;
  /** Who holds the plan. */
  readonly holder: string;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  /** What could not be read: nothing of these kinds is known well enough. */
  readonly gaps: Gaps;
  progress?(progress: { readonly done: number; readonly failed: number; readonly note: string }): void;
}

export interface AppliedPlan {
  /** By what was done. */
  readonly applied: Readonly<Record<Exclude<PlanAction, 'conflict'>, number>>;
  readonly done: number;
  readonly failed: number;
  /** The first entries that were not applied, and why. */
  readonly failures: readonly ExportFailure[];
  /** Why it ended before the last entry; `undefined` when it did not. */
  readonly broken: AppError | undefined;
}

/** How long a plan holds its account when its process has died. */
export const LEASE_MS = 15_000;
export const KEEP_EVERY_MS = 4_000;
const ENTRIES_A_STEP = 250;
/** After so many calls in a row whose answer nobody knows, the system is not there. */
const MOST_LOST_CALLS = 3;
/** More of them are refused at once: they wait in memory. */
const MOST_POSTPONED = 10_000;

/** An entry with the change that it makes. */
interface Tried {
  readonly entry: PlanEntry;
  readonly change: Change;
}

/** What became of an entry. */
interface Ended {
  readonly entry: PlanEntry;
  readonly outcome: EntryOutcome;
  readonly reason: string;
}

/**
 * Does what a plan says, entry by entry, and nothing else. The tables hold what the system has now: an entry whose object is not what the plan
 * was made from is refused. What was done is remembered before the entry is noted as done, so that a process that dies loses nothing.
 */
export async function applyPlan(
  deps: ApplyDeps,
  request: ApplyRequest,
  opened: OpenedObjectTarget,
  tables: PlanTables,
): Promise<AppliedPlan> {
  const run = new Application(deps, request, opened, tables);
  try {
    await run.all();
  } catch (error) {
    run.breakOff(error);
  } finally {
    run.end();
  }
  return run.result();
}

class Application {
  readonly #deps: ApplyDeps;
  readonly #request: ApplyRequest;
  readonly #opened: OpenedObjectTarget;
  readonly #tables: PlanTables;
  readonly #turn: PluginTurn;
  readonly #applied = { create: 0, update: 0, move: 0, delete: 0, adopt: 0 };
  readonly #failures: ExportFailure[] = [];
  #done = 0;
  #failed = 0;
  #isLost = false;
  #lostCalls = 0;
  #keptAt = 0;
  #broken: AppError | undefined;
  /** Entries of one kind and action that follow each other. */
  #batch: Tried[] = [];
  /** Remembering what is ours of the entries before, which goes on until the system is asked for the next ones. */
  #remembering: Promise<void> = Promise.resolve();
  /** Outcomes that are noted as soon as that is remembered, and those that can be noted now: with what is written next, in one step. */
  #unremembered: Ended[] = [];
  #ended: Ended[] = [];
  /** What is forgotten may be the key of what is made next. */
  #isForgetting = false;
  /** The last entry that was asked for, and those behind it. */
  #after = 0;
  #next: Promise<readonly PlanEntry[]> | undefined;
  /** Entries that are tried once more after all others; `undefined` as soon as that is what happens. */
  #postponed: PlanEntry[] | undefined = [];

  constructor(deps: ApplyDeps, request: ApplyRequest, opened: OpenedObjectTarget, tables: PlanTables) {
    this.#deps = deps;
    this.#request = request;
    this.#opened = opened;
    this.#tables = tables;
    this.#turn = new PluginTurn({
      pluginId: opened.pluginId,
      what: `writing to the target of account ${request.account}`,
      timeoutSeconds: request.timeoutSeconds,
      signal: request.signal,
      mask: (text) => opened.mask(text),
      onNote: (note) => this.#report(note),
    });
  }

  async all(): Promise<void> {
    // One call may take long.
    const timer = setInterval(() => void this.#keep().catch(() => undefined), KEEP_EVERY_MS);
    try {
      await this.#walk();
      await this.#noteRest();
    } finally {
      clearInterval(timer);
      await this.#noteRest().catch(() => undefined);
    }
  }

  async #walk(): Promise<void> {
    const { signal } = this.#request;
    for (;;) {
      this.#askForNext();
      const entries = (await this.#next) ?? [];
      this.#next = undefined;
      const last = entries.at(-1);
      if (last === undefined) break;
      this.#after = last.number;
      for (const entry of entries) {
        signal.throwIfAborted();
        // Who went before has applied some.
        if (entry.outcome === 'done') this.#done++;
        else if (entry.outcome !== null) this.#failed++;
        else if (entry.action !== 'conflict') await this.#take(entry);
      }
      await nextTurn();
    }
    await this.#flush();
    const postponed = this.#postponed ?? [];
    this.#postponed = undefined;
    for (const entry of postponed) {
      signal.throwIfAborted();
      await this.#take(entry);
    }
    await this.#flush();
  }

  /** Asks for the next entries, unless that was done. */
  #askForNext(): void {
    const asked = { id: this.#request.planId, filter: {}, after: this.#after, limit: ENTRIES_A_STEP };
    this.#next ??= this.#deps.plans.entries(asked);
    // Whoever waits for them gets the error.
    this.#next.catch(() => undefined);
  }

  breakOff(error: unknown): void {
    if (this.#request.signal.aborted) {
      this.#broken = new AppError('cancelled', 'it was cancelled; what was not tried can be applied later');
    } else
      this.#broken =
        error instanceof AppError ? error : new AppError('internal', 'a fault of the program', { cause: error });
  }

  end(): void {
    this.#turn.end();
  }

  result(): AppliedPlan {
    return {
      applied: { ...this.#applied },
      done: this.#done,
      failed: this.#failed,
      failures: this.#failures,
      broken: this.#broken,
    };
  }

  /** Puts an entry to its like, after it was looked at whether it still is what the plan means. */
  async #take(entry: PlanEntry): Promise<void> {
    const [first] = this.#batch;
    const kind = this.#opened.kinds.get(entry.kind);
    const isOther = first !== undefined && (first.entry.kind !== entry.kind || first.entry.action !== entry.action);
    const comesAfter = entry.after.some(
      ({ kind: of, key }) => of === entry.kind && this.#batch.some((tried) => tried.entry.key === key),
    );
    if (isOther || comesAfter || this.#batch.length >= (kind?.batch ?? 1)) await this.#flush();
    if (kind === undefined) {
      await this.#leave(entry, 'refused', `the target has no objects of the kind ${entry.kind} any more`);
      return;
    }
    const box = this.#deps.secrets;
    const place = ownershipPlace(this.#request.accountId, entry);
    const secrets = entry.secrets === '' ? {} : await openSecrets(box(), entry.secrets, place);
    if (secrets === undefined) {
      await this.#leave(entry, 'refused', 'its secret fields do not open any more; make a new plan');
      return;
    }
    const missing = entry.after.find(({ kind: of, key }) => this.#remote(of, key) === undefined);
    if (missing !== undefined) {
      await this.#leave(entry, 'blocked', `${missing.kind} ${missing.key}, which it comes after, is not there`);
      return;
    }
    const remote = this.#remote(entry.kind, entry.previousKey ?? entry.key);
    if (remote === undefined && this.#request.gaps.has(entry.kind)) {
      await this.#leave(entry, 'not_tried', `not everything could be read: ${this.#request.gaps.texts[0] ?? ''}`);
      return;
    }
    const state = this.#stateOf(entry, kind, remote, secrets);
    if (state !== undefined) {
      if (state.outcome === 'done') await this.#rememberFound(entry);
      await this.#leave(entry, state.outcome, state.reason);
      return;
    }
    this.#batch.push({ entry, change: changeOf(entry, remote, secrets) });
  }

  /** What whoever went before had done, and could not say any more. */
  async #rememberFound(entry: PlanEntry): Promise<void> {
    const { ownership, clock } = this.#deps;
    const { kind, key, hostname, digest, secrets } = entry;
    await this.#remembering;
    const now = this.#remote(kind, key);
    if ((entry.action === 'delete' && !isRetiring(entry)) || now === undefined) {
      await ownership.remove(this.#request.accountId, [{ kind, key }]);
      return;
    }
    const known = { kind, key, remoteId: now.id, hostname: hostname ?? '', digest, secrets, pending: null };
    await ownership.save(this.#request.accountId, [{ ...known, writtenAt: clock.now() }]);
  }

  #remote(kind: string, key: string): Remote | undefined {
    return this.#tables.remote.one(joined(kind, key));
  }

  #stateOf(
    entry: PlanEntry,
    kind: TargetKind,
    remote: Remote | undefined,
    secrets: JsonObject,
  ): EntryState | undefined {
    const now = entry.previousKey === null ? remote : this.#remote(entry.kind, entry.key);
    const isFound = entry.action === 'create' && now !== undefined;
    const owned = isFound ? this.#tables.owned.one(joined(entry.kind, entry.key)) : undefined;
    return entryState(entry, { kind, remote, now, owned, secrets });
  }

  async #flush(): Promise<void> {
    const batch = this.#batch;
    if (batch.length === 0) return;
    this.#batch = [];
    await this.#keep();
    const outcomes = await this.#apply(batch);
    const again = batch.length > 1 ? batch.filter((_, index) => isNotTried(outcomes[index])) : [];
    const applied = batch.flatMap((tried, index): AppliedEntry[] => {
      const outcome = outcomes[index];
      return outcome === undefined || again.includes(tried) ? [] : [{ ...tried, outcome }];
    });
    this.#settle(applied);
    for (const tried of again) {
      this.#request.signal.throwIfAborted();
      const [outcome] = await this.#apply([tried]);
      if (outcome !== undefined) this.#settle([{ ...tried, outcome }]);
    }
    this.#report(`${this.#done} done`);
    if (this.#lostCalls >= MOST_LOST_CALLS) {
      throw new AppError('failed', 'the system does not answer any more; apply the plan again when it does');
    }
  }

  /** What waits stays remembered as it is while the system is asked. */
  #settle(applied: readonly AppliedEntry[]): void {
    const ended = applied.filter(({ entry, outcome }) => {
      const waits = !outcome.done && outcome.code === 'in_the_way';
      if (!waits || this.#postponed === undefined || this.#postponed.length >= MOST_POSTPONED) return true;
      this.#postponed.push(entry);
      return false;
    });
    if (ended.length > 0) this.#note(ended);
  }

  /** One call of the target. What is being made is remembered before. */
  async #apply(batch: readonly Tried[]): Promise<readonly ChangeOutcome[]> {
    const { ownership, clock } = this.#deps;
    const { accountId } = this.#request;
    const { kinds } = this.#opened;
    const entries = batch.map(({ entry }) => entry);
    const pending = ownedBefore(entries, { kinds, writtenAt: clock.now() });
    if (this.#isForgetting) await this.#remembering;
    const saved = pending.length === 0 ? undefined : ownership.save(accountId, pending);
    // Stores may write all of it in one step.
    await Promise.all([saved, this.#remembering, this.#noteEnded()]);
    this.#ended.push(...this.#unremembered.splice(0));
    const changes = batch.map(({ change }) => change);
    const context = {
      ...this.#turn.context,
      idOf: (kind: string, key: string) => this.#remote(kind, key)?.id,
    };
    try {
      const answered = this.#turn.call(() => this.#opened.target.apply(changes, context));
      // Reading the next entries costs nothing while the system is at work.
      if (this.#postponed !== undefined) setImmediate(() => this.#askForNext());
      const answers = await answered;
      this.#lostCalls = 0;
      return checkedOutcomes(answers, batch.length) ?? this.#nonsense(batch);
    } catch (error) {
      if (this.#request.signal.aborted) throw error;
      this.#lostCalls++;
      const reason = error instanceof AppError ? error.message : this.#turn.fault(error).message;
      return batch.map(() => ({
        done: false,
        code: 'unknown',
        reason: `it is not known whether it was done: ${reason}`,
      }));
    }
  }

  #nonsense(batch: readonly Tried[]): readonly ChangeOutcome[] {
    this.#lostCalls++;
    const what = `it did not answer each of ${batch.length} changes by an outcome`;
    const { message } = this.#turn.fault(new Error(what));
    return batch.map(() => ({ done: false, code: 'unknown', reason: message }));
  }

  /** Remembers first what is ours by now, then what became of the entries. */
  #note(applied: readonly AppliedEntry[]): void {
    const { kinds } = this.#opened;
    const { saved, removed } = ownedAfter(applied, { kinds, writtenAt: this.#deps.clock.now() });
    // One step for all: they are of one action.
    const remote = remoteAfter(applied);
    this.#tables.remote.remove(remote.removed.map(({ kind, key }) => joined(kind, key)));
    this.#tables.remote.put(remote.put.map((at) => [joined(at.kind, at.key), at.remote]));
    for (const { entry, outcome } of applied) {
      const reason = outcome.done ? '' : this.#opened.mask(String(outcome.reason));
      this.#unremembered.push({ entry, outcome: endOf(outcome), reason });
    }
    this.#isForgetting = removed.length > 0;
    this.#remembering = Promise.all([this.#remembering, this.#remember(saved, removed)]).then(() => undefined);
    // Whoever waits for it gets the error.
    this.#remembering.catch(() => undefined);
  }

  async #remember(saved: readonly OwnedObject[], removed: readonly OwnedKey[]): Promise<void> {
    const { ownership } = this.#deps;
    const { accountId } = this.#request;
    if (saved.length > 0) await ownership.save(accountId, saved);
    if (removed.length > 0) await ownership.remove(accountId, removed);
  }

  async #leave(entry: PlanEntry, outcome: EntryOutcome, reason: string): Promise<void> {
    this.#ended.push({ entry, outcome, reason });
    if (this.#ended.length >= ENTRIES_A_STEP) await this.#noteEnded();
    await this.#keep();
  }

  /** Notes the outcomes of all that was tried. What could not be remembered is not noted, either: the next run finds out what became of it. */
  async #noteRest(): Promise<void> {
    await this.#noteEnded();
    await this.#remembering;
    this.#ended.push(...this.#unremembered.splice(0));
    await this.#noteEnded();
  }

  async #noteEnded(): Promise<void> {
    const all = this.#ended.splice(0);
    if (all.length === 0) return;
    const outcomes = all.map(({ entry: { number }, outcome, reason }): EntryEnd => ({ number, outcome, reason }));
    await this.#deps.plans.noteOutcomes({ id: this.#request.planId, outcomes });
    for (const { entry, outcome, reason } of all) {
      const { action, kind, key, hostname } = entry;
      if (outcome === 'done') {
        this.#done++;
        if (action !== 'conflict') this.#applied[action]++;
      } else {
        this.#failed++;
        if (this.#failures.length >= MAX_REPORTED_HOSTS) continue;
        this.#failures.push({ hostname: hostname ?? key, reason: `${kind} ${key} was not ${PAST[action]}: ${reason}` });
      }
    }
  }

  /** Says that the plan is still being applied. Throws when somebody else does by now. */
  async #keep(): Promise<void> {
    if (this.#isLost) throw LOST;
    const now = performance.now();
    if (this.#keptAt !== 0 && now - this.#keptAt < KEEP_EVERY_MS) return;
    this.#keptAt = now;
    const { planId: id, holder } = this.#request;
    const held = { id, holder, leaseMs: LEASE_MS, done: this.#done, failed: this.#failed };
    if (await this.#deps.plans.keep(held)) return;
    this.#isLost = true;
    throw LOST;
  }

  #report(note: string): void {
    this.#request.progress?.({ done: this.#done, failed: this.#failed, note });
  }
}

const LOST = new AppError(
  'conflict',
  'this process was too slow, and another process applies a plan of the account by now',
);

const PAST: Readonly<Record<PlanAction, string>> = {
  create: 'made',
  update: 'changed',
  move: 'moved',
  delete: 'deleted',
  adopt: 'taken over',
  conflict: 'touched',
};
