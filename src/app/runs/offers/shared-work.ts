import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, type Said, saidBy, worded } from '../../../kit/worded.ts';
import type { Clock, OfferedWork, ProcessIdentity, Storage, Wording } from '../../../ports/index.ts';
import type { Account } from '../../accounts/account-directory.ts';
import { LONGEST_WAIT_MS } from '../../journal/late-entry.ts';
import { holdLease } from '../../kernel/held-lease.ts';
import { jobOf } from '../../kernel/jobs/job-of.ts';
import { isUnavailable, Outage } from '../../kernel/outage.ts';
import type { CronGroup, CronJob } from '../cron/decisions/group.ts';
import type { CronGroupDirectory } from '../cron/group-directory.ts';
import { accountOfJob, type JobReport, type JobRunnerDeps, runJob } from '../cron/job-runner.ts';
import { isFree, MOST_ATTEMPTS, type OfferedJob, offeredJob, reportOf, restMs } from './offer.ts';
import { runsAt, takes } from './taking.ts';

export interface SharedWorkDeps extends JobRunnerDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly process: ProcessIdentity;
  readonly groups: CronGroupDirectory;
  /** `TAKES` of this node. */
  readonly takes: readonly string[];
  /** Whether the files of the account are on this node, or it has none. */
  hasFiles(account: Account): Promise<boolean>;
  /** How long a storage that does not answer is waited for. */
  readonly longestWaitMs?: number;
  newId(): string;
}

/** A job of a group that this node has claimed. */
export interface GroupJob {
  readonly group: CronGroup;
  readonly job: CronJob;
  readonly causedBy: string | undefined;
  /** A person or program requested the run of the group. */
  readonly isRequested: boolean;
}

/** A node that is silent for this time is taken for dead. */
const LEASE_MS = 15_000;
const RENEW_MS = LEASE_MS / 5;
/** How often a node looks how its offer is doing. */
const LOOK_MS = 1_000;
/** Jobs of one kind that a node runs at once. */
const AT_ONCE = 4;
/** A job fails when no node takes it for this time. */
const LONGEST_OFFER_MS = 5 * 60_000;
/** Every node looks at offers several times within this time. If none has the file until then, the job fails as it does on a single node. */
const LOOK_FOR_FILE_MS = 15_000;
/** Requested work goes before work that has been waiting up to this much longer. */
export const REQUESTED_AHEAD_MS = 10 * 60_000;
/** How often a node that has no room says that it will take the work later: before the node that offers it takes the file for missing. */
const PROMISE_MS = LOOK_FOR_FILE_MS / 3;

interface Need {
  readonly kind: string;
  readonly account: Account;
  readonly runsAt: string;
  /** As in `JobReport`. */
  readonly logsAs: readonly string[];
}

interface Placed {
  readonly need: Need;
  /** Whether this node may run it. */
  readonly mayTake: boolean;
}

/** How an offer ended for the node that made it: another node did it, or this one does it after all. */
type Outcome = JobReport | 'here';

/**
 * Spreads jobs with an account over nodes. A job that may run on the node of its group runs there without further ado; any other one is
 * offered, and the group waits for its end, so that the order of its jobs stays.
 */
export class SharedWork {
  readonly #deps: SharedWorkDeps;
  readonly #controller = new AbortController();
  /** How many jobs of each kind run here. */
  readonly #running = new Map<string, number>();
  readonly #taken = new Set<Promise<void>>();
  /** The kinds of offers of this node that it does itself as soon as it has room, by id. */
  readonly #waiting = new Map<string, string>();
  /** Ends the pauses of offers that wait for room here. */
  #roomy = new AbortController();
  #isDraining = false;

  constructor(deps: SharedWorkDeps) {
    this.#deps = deps;
  }

  /** Takes no more jobs; running ones continue. Idempotent. */
  drain(): void {
    this.#isDraining = true;
  }

  /** Lets go of what it took from other nodes, so that another one begins it. Idempotent. */
  async stop(): Promise<void> {
    this.#isDraining = true;
    this.#controller.abort();
    await Promise.allSettled(this.#taken);
  }

  /** Runs a job to its end, on whatever node. Throws only when the signal aborts. */
  async run(given: GroupJob, signal: AbortSignal): Promise<JobReport> {
    let placed: Placed | undefined;
    try {
      placed = await this.#outage(signal).through(() => this.#placed(given.job));
    } catch (error) {
      signal.throwIfAborted();
      // Which nodes may run it is not known.
      if (isUnavailable(error)) return failed(given.job, saidBy(error), []);
      // A run says better what is wrong.
    }
    if (placed === undefined) return this.#runHere(given, signal);
    const { need, mayTake } = placed;
    const { kind } = need;
    const outcome = mayTake && this.#room(kind) > 0 ? 'here' : await this.#offer(given, need, mayTake, signal);
    return outcome === 'here' ? this.#counted(kind, () => this.#runHere(given, signal)) : outcome;
  }

  /** Begins what other nodes offer and this one may take, in order, as far as there is room. */
  async takeOffered(): Promise<void> {
    const { storage, process } = this.#deps;
    for (const work of await storage.work.list()) {
      if (this.#isDraining) return;
      // The node that made the offer died, and so did the one that took it or it was never taken.
      if (!work.isOffered && !work.isHeld) await storage.work.remove(work.id);
      if (!isFree(work) || work.offeredBy.startsWith(`${process.name}/`)) continue;
      const offered = offeredJob(work);
      const placed = await this.#placed(offered.job);
      if (!placed?.mayTake) continue;
      const { kind } = placed.need;
      if (this.#room(kind) > 0) await this.#take(work, offered, kind);
      else if (work.waitingMs >= PROMISE_MS) await storage.work.promise(work.id);
    }
  }

  /**
   * Returns what determines where a job may run; `undefined` for a job without an account, and for one that cannot run anywhere.
   */
  async #placed(job: CronJob): Promise<Placed | undefined> {
    const { plugins, accounts, takes: names, hasFiles } = this.#deps;
    const type = jobOf(plugins, job.command);
    if (type === undefined || type.account === 'none' || type.missing !== undefined) return undefined;
    const account = await accountOfJob(accounts, job);
    if (account === undefined) return undefined;
    const need = { kind: type.id, account, runsAt: runsAt(account), logsAs: type.logsAs };
    return { need, mayTake: takes(names, need.runsAt) && (await hasFiles(account)) };
  }

  #outage(signal: AbortSignal): Outage {
    return new Outage({ longestMs: this.#deps.longestWaitMs ?? LONGEST_WAIT_MS, signal });
  }

  #room(kind: string): number {
    return AT_ONCE - (this.#running.get(kind) ?? 0);
  }

  #runHere({ group, job, causedBy }: Omit<GroupJob, 'isRequested'>, signal: AbortSignal): Promise<JobReport> {
    const { callOperation } = this.#deps;
    const caused: JobRunnerDeps = {
      ...this.#deps,
      callOperation: (name, input, options) => callOperation(name, input, { ...options, causedBy }),
    };
    return runJob(caused, group, job, signal);
  }

  async #counted<T>(kind: string, work: () => Promise<T>): Promise<T> {
    this.#running.set(kind, (this.#running.get(kind) ?? 0) + 1);
    try {
      return await work();
    } finally {
      this.#running.set(kind, (this.#running.get(kind) ?? 1) - 1);
      this.#roomy.abort();
      this.#roomy = new AbortController();
    }
  }

  /** Offers a job and waits until it has ended, or until this node has to see to it itself. */
  async #offer(
    { group, job, causedBy, isRequested }: GroupJob,
    need: Need,
    mayTake: boolean,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { storage, clock, process, newId, logger } = this.#deps;
    const id = newId();
    const name = `${process.name}/${id}`;
    const { kind, account, runsAt: value } = need;
    const offered: OfferedJob = {
      ...{ group: group.id, groupName: group.name, kind, account: account.name, runsAt: value, causedBy },
      job: { ...job, account: account.id },
    };
    const body = JSON.stringify(offered);
    const lease = holdLease({
      everyMs: RENEW_MS,
      endsAfterMs: LEASE_MS,
      renew: () => storage.work.keep({ id, name, leaseMs: LEASE_MS }),
      failed: (error) => logger.warn('the lease of an offer could not be renewed', { account: account.name, error }),
    });
    const ended = AbortSignal.any([signal, lease.signal]);
    const outage = this.#outage(ended);
    const fails = (said: Wording): JobReport => failed(job, said, need.logsAs);
    if (mayTake) this.#waiting.set(id, kind);
    try {
      const priorityMs = isRequested ? REQUESTED_AHEAD_MS : 0;
      const offer = { id, body, at: clock.now(), offeredBy: name, leaseMs: LEASE_MS, priorityMs };
      await outage.through(() => storage.work.offer(offer));
      for (;;) {
        ended.throwIfAborted();
        const works = await outage.through(() => storage.work.list());
        const place = works.findIndex((each) => each.id === id);
        const work = works[place];
        if (work === undefined) return fails(worded`its offer to other nodes was lost; the next run tries again`);
        if (work.result !== null) return reportOf(work.result);
        const before = works.slice(0, place).filter((each) => isFree(each) && this.#waiting.get(each.id) === kind);
        const decided = this.#decide(work, need, mayTake, before.length);
        const outcome = decided === 'here' ? decided : decided && fails(decided);
        // Once it is claimed here, no other node begins it.
        const claim = async (isAgain: boolean): Promise<boolean> =>
          (await storage.work.claim({ id, holder: name, leaseMs: LEASE_MS })) ||
          (isAgain && (await storage.work.list()).some((each) => each.id === id && each.holder === name));
        if (outcome !== undefined && (await outage.through(claim))) return outcome;
        await sleep(LOOK_MS, undefined, { signal: AbortSignal.any([ended, this.#roomy.signal]) }).catch(
          () => undefined,
        );
      }
    } catch (error) {
      signal.throwIfAborted();
      logger.warn('an offer to other nodes was given up', { account: account.name, error });
      return fails(worded`the database did not answer for so long that its offer to other nodes was given up`);
    } finally {
      this.#waiting.delete(id);
      await lease.stop();
      // Without it, the lease ends by itself, and another node removes the offer.
      await storage.work.remove(id).catch(() => undefined);
    }
  }

  /** Decides what this node does about work that it offers, behind others that it does first; `undefined`: the work keeps waiting. */
  #decide(
    { isHeld, isResting, attempts: count, waitingMs }: OfferedWork,
    { kind, account: { name: account }, runsAt: value }: Need,
    mayTake: boolean,
    before: number,
  ): 'here' | Wording | undefined {
    if (isHeld || isResting) return undefined;
    if (count >= MOST_ATTEMPTS)
      return worded`${{ count }} nodes died over account ${{ account }}, or lost the database; the next run tries again`;
    if (mayTake) return this.#room(kind) > before ? 'here' : undefined;
    if (takes(this.#deps.takes, value)) return waitingMs >= LOOK_FOR_FILE_MS ? 'here' : undefined;
    if (waitingMs < LONGEST_OFFER_MS) return undefined;
    return worded`no node took account ${{ account }} for 5 minutes: it runs at ${{ value }}; start a node with ${{ value }} in TAKES, or change runs_at of the account`;
  }

  async #take(work: OfferedWork, offered: OfferedJob, kind: string): Promise<void> {
    const { id } = work;
    const { storage, process, newId } = this.#deps;
    const holder = `${process.name}/${newId()}`;
    const claimedAt = performance.now();
    if (!(await storage.work.claim({ id, holder, leaseMs: LEASE_MS, restMs: restMs(work) }))) return;
    const taken = this.#counted(kind, () => this.#doTaken({ id, holder, claimedAt }, offered)).catch((error: unknown) =>
      this.#deps.logger.error('the work of another node could not be ended', { account: offered.account, error }),
    );
    this.#taken.add(taken);
    void taken.finally(() => this.#taken.delete(taken));
  }

  async #doTaken(
    { id, holder, claimedAt }: { readonly id: string; readonly holder: string; readonly claimedAt: number },
    { group: groupId, job, causedBy, account }: OfferedJob,
  ): Promise<void> {
    const { storage, groups, logger } = this.#deps;
    const lease = holdLease({
      everyMs: RENEW_MS,
      claimedAt,
      endsAfterMs: LEASE_MS,
      renew: () => storage.work.keep({ id, name: holder, leaseMs: LEASE_MS }),
      failed: (error) => logger.warn('the lease of work could not be renewed', { account, error }),
    });
    const signal = AbortSignal.any([this.#controller.signal, lease.signal]);
    try {
      const group = (await groups.list(null)).find((each) => each.id === groupId);
      signal.throwIfAborted();
      const report =
        group === undefined
          ? failed(job, worded`the cron group was removed meanwhile`, [])
          : await this.#runHere({ group, job, causedBy }, signal);
      await this.#outage(signal).through(() => storage.work.end({ id, holder, result: JSON.stringify(report) }));
    } catch (error) {
      // An orderly stop of a node does not indicate that the work kills its process.
      if (!lease.signal.aborted) await storage.work.release({ id, holder });
      if (!signal.aborted) throw error;
    } finally {
      await lease.stop();
    }
  }
}

function failed({ name, command }: CronJob, said: Said, logsAs: readonly string[]): JobReport {
  return { name: name || command, failed: true, ...messageOf(said), details: [], logsAs };
}
