import type { CronState } from '../../../ports/index.ts';
import { REQUESTED_AHEAD_MS, SharedWork, type SharedWorkDeps } from '../offers/shared-work.ts';
import type { CronGroup } from './decisions/group.ts';
import { type DueReason, dueReason } from './decisions/schedule.ts';
import { type GroupReport, type GroupRunDeps, runGroup } from './group-run.ts';

export interface CronEngineDeps extends Omit<GroupRunDeps, 'work'>, SharedWorkDeps {
  readonly timeZone: string;
}

/** Groups of one process that run at once; the others wait for their turn, so that their order counts. */
const GROUPS_AT_ONCE = 4;
/** A group that starts within this time after its pass did not wait. */
const AT_ONCE_MS = 1_000;

interface DueGroup {
  readonly group: CronGroup;
  readonly reason: DueReason;
  readonly seenStart: Date | null;
}

/** A group that waits until another one ends. */
interface Turn {
  readonly groupId: string;
  readonly since: number;
  isRequested: boolean;
  begin(): void;
}

/**
 * Starts the groups that are due, in their order. Which node runs a group is decided by the store, so that any number of
 * services and commands may pass at the same time.
 */
export class CronEngine {
  readonly #deps: CronEngineDeps;
  readonly #work: SharedWork;
  readonly #controller = new AbortController();
  /** Groups that run or wait for their turn here, by id. */
  readonly #runs = new Map<string, Promise<GroupReport | undefined>>();
  readonly #turns: Turn[] = [];
  #running = 0;
  #isDraining = false;

  constructor(deps: CronEngineDeps) {
    this.#deps = deps;
    this.#work = new SharedWork(deps);
  }

  /** Starts nothing any more, so that another node does; running jobs continue. Idempotent. */
  drain(): void {
    this.#isDraining = true;
    this.#work.drain();
  }

  /** Begins jobs that the groups of other nodes offer, and answers at once. */
  takeOffered(): Promise<void> {
    return this.#work.takeOffered();
  }

  /** One pass: starts what is due and answers at once, with the runs that it started. */
  async startDue(): Promise<readonly Promise<GroupReport | undefined>[]> {
    const at = this.#deps.clock.now();
    const due = await this.#dueGroups();
    return due.flatMap(({ group, reason }) => {
      const isRequested = reason === 'requested';
      if (isRequested) this.#hasten(group);
      if (this.#runs.has(group.id) || this.#isOver) return [];
      return [this.#start(group, at, isRequested)];
    });
  }

  /**
   * One group that is due, or that a person asked for although it is paused, to its end; `undefined` when it is not due, or another node
   * took it.
   */
  runNow(group: CronGroup, despitePause = false): Promise<GroupReport | undefined> {
    this.#hasten(group);
    return this.#runs.get(group.id) ?? this.#start(group, this.#deps.clock.now(), true, despitePause);
  }

  /** Whether nothing is to start any more. */
  get #isOver(): boolean {
    return this.#isDraining || this.#controller.signal.aborted;
  }

  #start(group: CronGroup, at: Date, isRequested: boolean, despitePause = false): Promise<GroupReport | undefined> {
    const { id } = group;
    const run = this.#inTurn({ groupId: id, isRequested }, () => this.#run(group, at, despitePause)).finally(() =>
      this.#runs.delete(id),
    );
    this.#runs.set(group.id, run);
    return run;
  }

  /** One pass to its end. */
  async runDue(): Promise<readonly GroupReport[]> {
    const reports = await Promise.all(await this.startDue());
    return reports.filter((report) => report !== undefined);
  }

  /** Returns the states of all groups that ever ran, by id. Groups held by dead processes of this machine are released first. */
  async states(): Promise<ReadonlyMap<string, CronState>> {
    const { process, storage } = this.#deps;
    const states = await storage.cron.states();
    const dead = states.filter(({ isHeld, holder }) => isHeld && holder !== null && process.isDead(holder));
    for (const { groupId, holder } of dead) if (holder !== null) await storage.cron.release({ groupId, holder });
    const present = dead.length === 0 ? states : await storage.cron.states();
    return new Map(present.map((state) => [state.groupId, state]));
  }

  /** Cuts running groups off, which the next process begins again, and waits for that. Idempotent. */
  async stop(): Promise<void> {
    this.#controller.abort();
    await Promise.allSettled([...this.#runs.values(), this.#work.stop()]);
  }

  /**
   * Returns the groups that are due now. States are read before documents: if a group ran to its end in between, its start
   * differs from the one that was read. In the opposite order, its request, which that run has fulfilled, would be taken for a
   * new one.
   */
  async #dueGroups(despitePause = false): Promise<readonly DueGroup[]> {
    const { groups, clock, timeZone } = this.#deps;
    const states = await this.states();
    const all = await groups.list(null);
    const now = clock.now();
    await this.#forgetOthers(states, all);
    return all.flatMap((group) => {
      const state = states.get(group.id);
      const reason = dueReason(group, state, now, timeZone, despitePause);
      return reason === undefined ? [] : [{ group, reason, seenStart: state?.lastStart ?? null }];
    });
  }

  /** Deletes the states of groups that are gone. */
  async #forgetOthers(states: ReadonlyMap<string, CronState>, groups: readonly CronGroup[]): Promise<void> {
    const known = new Set(groups.map(({ id }) => id));
    if ([...states.keys()].some((id) => !known.has(id))) await this.#deps.storage.cron.retain([...known]);
  }

  async #run({ id, name }: CronGroup, passAt: Date, despitePause: boolean): Promise<GroupReport | undefined> {
    const { signal } = this.#controller;
    try {
      // Its turn may have come hours after the pass, and the group may be another one by now, or not be due any more.
      const item = this.#isOver
        ? undefined
        : (await this.#dueGroups(despitePause)).find(({ group }) => group.id === id);
      if (item === undefined) return undefined;
      const holder = `${this.#deps.process.name}/${this.#deps.newId()}`;
      const deps = { ...this.#deps, work: this.#work };
      return await runGroup(deps, { ...item, at: this.#startOf(passAt), holder, signal });
    } catch (error) {
      this.#deps.logger.error('a cron group could not be run', { group: name, error });
      return { group: name, state: 'failed', message: 'the storage did not answer', jobs: [] };
    }
  }

  /**
   * The moment of the pass, unless the group had to wait for its turn. The time that reading takes would else be added to every
   * interval, and a group of ten minutes would not be due in the tenth pass of a minute but in the eleventh.
   */
  #startOf(passAt: Date): Date {
    const now = this.#deps.clock.now();
    return now.getTime() - passAt.getTime() < AT_ONCE_MS ? passAt : now;
  }

  /** Lets a group that waits for its turn go before others: it was requested meanwhile. */
  #hasten({ id }: CronGroup): void {
    for (const turn of this.#turns) if (turn.groupId === id) turn.isRequested = true;
  }

  async #inTurn<T>(of: Pick<Turn, 'groupId' | 'isRequested'>, work: () => Promise<T>): Promise<T> {
    const since = this.#deps.clock.now().getTime();
    if (this.#running < GROUPS_AT_ONCE) this.#running++;
    else await new Promise<void>((begin) => this.#turns.push({ ...of, since, begin }));
    try {
      return await work();
    } finally {
      // The group that has waited longest takes over the place, or one that was requested.
      const next = this.#turns.sort((left, right) => orderOf(left) - orderOf(right)).shift();
      if (next === undefined) this.#running--;
      else next.begin();
    }
  }
}

function orderOf({ since, isRequested }: Turn): number {
  return since - (isRequested ? REQUESTED_AHEAD_MS : 0);
}
