import {
  AppError,
  type JobOutcome,
  type JobType,
  type JsonObject,
  type JsonValue,
  type LogDetail,
  type Logger,
} from '../../ports/index.ts';
import type { AccountDirectory } from '../accounts/account-directory.ts';
import type { CronJob } from '../domain/cron/group.ts';
import type { PluginRegistry } from '../plugin-host/registry.ts';

/** Calls an operation by name with the rights of the scheduler. */
export type CallOperation = (
  name: string,
  input: JsonObject,
  options: { readonly signal: AbortSignal },
) => Promise<JsonValue>;

export interface JobRunnerDeps {
  readonly plugins: PluginRegistry;
  readonly accounts: AccountDirectory;
  readonly logger: Logger;
  readonly callOperation: CallOperation;
}

/** How one job of a group ended. */
export interface JobReport {
  /** As the group calls it. */
  readonly name: string;
  readonly failed: boolean;
  readonly message: string;
  readonly details: readonly LogDetail[];
}

/** Runs one job to its end. Never throws but when the signal aborts: what went wrong is in the report. */
export async function runJob(deps: JobRunnerDeps, job: CronJob, signal: AbortSignal): Promise<JobReport> {
  const name = job.name || job.command;
  try {
    const outcome = await startJob(deps, job, signal);
    signal.throwIfAborted();
    return { name, failed: outcome.failed === true, message: outcome.message, details: outcome.details ?? [] };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError) || error.code === 'internal') {
      deps.logger.error('cron job failed', { job: name, command: job.command, error });
    }
    return { name, failed: true, message: messageOf(error), details: [] };
  }
}

async function startJob(deps: JobRunnerDeps, job: CronJob, signal: AbortSignal): Promise<JobOutcome> {
  const type = deps.plugins.job(job.command);
  if (type === undefined) {
    const known = deps.plugins.jobs().map(({ id }) => id);
    throw new AppError('failed', `"${job.command}" is no registered job; there are ${known.join(', ')}`);
  }
  const account = await accountOf(deps, type, job);
  return type.run({
    ...(account === undefined ? {} : { account }),
    signal,
    logger: deps.logger.child({ job: type.id }),
    operation: (name, input) => deps.callOperation(name, input, { signal }),
  });
}

async function accountOf({ accounts }: JobRunnerDeps, type: JobType, job: CronJob): Promise<string | undefined> {
  if (type.account === 'none') return undefined;
  if (job.account === undefined) {
    throw new AppError('failed', `the job ${type.id} needs an account; name one as "account" of the job`);
  }
  const account = (await accounts.byName(job.account)) ?? (await accounts.byId(job.account));
  if (account === undefined) throw new AppError('failed', `there is no account ${job.account}`);
  return account.name;
}

function messageOf(error: unknown): string {
  if (error instanceof AppError && error.code !== 'internal') return error.message;
  return 'something went wrong inside of the job; the log of the service says more';
}
