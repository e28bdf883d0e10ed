import { canonicalJson } from '../../../kit/json/canonical-json.ts';
import { messageOf, type Said, saidIn, worded } from '../../../kit/worded.ts';
import type { Actor, Clock, LogDetail, LogEntry, Logger, RuleVersion, Storage } from '../../../ports/index.ts';
import { LONGEST_WAIT_MS } from '../../journal/late-entry.ts';
import { groupLogSource } from '../../journal/run-log.ts';
import { holdLease } from '../../kernel/held-lease.ts';
import { Outage } from '../../kernel/outage.ts';
import type { SharedWork } from '../offers/shared-work.ts';
import { CRON_GROUPS, setRunOnceNext } from './change-group.ts';
import type { CronGroup } from './decisions/group.ts';
import type { DueReason } from './decisions/schedule.ts';
import type { JobReport, JobRunnerDeps } from './job-runner.ts';

export interface GroupRunDeps extends JobRunnerDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly actor: Actor;
  /** Runs jobs, here or on another node. */
  readonly work: Pick<SharedWork, 'run'>;
  /** How long the end of a run waits for a storage that is away; absent: as long as that of an import. */
  readonly longestWaitMs?: number;
  newId(): string;
}

export interface GroupRun {
  readonly group: CronGroup;
  readonly reason: DueReason;
  readonly seenStart: Date | null;
  readonly at: Date;
  readonly holder: string;
  readonly signal: AbortSignal;
}

/** How a run of a group ended; `stopped` when it was cut off and will be begun again. */
export interface GroupReport {
  readonly group: string;
  readonly state: 'done' | 'failed' | 'stopped';
  readonly message: string;
  readonly jobs: readonly JobReport[];
}

/** A dead holder's group is free after this time at most. */
const LEASE_MS = 15_000;
const RENEW_MS = LEASE_MS / 5;
/** The status of a group is a line for people; the log entry has all of it. */
const LONGEST_MESSAGE = 2000;

/** Claims the group and runs its jobs in order. Returns `undefined` if another process holds it. */
export async function runGroup(deps: GroupRunDeps, run: GroupRun): Promise<GroupReport | undefined> {
  const { group, holder } = run;
  const { storage, clock, actor, logger } = deps;
  const claimedAt = performance.now();
  const claimed = await storage.cron.claim({
    groupId: group.id,
    holder,
    at: run.at,
    leaseMs: LEASE_MS,
    seenStart: run.seenStart,
    requested: run.reason === 'requested',
  });
  if (!claimed) return undefined;
  const lease = holdLease({
    everyMs: RENEW_MS,
    claimedAt,
    endsAfterMs: LEASE_MS,
    renew: () => storage.cron.keep({ groupId: group.id, holder, leaseMs: LEASE_MS }),
    failed: (error) => logger.warn('the lease of a cron group could not be renewed', { group: group.name, error }),
  });
  const signal = AbortSignal.any([run.signal, lease.signal]);
  try {
    const causedBy = await causerOf(storage, group);
    // Cleared before the jobs begin: who asks from now on asks for another run.
    if (group.runOnceNext) await setRunOnceNext(deps, group.id, actor, false);
    const jobs = await runJobs(deps, { group, causedBy, isRequested: run.reason === 'requested', signal });
    const report = reportOf(group, jobs);
    const outage = new Outage({ longestMs: deps.longestWaitMs ?? LONGEST_WAIT_MS, signal });
    await appendLog(deps, report, outage);
    const ended = await outage.through(async (isAgain) => {
      const end = { groupId: group.id, holder, at: clock.now(), message: report.message };
      return (await storage.cron.finish({ ...end, hasError: report.state === 'failed' })) || isAgain;
    });
    if (!ended) deps.logger.warn('another node began a cron group before it ended here', { group: group.name });
    return report;
  } catch (error) {
    if (!signal.aborted) throw error;
    // The next holder begins the run again. An orderly stop does not indicate that the run kills its process.
    await storage.cron.release({ groupId: group.id, holder, uncounted: run.signal.aborted });
    const message = run.signal.aborted ? 'stopped; it will be restarted' : 'lost to another node';
    return { group: group.name, state: 'stopped', message, jobs: [] };
  } finally {
    void lease.stop();
  }
}

async function runJobs(
  deps: GroupRunDeps,
  {
    group,
    signal,
    ...cause
  }: Pick<GroupRun, 'group' | 'signal'> & { readonly causedBy: string | undefined; readonly isRequested: boolean },
): Promise<readonly JobReport[]> {
  const reports: JobReport[] = [];
  for (const job of group.jobs) {
    signal.throwIfAborted();
    const report = await deps.work.run({ group, job, ...cause }, signal);
    reports.push(report);
    if (report.failed && report.missing !== true && !group.continueOnError) break;
  }
  return reports;
}

function reportOf(group: CronGroup, jobs: readonly JobReport[]): GroupReport {
  const failed = jobs.filter((job) => job.failed);
  const left = group.jobs.length - jobs.length;
  const notRun = left === 0 ? '' : `; ${left} ${left === 1 ? 'job' : 'jobs'} after it not run`;
  const message =
    failed.length > 0
      ? `${failed.map((job) => `${job.name}: ${job.message}`).join('; ')}${notRun}`
      : jobs.length === 0
        ? 'the group has no jobs'
        : jobs.map((job) => `${job.name}: ${job.message}`).join('; ');
  return { group: group.name, state: failed.length > 0 ? 'failed' : 'done', message: shortened(message), jobs };
}

function shortened(text: string): string {
  return text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE)} …`;
}

/** A log that cannot be written is no reason to do the work of the jobs again. */
async function appendLog(deps: GroupRunDeps, report: GroupReport, outage: Outage): Promise<void> {
  const hasError = report.state === 'failed';
  const details = report.jobs.flatMap((job): LogDetail[] => [
    { level: job.failed ? 'error' : 'info', ...messageOf(saidOf(job)) },
    ...job.details,
  ]);
  for (const job of report.jobs) await appendOldEntries(deps, job, outage);
  const entry = {
    ...messageOf(
      hasError
        ? worded`Cron group ${{ group: report.group }} failed`
        : worded`Cron group ${{ group: report.group }} ran`,
    ),
    source: groupLogSource(report.group),
    details,
    hasError: hasError || details.some((detail) => detail.level === 'error'),
  };
  await append(deps, entry, outage);
}

function saidOf({ name: job, message, wording }: JobReport): Said {
  return wording === undefined ? `${job}: ${message}` : worded`${{ job }}: ${{ said: saidIn({ message, wording }) }}`;
}

/** Monitoring of an existing installation asks for jobs by the idents that they had there. */
async function appendOldEntries(
  deps: GroupRunDeps,
  { name, message, failed, details, logsAs }: JobReport,
  outage: Outage,
): Promise<void> {
  const all: LogDetail[] = [{ level: failed ? 'error' : 'info', message }, ...details];
  const hasError = all.some(({ level }) => level === 'error');
  for (const source of logsAs) {
    const said = `${name} ${failed ? 'failed' : 'ran'}: ${message}`;
    await append(deps, { message: said, source, details: all, hasError }, outage);
  }
}

async function append(
  { storage: { logs }, clock, newId, logger }: GroupRunDeps,
  entry: Omit<LogEntry, 'id' | 'at'>,
  outage: Outage,
): Promise<void> {
  const { source } = entry;
  const id = newId();
  const write = async (isAgain: boolean): Promise<void> => {
    const [newest] = isAgain ? await logs.latest({ limit: 1, source }) : [];
    if (newest?.id !== id) await logs.append({ id, at: clock.now(), ...entry });
  };
  await outage.through(write).catch((error: unknown) => {
    logger.error('the log of a cron group could not be written', { source, error });
  });
}

/** Number of versions that are searched for the cause of a run. */
const MOST_VERSIONS = 200;

/**
 * Returns the user who caused a run of a group: the one who requested it, or else the last who wrote the group. Neither the flag
 * that requests a run nor a pause counts as writing the group. Returns `undefined` if no kept version shows it.
 */
async function causerOf(
  { rules }: Pick<Storage, 'rules'>,
  { id, runOnceNext }: Pick<CronGroup, 'id' | 'runOnceNext'>,
): Promise<string | undefined> {
  const versions = await rules.versions(CRON_GROUPS, id, MOST_VERSIONS);
  const isCause = runOnceNext ? asks : writes;
  return versions.find((version, place) => isCause(version, versions[place + 1]))?.actor;
}

function asks({ document }: RuleVersion, before: RuleVersion | undefined): boolean {
  return document.value.run_once_next === true && before?.document.value.run_once_next !== true;
}

function writes(version: RuleVersion, before: RuleVersion | undefined): boolean {
  return before === undefined || contentOf(version) !== contentOf(before);
}

function contentOf({ document }: RuleVersion): string {
  const { run_once_next: _, paused_until: __, ...content } = document.value;
  return canonicalJson(content);
}
