import { messageOf as recordOf, type Said, saidBy, worded } from '../../../kit/worded.ts';
import {
  AppError,
  type JobOutcome,
  type JsonObject,
  type JsonValue,
  type LogDetail,
  type Logger,
  type WordingParts,
} from '../../../ports/index.ts';
import type { Account, AccountDirectory } from '../../accounts/account-directory.ts';
import { jobOf, type KnownJob, missingJob, requireAccountType } from '../../kernel/jobs/job-of.ts';
import type { PluginRegistry } from '../../kernel/plugin-host/registry.ts';
import { requireConfirmed, requireConfirmedAccount } from '../../rules/trust/pending.ts';
import type { CronGroup, CronJob } from './decisions/group.ts';

/** Calls an operation by name with the rights of the scheduler. */
export type CallOperation = (
  name: string,
  input: JsonObject,
  options: { readonly signal: AbortSignal; readonly causedBy?: string | undefined },
) => Promise<JsonValue>;

export interface JobRunnerDeps {
  readonly plugins: PluginRegistry;
  readonly accounts: AccountDirectory;
  readonly logger: Logger;
  readonly callOperation: CallOperation;
}

const LEVELS: ReadonlySet<string | undefined> = new Set(['debug', 'info', 'warning', 'error']);
/** Time a job gets to end when its signal aborts. */
const GRACE_MS = 5_000;

/** How one job of a group ended. */
export interface JobReport {
  /** As the group calls it. */
  readonly name: string;
  readonly failed: boolean;
  /** True when there is nothing here that does the job: nothing began, so the jobs after it have nothing to fear. */
  readonly missing?: true;
  readonly message: string;
  readonly wording?: WordingParts | undefined;
  readonly details: readonly LogDetail[];
  /** Names under which existing installations have its runs in the log. */
  readonly logsAs: readonly string[];
}

/**
 * Runs one job of a group to its end. Never throws but when the signal aborts: what went wrong is in the report. Jobs of a group
 * that waits for an administrator fail.
 */
export async function runJob(
  deps: JobRunnerDeps,
  { record }: Pick<CronGroup, 'record'>,
  job: CronJob,
  signal: AbortSignal,
): Promise<JobReport> {
  const name = job.name || job.command;
  const type = jobOf(deps.plugins, job.command);
  const logsAs = type?.logsAs ?? [];
  try {
    requireConfirmed(deps.plugins, record);
    const missing = missingJob(deps.plugins, job.command);
    if (type === undefined || missing !== undefined) {
      return { name, failed: true, missing: true, message: missing ?? '', details: [], logsAs };
    }
    const outcome = await orAbandoned(startJob(deps, type, job, signal), signal);
    signal.throwIfAborted();
    return { name, ...reportOf(outcome), logsAs };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError) || error.code === 'internal') {
      deps.logger.error('cron job failed', { job: name, command: job.command, error });
    }
    return { name, failed: true, ...recordOf(saidOf(error)), details: [], logsAs };
  }
}

/** Plugins are written in plain JavaScript too, so what a job answers may have any shape. */
function reportOf(outcome: Partial<JobOutcome> | undefined | null): Omit<JobReport, 'name' | 'logsAs'> {
  const { failed, message, wording, details } = outcome ?? {};
  const isSaid = typeof message === 'string' && message !== '';
  return {
    failed: failed === true,
    ...(isSaid ? { message, wording: isWording(wording) ? wording : undefined } : recordOf(worded`done`)),
    details: Array.isArray(details) ? details.filter(isDetail) : [],
  };
}

function isDetail(detail: Partial<LogDetail> | undefined | null): detail is LogDetail {
  return typeof detail?.message === 'string' && LEVELS.has(detail.level);
}

function isWording(value: Partial<WordingParts> | undefined | null): value is WordingParts {
  return typeof value?.template === 'string' && typeof value.values === 'object' && value.values !== null;
}

/** The work, or an error some time after the signal aborts: a job that does not end must not keep the service from stopping. */
async function orAbandoned<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const settled = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const abandoned = new Promise<never>((_, reject) => {
    const wait = (): void => {
      timer = setTimeout(() => reject(signal.reason), GRACE_MS);
    };
    if (signal.aborted) wait();
    else signal.addEventListener('abort', wait, { signal: settled.signal });
  });
  try {
    return await Promise.race([work, abandoned]);
  } finally {
    settled.abort();
    clearTimeout(timer);
  }
}

async function startJob(deps: JobRunnerDeps, type: KnownJob, job: CronJob, signal: AbortSignal): Promise<JobOutcome> {
  const account = await accountOf(deps, type, job);
  return type.run({
    ...(account === undefined ? {} : { account }),
    signal,
    logger: deps.logger.child({ job: type.id }),
    operation: (name, input) => deps.callOperation(name, input, { signal }),
  });
}

async function accountOf(
  { accounts, plugins }: JobRunnerDeps,
  type: KnownJob,
  job: CronJob,
): Promise<string | undefined> {
  if (type.account === 'none') return undefined;
  if (job.account === undefined) {
    if (type.account === 'optional') return undefined;
    throw new AppError(
      'failed',
      worded`the job ${{ job: type.id }} needs an account; name one as "account" of the job`,
    );
  }
  const account = await accountOfJob(accounts, job);
  if (account === undefined) throw new AppError('failed', worded`there is no account ${{ account: job.account }}`);
  requireAccountType(plugins, type, account);
  requireConfirmedAccount(plugins, account);
  return account.name;
}

/** The account that a job names, by its name or id. */
export async function accountOfJob(
  accounts: AccountDirectory,
  { account }: Pick<CronJob, 'account'>,
): Promise<Account | undefined> {
  if (account === undefined) return undefined;
  return (await accounts.byName(account)) ?? (await accounts.byId(account));
}

function saidOf(error: unknown): Said {
  if (error instanceof AppError && error.code !== 'internal') return saidBy(error);
  return worded`something went wrong inside the job; the log of the service says more`;
}
