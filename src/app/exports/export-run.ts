import { type ExportReport, ExportTally, exportSummaryWording } from '../../kit/summaries/export-summary.ts';
import { messageOf, worded } from '../../kit/worded.ts';
import type { HostScope, HostStore, LogDetail, TargetDocument, Wording } from '../../ports/index.ts';
import { shown } from '../hosts/decisions/check.ts';
import { appendRunLog, type RunLogDeps } from '../journal/run-log.ts';
import { driveTarget } from './drive-target.ts';
import { evaluatedHosts } from './evaluated-hosts.ts';
import { type ExportBreak, exportBreak } from './export-failure.ts';
import type { OpenedTarget } from './open-target.ts';

export interface ExportDeps extends RunLogDeps {
  readonly hosts: Pick<HostStore, 'scan' | 'count'>;
}

/** How far a run is, in stored hosts. */
interface ExportProgress {
  readonly done: number;
  readonly total: number;
  readonly note: string;
}

export interface ExportRequest {
  /** Its name. */
  readonly account: string;
  /** Opens the account. What it throws fails the run. */
  open(): Promise<OpenedTarget>;
  readonly scope: HostScope;
  /** How long the target may do nothing. */
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  /** Answers what would happen and writes nothing, not even a log entry. */
  readonly dryRun?: boolean;
  readonly progress?: ((progress: ExportProgress) => void) | undefined;
}

/**
 * Hands every host of the scope to a target. One host that the target refuses never stops the others. Never throws for
 * what a target, a rule or the store can do: the report says `failed`.
 */
export async function runExport(deps: ExportDeps, request: ExportRequest): Promise<ExportReport> {
  const startedAt = deps.clock.now();
  const tally = new ExportTally();
  let opened: OpenedTarget | undefined;
  let failure: ExportBreak | undefined;
  try {
    opened = await request.open();
    await handAllOver(deps, request, opened, tally);
  } catch (error) {
    failure = exportBreak({ ...request, logger: deps.logger }, error, opened?.mask);
  }
  const summary = tally.summary(deps.clock.now().getTime() - startedAt.getTime());
  const report: ExportReport = {
    status: failure !== undefined ? 'failed' : summary.failed + tally.leftOut > 0 ? 'partial' : 'done',
    ...messageOf(failure?.said ?? exportSummaryWording(summary, request.dryRun)),
    cancelled: failure?.cancelled ?? false,
    summary,
    failures: tally.failures,
    failuresTotal: summary.failed + tally.leftOut,
    ...(failure === undefined && tally.documentReport()),
  };
  if (request.dryRun !== true) {
    await appendRunLog(deps, { kind: 'export', account: request.account, report, details: exportLogDetails(report) });
  }
  return report;
}

async function handAllOver(
  deps: ExportDeps,
  { account, scope, timeoutSeconds, signal, dryRun, progress }: ExportRequest,
  opened: OpenedTarget,
  tally: ExportTally,
): Promise<void> {
  const total = await deps.hosts.count({ scope, kind: 'hosts', state: 'active' });
  let done = 0;
  const report = (note?: string): void => {
    const noted = note === undefined ? `${tally.written} written` : opened.mask(note);
    progress?.({ done, total: Math.max(total, done), note: noted });
  };
  const hosts = evaluatedHosts(
    { hosts: deps.hosts, evaluator: opened.evaluator, scope, signal },
    (count) => {
      done += count;
      report();
    },
    (hostname) => {
      tally.undecided++;
      tally.failure(
        hostname,
        'is left out, because a filter rule or one of the target broke off or a rule met a limit on it; see the errors of rules',
      );
    },
  );
  await driveTarget({
    opened,
    account,
    hosts,
    logger: deps.logger,
    scope,
    tally,
    dryRun: dryRun === true,
    timeoutSeconds,
    signal,
    onNote: report,
  });
}

/** Entries name this many hosts; the report of the command has more. */
const MAX_LOGGED_HOSTS = 100;

const DOCUMENTS: Readonly<Record<TargetDocument['change'], (name: string) => Wording>> = {
  created: (name) => worded`${{ name }}: created`,
  changed: (name) => worded`${{ name }}: changed`,
  deleted: (name) => worded`${{ name }}: deleted`,
  left: (name) => worded`${{ name }}: left`,
};

/** Returns the log details of an export in addition to its outcome. */
function exportLogDetails(report: ExportReport): LogDetail[] {
  const details: LogDetail[] = [];
  const { seen: _seen, duration_ms: milliseconds, ...counts } = report.summary;
  const took = worded`${{ summary: exportSummaryWording(report.summary) }} in ${{ milliseconds }} ms`;
  details.push({ level: 'info', ...messageOf(took), counts, milliseconds });
  for (const { name, change } of (report.documents ?? []).slice(0, MAX_LOGGED_HOSTS)) {
    details.push({ level: 'info', ...messageOf(DOCUMENTS[change](shown(name))) });
  }
  const named = report.failures.slice(0, MAX_LOGGED_HOSTS);
  for (const { hostname, reason } of named) {
    details.push({ level: 'error', ...messageOf(worded`${{ record: shown(hostname) }}: failed, ${{ reason }}`) });
  }
  const more = report.failuresTotal - named.length;
  if (more > 0) {
    const said = more === 1 ? worded`1 more host failed` : worded`${{ count: more }} more hosts failed`;
    details.push({ level: 'error', ...messageOf(said) });
  }
  return details;
}
