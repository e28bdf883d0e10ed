import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExportFailure } from '../../../kit/summaries/export-summary.ts';
import { worded } from '../../../kit/worded.ts';
import { counted } from '../../../kit/words/amounts.ts';
import {
  AppError,
  type ChangeOutcome,
  type EntryOutcome,
  type HostRecord,
  type HostStore,
  type JsonObject,
  type PlanAction,
  type PlanEntry,
  type PlanStore,
  type TargetKind,
} from '../../../ports/index.ts';
import { holdLease } from '../../kernel/held-lease.ts';
import { AppliedNotes } from './applied-notes.ts';
import { type AppliedEntry, checkedOutcomes, isNotTried, remoteAfter } from './decisions/applied-entries.ts';
import { hostDigest } from './decisions/canonical.ts';
import { changeOf, IN_ANY_ORDER, isAlike, type Tried } from './decisions/entry-change.ts';
import { type EntryState, entryState } from './decisions/entry-state.ts';
import type { Remote } from './decisions/match-object.ts';
import { foreignText, foreignWhole } from './foreign-wholes.ts';
import { gatherDesired } from './gather-wanted.ts';
import { openSecrets, type PlanWork } from './plan-in-making.ts';
import { joined } from './plan-tables.ts';
import { PluginTurn } from './plugin-turn.ts';
import { type Gaps, gapText } from './read-remote.ts';

/** A plan that is being applied. */
export interface PlanApplied extends PlanWork {
  readonly planId: string;
  readonly plans: PlanStore;
  readonly hosts: Pick<HostStore, 'findEach' | 'scan'>;
  /** The holder of the plan. */
  readonly holder: string;
  /** The kinds that were not read completely: their objects are not known well enough. */
  readonly gaps: Gaps;
  /** When the plan was made, if hosts or rules have changed since: what a host wants may be something else. */
  readonly madeAt?: Date;
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
/** Each may be as large as a host may be. */
const HOSTS_AT_ONCE = 25;
/** Number of consecutive calls with unknown outcome after which the system counts as unreachable. */
const MOST_LOST_CALLS = 3;
/** More of them are refused at once: they wait in memory. */
const MOST_POSTPONED = 10_000;

/** A request to the target, and its pending answer. */
interface Call {
  readonly tried: readonly Tried[];
  readonly answer: Promise<readonly ChangeOutcome[]>;
}

/**
 * Does what a plan says, entry by entry, and nothing else. The tables hold what the system has now: an entry whose object is not what the plan
 * was made from is refused. What was done is remembered before the entry is noted as done, so that a process that dies loses nothing.
 */
export async function applyPlan(plan: PlanApplied): Promise<AppliedPlan> {
  const run = new Application(plan);
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
  readonly #plan: PlanApplied;
  readonly #turn: PluginTurn;
  readonly #notes: AppliedNotes;
  #isLost = false;
  #lostCalls = 0;
  #keptAt = 0;
  #broken: AppError | undefined;
  /** Entries of one kind and action that follow each other. */
  #batch: Tried[] = [];
  /** The call that is under way, while the next one is prepared. */
  #call: Call | undefined;
  /** The last entry that was asked for, and those behind it. */
  #after = 0;
  #next: Promise<readonly PlanEntry[]> | undefined;
  /** Entries that are tried once more after all others; `undefined` as soon as that is what happens. */
  #postponed: PlanEntry[] | undefined = [];
  /** Entries that may not be wanted so any more, by number, and why. */
  readonly #outdated = new Map<number, string>();
  /** Whether the tables hold what hosts want at present. */
  #isDesiredKnown = false;

  constructor(plan: PlanApplied) {
    const { opened, account, timeoutSeconds, signal } = plan;
    this.#plan = plan;
    this.#notes = new AppliedNotes(plan);
    this.#turn = new PluginTurn({
      pluginId: opened.pluginId,
      what: `writing to the target of account ${account}`,
      timeoutSeconds,
      signal,
      mask: (text) => opened.mask(text),
      onNote: (note) => this.#report(note),
    });
  }

  async all(): Promise<void> {
    // One call may take long. Whether the lease was lost is asked before the next one.
    const lease = holdLease({
      everyMs: KEEP_EVERY_MS,
      renew: () => this.#keep().then(() => true),
      failed: () => undefined,
    });
    try {
      await this.#walk();
      await this.#notes.noteRest();
    } finally {
      await lease.stop();
      // Perhaps only the step after the pending call failed.
      await this.#settleCall().catch(() => undefined);
      await this.#notes.noteRest().catch(() => undefined);
    }
  }

  async #walk(): Promise<void> {
    const { signal } = this.#plan;
    for (;;) {
      this.#askForNext();
      const entries = (await this.#next) ?? [];
      this.#next = undefined;
      const last = entries.at(-1);
      if (last === undefined) break;
      this.#after = last.number;
      await this.#noteOutdated(entries);
      for (const entry of entries) {
        signal.throwIfAborted();
        if (!this.#notes.countNoted(entry) && entry.action !== 'conflict') await this.#take(entry);
      }
      await nextTurn();
    }
    await this.#finishCalls();
    const postponed = this.#postponed ?? [];
    this.#postponed = undefined;
    for (const entry of postponed) {
      signal.throwIfAborted();
      await this.#take(entry);
    }
    await this.#finishCalls();
  }

  async #noteOutdated(entries: readonly PlanEntry[]): Promise<void> {
    const { madeAt } = this.#plan;
    if (madeAt === undefined) return;
    await this.#noteWantedAgain(entries.filter(({ action }) => action === 'delete'));
    const made = entries.filter((entry) => this.#isOfOneHost(entry));
    for (let start = 0; start < made.length; start += HOSTS_AT_ONCE) {
      const some = made.slice(start, start + HOSTS_AT_ONCE);
      const hosts = await this.#plan.hosts.findEach(some.map(({ hostname }) => hostname ?? ''));
      for (const [index, { number, hostname, host: planned }] of some.entries()) {
        const host = hosts[index];
        if (host === undefined || host.archive !== null || !isAsPlanned(host, planned, madeAt))
          this.#outdated.set(number, `host ${hostname} was changed since the plan; make a new plan`);
      }
    }
  }

  /** Whether an entry is about what one host wants. References are made for whichever host needs them. */
  #isOfOneHost({ action, kind: id, hostname, several }: PlanEntry): boolean {
    if (action === 'delete' || (hostname ?? '') === '') return false;
    const { ensured, shared } = this.#plan.opened.kinds.get(id) ?? {};
    return ensured !== true && (several !== true || (shared === true && action !== 'create'));
  }

  /** Any host may want what no host wanted when the plan was made. */
  async #noteWantedAgain(entries: readonly PlanEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const { tables } = this.#plan;
    if (!this.#isDesiredKnown) await gatherDesired(this.#plan);
    this.#isDesiredKnown = true;
    const areUndecided = tables.undecided.count > 0;
    for (const { number, kind, key, hostname } of entries) {
      const isUndecided = (hostname ?? '') === '' ? areUndecided : tables.undecided.one(hostname ?? '') !== undefined;
      if (isUndecided || tables.desired.one(joined(kind, key)) !== undefined)
        this.#outdated.set(number, 'a host may want it by now; make a new plan');
    }
  }

  /** Asks for the next entries, unless that was done. */
  #askForNext(): void {
    const asked = { id: this.#plan.planId, filter: {}, after: this.#after, limit: ENTRIES_A_STEP };
    this.#next ??= this.#plan.plans.entries(asked);
    // The error goes to the code that awaits them.
    this.#next.catch(() => undefined);
  }

  breakOff(error: unknown): void {
    if (this.#plan.signal.aborted) {
      this.#broken = new AppError('cancelled', worded`it was cancelled; what was not tried can be applied later`);
    } else
      this.#broken =
        error instanceof AppError ? error : new AppError('internal', 'a fault of the program', { cause: error });
  }

  end(): void {
    this.#turn.end();
  }

  result(): AppliedPlan {
    const { applied, done, failed, failures } = this.#notes;
    return { applied, done, failed, failures, broken: this.#broken };
  }

  /** Puts an entry to its like, after it was looked at whether it still is what the plan means. */
  async #take(entry: PlanEntry): Promise<void> {
    const kind = this.#plan.opened.kinds.get(entry.kind);
    if (!isAlike(entry, this.#batch) || this.#batch.length >= (kind?.batch ?? 1)) await this.#flush();
    // The outcome of the pending call may affect how this entry is checked.
    const asked = this.#call?.tried ?? [];
    if (asked.length > 0 && !(IN_ANY_ORDER.has(entry.action) && isAlike(entry, asked))) await this.#settleCall();
    if (kind === undefined) {
      await this.#leave(entry, 'refused', `the target has no objects of the kind ${entry.kind} any more`);
      return;
    }
    const secrets = entry.secrets === '' ? {} : await openSecrets(this.#plan, entry.secrets, entry);
    if (secrets === undefined) {
      await this.#leave(entry, 'refused', 'its secret fields do not open any more; make a new plan');
      return;
    }
    const missing = entry.after.find(({ kind: of, key }) => this.#remote(of, key) === undefined);
    if (missing !== undefined) {
      await this.#leave(entry, 'blocked', `${missing.kind} ${missing.key}, which it depends on, is missing`);
      return;
    }
    const remote = this.#remote(entry.kind, entry.previousKey ?? entry.key);
    if (remote === undefined && this.#plan.gaps.has(entry.kind)) {
      await this.#leave(entry, 'not_tried', gapText(this.#plan.gaps));
      return;
    }
    const state = this.#stateOf(entry, kind, remote, secrets);
    if (state !== undefined) {
      if (state.outcome === 'done') await this.#notes.rememberFound(entry, this.#remote(entry.kind, entry.key));
      await this.#leave(entry, state.outcome, state.reason);
      return;
    }
    const outdated = this.#outdated.get(entry.number);
    if (outdated !== undefined) {
      await this.#leave(entry, 'changed', outdated);
      return;
    }
    const whole = await foreignWhole(this.#plan, entry);
    if (whole !== undefined) {
      await this.#leave(entry, 'refused', foreignText(whole));
      return;
    }
    this.#batch.push({ entry, change: changeOf(entry, remote, secrets) });
  }

  #remote(kind: string, key: string): Remote | undefined {
    return this.#plan.tables.remote.one(joined(kind, key));
  }

  #stateOf(
    entry: PlanEntry,
    kind: TargetKind,
    remote: Remote | undefined,
    secrets: JsonObject,
  ): EntryState | undefined {
    const now = entry.previousKey === null ? remote : this.#remote(entry.kind, entry.key);
    const isFound = entry.action === 'create' && now !== undefined;
    const owned = isFound ? this.#plan.tables.owned.one(joined(entry.kind, entry.key)) : undefined;
    return entryState(entry, { kind, remote, now, owned, secrets });
  }

  /** Asks for what is gathered, as soon as the call before is answered. What is being made is remembered before. */
  async #flush(): Promise<void> {
    const batch = this.#batch;
    if (batch.length === 0) return;
    this.#batch = [];
    const entries = batch.map(({ entry }) => entry);
    await this.#keep();
    await this.#notes.remember(entries);
    try {
      await this.#settleCall();
      this.#plan.signal.throwIfAborted();
    } catch (error) {
      await this.#notes.forget(entries).catch(() => undefined);
      throw error;
    }
    this.#call = this.#ask(batch);
  }

  /** Asks for what is gathered, and waits until all of it is answered. */
  async #finishCalls(): Promise<void> {
    await this.#flush();
    await this.#settleCall();
  }

  /** Waits for the call that is under way, and looks at what happened to it. */
  async #settleCall(): Promise<void> {
    const call = this.#call;
    this.#call = undefined;
    if (call !== undefined) await this.#settle(call);
  }

  async #settle({ tried: all, answer }: Call): Promise<void> {
    const outcomes = await answer;
    const again = all.length > 1 ? all.filter((_, index) => isNotTried(outcomes[index])) : [];
    const applied = all.flatMap((tried, index): AppliedEntry[] => {
      const outcome = outcomes[index];
      return outcome === undefined || again.includes(tried) ? [] : [{ ...tried, outcome }];
    });
    this.#note(applied);
    for (const tried of again) {
      this.#plan.signal.throwIfAborted();
      await this.#notes.remember([tried.entry]);
      const [outcome] = await this.#ask([tried]).answer;
      if (outcome !== undefined) this.#note([{ ...tried, outcome }]);
    }
    this.#report(`${this.#notes.done} done`);
    if (this.#lostCalls >= MOST_LOST_CALLS) {
      throw new AppError('failed', worded`the system does not answer any more; apply the plan again when it does`);
    }
  }

  /** Notes applied entries. What is remembered of postponed ones stays unchanged while the system is asked. */
  #note(applied: readonly AppliedEntry[]): void {
    const ended = applied.filter(({ entry, outcome }) => {
      const waits = !outcome.done && outcome.code === 'in_the_way';
      if (!waits || this.#postponed === undefined || this.#postponed.length >= MOST_POSTPONED) return true;
      this.#postponed.push(entry);
      return false;
    });
    if (ended.length === 0) return;
    // One step for all: they are of one action.
    const remote = remoteAfter(ended);
    this.#plan.tables.remote.remove(remote.removed.map(({ kind, key }) => joined(kind, key)));
    this.#plan.tables.remote.put(remote.put.map((at) => [joined(at.kind, at.key), at.remote]));
    this.#notes.note(ended);
  }

  /** One call of the target. */
  #ask(tried: readonly Tried[]): Call {
    const answer = this.#answerTo(tried);
    // The error goes to the code that awaits it.
    answer.catch(() => undefined);
    return { tried, answer };
  }

  async #answerTo(batch: readonly Tried[]): Promise<readonly ChangeOutcome[]> {
    const changes = batch.map(({ change }) => change);
    const context = {
      ...this.#turn.context,
      idOf: (kind: string, key: string) => this.#remote(kind, key)?.id,
    };
    try {
      const answered = this.#turn.call(() => this.#plan.opened.target.apply(changes, context));
      // Reading the next entries costs nothing while the system is at work.
      if (this.#postponed !== undefined) setImmediate(() => this.#askForNext());
      const answers = await answered;
      this.#lostCalls = 0;
      return checkedOutcomes(answers, batch.length) ?? this.#nonsense(batch);
    } catch (error) {
      if (this.#plan.signal.aborted) throw error;
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
    const what = `it did not answer each of ${counted(batch.length, 'change')} by an outcome`;
    const { message } = this.#turn.fault(new Error(what));
    return batch.map(() => ({ done: false, code: 'unknown', reason: message }));
  }

  async #leave(entry: PlanEntry, outcome: EntryOutcome, reason: string): Promise<void> {
    await this.#notes.leave(entry, outcome, reason);
    await this.#keep();
  }

  /** Reports that the plan is still being applied. Throws if another process holds it by now. */
  async #keep(): Promise<void> {
    if (this.#isLost) throw LOST;
    const now = performance.now();
    if (this.#keptAt !== 0 && now - this.#keptAt < KEEP_EVERY_MS) return;
    this.#keptAt = now;
    const { planId: id, holder } = this.#plan;
    const { done, failed } = this.#notes;
    if (await this.#plan.plans.keep({ id, holder, leaseMs: LEASE_MS, done, failed })) return;
    this.#isLost = true;
    throw LOST;
  }

  #report(note: string): void {
    const { done, failed } = this.#notes;
    this.#plan.progress?.({ done, failed, note });
  }
}

/** Entries of older plans have no digest of their host. */
function isAsPlanned(host: HostRecord, digest: string | undefined, madeAt: Date): boolean {
  return digest === undefined ? (host.lastUpdate ?? madeAt) <= madeAt : hostDigest(host) === digest;
}

const LOST = new AppError(
  'conflict',
  worded`this process was too slow, and another process applies a plan of the account by now`,
);
