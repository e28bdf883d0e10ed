import { setTimeout } from 'node:timers/promises';
import { worded } from '../../../kit/worded.ts';
import { plainSecondsOf } from '../../../kit/words/moment.ts';
import {
  type ActiveRun,
  type ActiveRunKind,
  type ActiveRunProgress,
  AppError,
  type Wording,
} from '../../../ports/index.ts';
import type { Account } from '../../accounts/account-directory.ts';
import type { Caller } from '../../kernel/caller.ts';
import { holdLease } from '../../kernel/held-lease.ts';
import type { Progress } from '../../kernel/operation.ts';
import type { RunServices } from '../services.ts';
import { endUnreported } from './lapsed-runs.ts';
import { holderOf, LEASE_MS } from './runs-of-thread.ts';
import { runWording } from './words.ts';

/** How often a scheduled run looks whether it may begin. */
const LOOK_EVERY_MS = 1_000;
const AWAY = worded`the database did not answer for so long that the run was given up`;
const KEEP_EVERY_MS = 4_000;
/** How often others see how far it is. */
const TELL_EVERY_MS = 1_000;

export interface ActiveRunContext {
  readonly services: RunServices;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** Id of the active run and of its log entry. */
  readonly runId?: string;
  progress(progress: Progress): void;
}

interface Wanted {
  readonly kind: ActiveRunKind;
  readonly account: Pick<Account, 'id' | 'name'>;
  readonly part?: string | undefined;
}

/**
 * Runs work of an account so that all users see it and no process begins the same meanwhile. The signal of the work also aborts
 * when the run is cancelled, and when the store could not be reached for so long that others may have begun. Throws `conflict`
 * with the run in progress, its user and its start.
 */
export async function asActiveRun<T, Context extends ActiveRunContext>(
  context: Context,
  wanted: Wanted,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const key = await begin(context, wanted);
  const held = hold(context, key);
  try {
    return await work({
      ...context,
      runId: key.id,
      signal: AbortSignal.any([context.signal, held.signal]),
      progress(progress) {
        held.report(progress);
        context.progress(progress);
      },
    });
  } finally {
    await held.end();
  }
}

type Key = Pick<ActiveRun, 'id' | 'accountId'>;

async function begin({ services, caller, signal }: ActiveRunContext, { kind, account, part }: Wanted): Promise<Key> {
  const { storage, clock, process, newId } = services;
  const id = newId();
  const run = {
    id,
    kind,
    accountId: account.id,
    account: account.name,
    part: part ?? null,
    startedBy: caller.name,
    holder: holderOf(services, id),
    leaseMs: LEASE_MS,
  };
  const beganAt = performance.now();
  await endLapsed(services, account.id);
  for (;;) {
    const other = await storage.activeRuns.begin({ ...run, startedAt: clock.now() });
    if (other === undefined) return run;
    // A run held by a killed process of this machine is released at once, not only when its lease expires.
    if (process.isDead(other.holder)) await endUnreported(services, other);
    // A schedule has no user who could retry: it waits as long as a process that died on another machine may seem to run.
    else if (caller.entrance === 'cron' && performance.now() - beganAt < LEASE_MS)
      await setTimeout(LOOK_EVERY_MS, undefined, { signal });
    else throw new AppError('conflict', busyText(other, caller));
  }
}

/**
 * Ends lapsed runs of the account, which can no longer be found once another run of it has begun. This process reports its own
 * runs as soon as it can.
 */
async function endLapsed(services: RunServices, accountId: string): Promise<void> {
  const { storage, process } = services;
  for (const run of await storage.activeRuns.lapsed()) {
    if (run.accountId === accountId && !run.holder.startsWith(`${process.name}/`)) await endUnreported(services, run);
  }
}

function busyText(run: ActiveRun, caller: Caller): Wording {
  const since = plainSecondsOf(run.startedAt);
  const { id, startedBy: user } = run;
  // Pages have a button for it, and their readers seldom a shell.
  if (caller.entrance === 'admin')
    return worded`${{ run: runWording(run) }} is running since ${{ since }} UTC, started by ${{ user }}; wait until it ends, or stop it in Runs`;
  return worded`${{ run: runWording(run) }} is running since ${{ since }} UTC, started by ${{ user }}; wait until it ends, or cancel it with "muster run cancel ${{ id }}"`;
}

/** Keeps the run alive in the store, with its progress, until `end` is called. */
function hold({ services: { storage, logger } }: ActiveRunContext, key: Key) {
  let latest: ActiveRunProgress | undefined;
  const lease = holdLease({
    everyMs: TELL_EVERY_MS,
    endsAfterMs: LEASE_MS,
    endReason: new AppError('unavailable', AWAY),
    isDue: (since) => latest !== undefined || since >= KEEP_EVERY_MS,
    async renew() {
      const progress = latest;
      latest = undefined;
      const request = { ...key, leaseMs: LEASE_MS, ...(progress === undefined ? {} : { progress }) };
      return (await storage.activeRuns.keep(request)) === 'kept';
    },
    failed: (error) => logger.warn('the lease of a run could not be renewed', { run: key.id, error }),
  });

  return {
    signal: lease.signal,
    report({ done, total, unit, note }: Progress): void {
      latest = { done, total: total ?? null, unit, note: note ?? '' };
    },
    async end(): Promise<void> {
      await lease.stop();
      await storage.activeRuns.end(key).catch((error: unknown) => {
        logger.warn('the end of a run could not be noted; its lease ends by itself', { run: key.id, error });
      });
    },
  };
}
