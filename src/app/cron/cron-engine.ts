import type { CronState, ProcessIdentity } from '../../ports/index.ts';
import type { CronGroup } from '../domain/cron/group.ts';
import { type DueReason, dueReason } from '../domain/cron/schedule.ts';
import type { CronGroupDirectory } from './group-directory.ts';
import { type GroupReport, type GroupRunDeps, runGroup } from './group-run.ts';

export interface CronEngineDeps extends GroupRunDeps {
  readonly groups: CronGroupDirectory;
  readonly process: ProcessIdentity;
  readonly timeZone: string;
}

/** Groups of one process that run at once; the others wait for their turn, so that their order counts. */
const GROUPS_AT_ONCE = 4;

interface DueGroup {
  readonly group: CronGroup;
  readonly reason: DueReason;
  readonly state: CronState | undefined;
}

/**
 * Starts the groups that are due, in their order. Which node runs a group is decided by the store, so that any number of
 * services and commands may pass at the same time.
 */
export class CronEngine {
  readonly #deps: CronEngineDeps;
  readonly #controller = new AbortController();
  /** Groups that run or wait for their turn here, by id. */
  readonly #runs = new Map<string, Promise<GroupReport | undefined>>();
  readonly #turns: (() => void)[] = [];
  #running = 0;

  constructor(deps: CronEngineDeps) {
    this.#deps = deps;
  }

  /** One pass: starts what is due and answers at once, with the runs that it started. */
  async startDue(): Promise<readonly Promise<GroupReport | undefined>[]> {
    const due = await this.#dueGroups();
    return due.flatMap((item) => {
      if (this.#runs.has(item.group.id) || this.#controller.signal.aborted) return [];
      const run = this.#inTurn(() => this.#run(item)).finally(() => this.#runs.delete(item.group.id));
      this.#runs.set(item.group.id, run);
      return [run];
    });
  }

  /** One pass to its end. */
  async runDue(): Promise<readonly GroupReport[]> {
    const reports = await Promise.all(await this.startDue());
    return reports.filter((report) => report !== undefined);
  }

  /** Cuts running groups off, which the next process begins again, and waits for that. Idempotent. */
  async stop(): Promise<void> {
    this.#controller.abort();
    await Promise.allSettled(this.#runs.values());
  }

  async #dueGroups(): Promise<readonly DueGroup[]> {
    const { groups, clock, timeZone } = this.#deps;
    const all = await groups.list(null);
    const states = await this.#states(all);
    const now = clock.now();
    return all.flatMap((group) => {
      const state = states.get(group.id);
      const reason = dueReason(group, state, now, timeZone);
      return reason === undefined ? [] : [{ group, reason, state }];
    });
  }

  /** The states by group, free of those who are known to be dead and of groups that are gone. */
  async #states(groups: readonly CronGroup[]): Promise<ReadonlyMap<string, CronState>> {
    const { cron } = this.#deps.storage;
    let states = await cron.states();
    const dead = states.filter(({ isHeld, holder }) => isHeld && holder !== null && this.#deps.process.isDead(holder));
    for (const { groupId, holder } of dead) if (holder !== null) await cron.release({ groupId, holder });
    const known = new Set(groups.map(({ id }) => id));
    if (states.some(({ groupId }) => !known.has(groupId))) await cron.retain([...known]);
    if (dead.length > 0) states = await cron.states();
    return new Map(states.map((state) => [state.groupId, state]));
  }

  async #run({ group, reason, state }: DueGroup): Promise<GroupReport | undefined> {
    const { signal } = this.#controller;
    if (signal.aborted) return undefined;
    const holder = `${this.#deps.process.name}/${this.#deps.newId()}`;
    try {
      return await runGroup(this.#deps, { group, reason, seenStart: state?.lastStart ?? null, holder, signal });
    } catch (error) {
      this.#deps.logger.error('a cron group could not be run', { group: group.name, error });
      return { group: group.name, state: 'failed', message: 'the storage did not answer', jobs: [] };
    }
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < GROUPS_AT_ONCE) this.#running++;
    else await new Promise<void>((resolve) => this.#turns.push(resolve));
    try {
      return await work();
    } finally {
      // Whoever waits longest takes over the place.
      const next = this.#turns.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
