import type { ImportOptions } from '../../../kit/account-options/import-options.ts';
import type { HostnameTemplate } from '../../../kit/options/hostname-template.ts';
import {
  gapsWording,
  type ImportReport,
  ImportTally,
  leftOutWording,
  type NotWrittenRecord,
  summaryWording,
} from '../../../kit/summaries/import-summary.ts';
import { messageOf, type Said, saidBy, saidIn, strung, worded } from '../../../kit/worded.ts';
import {
  type Actor,
  AppError,
  type HostStore,
  type Logger,
  type MarkStore,
  type RelationStore,
  type Scratch,
  type Source,
} from '../../../ports/index.ts';
import { appendRunLog, type RunLogDeps } from '../../journal/run-log.ts';
import { isUnavailable } from '../../kernel/outage.ts';
import { type ChangesRequest, ReadingChanges } from './changes-only.ts';
import { contributeDryRun, contributeMode } from './contribute-mode.ts';
import { RecordPreparer } from './decisions/prepare-record.ts';
import { gatheredSource } from './gathered-records.ts';
import { inventoryMode } from './inventory-mode.ts';
import { keyedMode } from './keys/keyed-mode.ts';
import { importLogDetails } from './log-details.ts';
import { ownDryRun } from './own-dry-run.ts';
import { ownMode } from './own-mode.ts';
import { partMode } from './part-mode.ts';
import { RecordPump } from './record-pump.ts';
import { relatingDryRun, relatingMode } from './relating-mode.ts';
import { RenameDiffs } from './rename-diffs.ts';
import { runClock } from './run-clock.ts';
import { spelledNames } from './spelled-names.ts';
import { typedMode } from './typed-mode.ts';
import { LONGEST_OUTAGE_MS, waitingStores } from './waiting-stores.ts';
import {
  type FinishResult,
  type HostDiff,
  type ImportAccount,
  NOTHING_FINISHED,
  type RelationCounts,
  type WriteMode,
  type WriteModeContext,
} from './write-mode.ts';

export interface ImportDeps extends RunLogDeps {
  readonly hosts: HostStore;
  readonly relations: RelationStore;
  readonly marks: MarkStore;
  /** For what a run has to wait with until everything is read. */
  openScratch(): Promise<Scratch>;
}

/** How far a run is. `done` and `total` are in the source's units. */
interface ImportProgress {
  readonly seen: number;
  readonly done: number;
  readonly total?: number;
}

export interface ImportRequest {
  readonly account: ImportAccount;
  readonly source: Source;
  readonly options: ImportOptions;
  /** The record's field that the hostname comes from, for templates. */
  readonly hostnameField?: string | undefined;
  /** What `WORTHLESS_VALUES` says. */
  readonly worthless?: readonly string[] | undefined;
  /** The compiled `rewrite_hostname`, when the account has one. */
  readonly template?: HostnameTemplate | undefined;
  /** The parts of the source, where it has several. */
  readonly parts?: readonly string[] | undefined;
  /** The one part to read; absent: all of them. */
  readonly part?: string | undefined;
  /** Where the source can read only what changed. */
  readonly changes?: ChangesRequest | undefined;
  /** Inventorizing: the section where the account names none. */
  readonly section?: string | undefined;
  /** True fills an inventory section of hosts that exist, and creates and archives none. */
  readonly inventorize?: boolean;
  /** The compiled `inventorize_rewrite_collect_by_key`, when the account has one. */
  readonly collectTemplate?: HostnameTemplate | undefined;
  /** Hides the account's secrets in what is said of records that are not written. */
  readonly mask?: ((text: string) => string) | undefined;
  readonly signal: AbortSignal;
  /** Answers what would happen and writes nothing, not even a log entry. */
  readonly dryRun?: boolean;
  /** Dry runs only: called for each host that would change. */
  readonly onDiff?: ((diff: HostDiff) => void) | undefined;
  /** Called for each record that is not written; the report names only the first thousand. */
  readonly onNotWritten?: ((record: NotWrittenRecord) => void) | undefined;
  readonly progress?: ((progress: ImportProgress) => void) | undefined;
  /** Of the entry in the log; absent: a new one. */
  readonly entryId?: string | undefined;
  /** How long the storage may stay away before the run fails. */
  readonly longestOutageMs?: number;
}

/**
 * Reads everything the source has into the store. One bad record never stops the others. A read that fails, is called
 * off or gives nothing archives nothing; what was written until then stays, and the next run completes it. Never throws
 * for what a source or store can do: the report says `failed`.
 */
export async function runImport(given: ImportDeps, request: ImportRequest): Promise<ImportReport> {
  const clock = runClock(given.clock);
  const deps = { ...given, clock };
  const startedAt = deps.clock.now();
  const tally = new ImportTally(request);
  const { longestOutageMs = LONGEST_OUTAGE_MS, signal } = request;
  const waiting = waitingStores(deps, signal, longestOutageMs);
  const changes = readingChanges(waiting, request, startedAt);
  let finished = NOTHING_FINISHED;
  let failure: { readonly said: Said; readonly cancelled: boolean } | undefined;
  try {
    finished = await readAndFinish(waiting, request, { tally, changes, startedAt });
    if (finished.refusal !== undefined) failure = { said: finished.refusal, cancelled: false };
  } catch (error) {
    failure = failureOf(error, request.signal, deps.logger);
  }
  tally.archived = finished.archived;
  const summary = tally.summary(deps.clock.now().getTime() - startedAt.getTime());
  const isPartial = summary.failed > 0 || tally.gapsTotal > 0;
  const outcome = [
    summaryWording(summary),
    ...(changes.changesOnly ? [worded`only what changed was read`] : []),
    ...leftOutWording(tally),
    ...gapsWording(tally.gaps, tally.gapsTotal),
  ];
  const report: ImportReport = {
    status: failure !== undefined ? 'failed' : isPartial ? 'partial' : 'done',
    ...messageOf(failure?.said ?? strung(outcome) ?? ''),
    cancelled: failure?.cancelled ?? false,
    changesOnly: changes.changesOnly,
    summary,
    notWritten: tally.records,
    notWrittenTotal: summary.conflicts + summary.skipped + summary.failed,
    gaps: tally.gaps,
    gapsTotal: tally.gapsTotal,
    archivedSample: finished.sample,
    unseen: finished.unseen ?? NONE_UNSEEN,
    withdrawn: finished.withdrawn,
    leftOut: tally.leftOut,
    renamed: tally.renamed,
    renamedSample: tally.renames,
    keyConflicts: tally.keyConflicts,
    keyConflictsTotal: tally.keyConflictsTotal,
    warnings: tally.warnings,
    warningsTotal: tally.warningsTotal,
    relations: finished.relations ?? NO_RELATIONS,
    emptied: finished.emptied ?? 0,
  };
  if (request.dryRun !== true) {
    await appendRunLog(deps, {
      id: request.entryId,
      kind: 'import',
      account: request.account.name,
      report,
      details: importLogDetails(report, startedAt),
      isComplete: failure === undefined && tally.gapsTotal === 0,
      part: request.part,
      bookmark: changes.change(report.status),
    });
  }
  return report;
}

/** The report itself, unless the run failed: then an `AppError` that carries it. */
export function requireImported(report: ImportReport): ImportReport {
  if (report.status !== 'failed') return report;
  const said = saidIn(report);
  throw new AppError(report.cancelled ? 'cancelled' : 'failed', said, {
    members: { summary: report.summary },
  });
}

async function readAndFinish(
  deps: ImportDeps,
  request: ImportRequest,
  { tally, changes, startedAt }: RunState,
): Promise<FinishResult> {
  const { account, options } = request;
  const activeBefore = await deps.hosts.countOwned(account.id);
  const actor: Actor = { kind: 'account', name: account.name };
  const { hosts, clock } = deps;
  const context = { hosts, clock, runId: deps.newId(), startedAt, account, actor, options, activeBefore };
  const mode = await wholeMode(deps, context, request, { tally, changes });
  const pump = new RecordPump({ mode, tally, changes, preparer: new RecordPreparer(request) });
  const progress = request.progress ?? (() => undefined);
  // An account without a host has lost what it read before, and a list of changed records alone would lose the others.
  const readsAll = (activeBefore === 0 && options.mode === 'own') || options.list_labels.length > 0;
  const since = readsAll ? undefined : await changes.since();
  await pump.run(gatheredSource(request.source, options), {
    signal: request.signal,
    ...(request.part === undefined ? {} : { part: request.part }),
    ...(request.inventorize === true || options.fills === 'section' ? { inventorizes: true } : {}),
    ...(since === undefined ? {} : { since }),
    progress: (done, total) =>
      progress(total === undefined ? { seen: tally.seen, done } : { seen: tally.seen, done, total }),
  });
  // What did not change says nothing of what the source has.
  if (changes.changesOnly) return NOTHING_FINISHED;
  const [gap] = tally.gaps;
  if (tally.seen === 0 && gap !== undefined) {
    const [why = ''] = gapsWording(tally.gaps, tally.gapsTotal);
    throw new AppError('failed', worded`the source gave no record: ${{ why }}`);
  }
  if (tally.seen === 0 && tally.leftOut > 0 && !options.allow_empty) {
    throw new AppError(
      'failed',
      worded`all ${{ count: tally.leftOut }} records of the source are ${{ reason: tally.leftOutReason }}; if that is intended, set allow_empty of the account`,
    );
  }
  if (tally.seen === 0 && !options.allow_empty) {
    throw new AppError(
      'failed',
      worded`the source has no records; if that is intended, set allow_empty of the account`,
    );
  }
  if (tally.seen > 0 && pump.usable === 0) {
    const first = tally.records[0];
    const count = tally.seen;
    throw new AppError(
      'failed',
      first === undefined
        ? worded`none of the ${{ count }} records can become a host; check the account's options`
        : worded`none of the ${{ count }} records can become a host (${{ position: first.position }}: ${{ reason: saidIn({ message: first.reason, wording: first.wording }) }}); check the account's options`,
    );
  }
  if (gap !== undefined) return NOTHING_FINISHED;
  return pump.unsureOfNames === undefined
    ? mode.finish(pump.except)
    : { ...NOTHING_FINISHED, ...(options.delete_host_if_not_found_on_import ? { refusal: pump.unsureOfNames } : {}) };
}

const NONE_UNSEEN = { count: 0, sample: [] };
const NO_RELATIONS: RelationCounts = { added: 0, removed: 0 };

interface RunState {
  readonly tally: ImportTally;
  readonly changes: ReadingChanges;
  readonly startedAt: Date;
}

/** Sections are always filled from everything: what a host has there may stand in several records. */
function readingChanges({ logs }: ImportDeps, request: ImportRequest, startedAt: Date): ReadingChanges {
  const { account, part, options, inventorize = false } = request;
  const fillsSection = options.fills === 'section' || inventorize;
  const changes = fillsSection ? undefined : request.changes;
  return new ReadingChanges({ request: changes, logs, account: account.name, part, startedAt });
}

/** The mode of the account with everything around it that does not depend on the mode. */
async function wholeMode(
  deps: ImportDeps,
  context: WriteModeContext,
  request: ImportRequest,
  { tally, changes }: Pick<RunState, 'tally' | 'changes'>,
): Promise<WriteMode> {
  const { dryRun = false, parts = [], part, options, inventorize = false, source } = request;
  const unread = source.parts === undefined ? [] : parts.filter((id) => !source.parts?.includes(id));
  const { relations, marks, openScratch } = deps;
  const diffs = new RenameDiffs((diff) => request.onDiff?.(diff));
  const onDiff = request.onDiff === undefined ? undefined : diffs.tell;
  const owns = options.mode === 'own' && options.fills !== 'section' && !inventorize;
  const typed = typedMode(context, await writeMode(deps, context, { ...request, onDiff }));
  const mode = spelledNames(context, typed, {
    owns,
    dryRun,
    warn: (warning) => tally.warn(warning),
    gap: (one) => tally.gap(one),
  });
  const related = dryRun ? relatingDryRun(relations, { mode, onDiff }) : relatingMode(context, relations, mode);
  const fillsSection = options.fills === 'section' || inventorize;
  const whole =
    parts.length === 0
      ? related
      : await partMode(context, related, { marks, parts, unread, part, dryRun, archives: owns });
  // A record is no host where it fills all whose names end with its own.
  if (fillsSection && options.inventorize_match_by_domain) return whole;
  return keyedMode(context, whole, {
    marks,
    openScratch,
    dryRun,
    diffs,
    owns,
    keeps: options.fills === 'section' || !inventorize,
    part,
    changes,
    onConflict: (conflict) => tally.keyConflict(conflict),
    onWarning: (warning) => tally.warn(warning),
    onRename: (rename) => tally.rename(rename),
  });
}

async function writeMode(
  { marks, openScratch }: ImportDeps,
  context: WriteModeContext,
  request: ImportRequest,
): Promise<WriteMode> {
  const { options, dryRun = false, onDiff, inventorize, collectTemplate, section } = request;
  if (options.fills === 'section')
    return inventoryMode(context, { dryRun, onDiff, collectTemplate, marks, openScratch });
  if (inventorize === true) return inventoryMode(context, { dryRun, onDiff, collectTemplate, section, openScratch });
  if (options.mode === 'contribute') {
    return dryRun ? contributeDryRun(context, onDiff) : contributeMode(context);
  }
  return dryRun ? ownDryRun(context, onDiff) : ownMode(context);
}

function failureOf(error: unknown, signal: AbortSignal, logger: Logger): { said: Said; cancelled: boolean } {
  // The storage was away for so long that somebody else may have begun the same.
  if (signal.aborted && isUnavailable(signal.reason)) return { said: saidBy(signal.reason), cancelled: false };
  if (signal.aborted) return { said: worded`the import was cancelled; nothing was archived`, cancelled: true };
  if (error instanceof AppError && error.code !== 'internal') return { said: saidBy(error), cancelled: false };
  logger.error('import failed unexpectedly', { error });
  return { said: worded`the import failed for an unexpected reason; the program log has details`, cancelled: false };
}
