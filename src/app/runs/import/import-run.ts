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
import { messageOf, type Said, saidBy, strung, worded } from '../../../kit/worded.ts';
import { AppError, type Clock, type Logger, type Scratch, type Source } from '../../../ports/index.ts';
import { activeOf } from '../../hosts/host-counts.ts';
import { appendRunLog, type RunLogDeps } from '../../journal/run-log.ts';
import { isUnavailable } from '../../kernel/outage.ts';
import { askingStores } from './asking-stores.ts';
import { type ChangesRequest, ReadingChanges } from './changes-only.ts';
import { RecordPreparer } from './decisions/prepare-record.ts';
import { gatheredSource } from './gathered-records.ts';
import {
  type FinishResult,
  type HostDiff,
  type ImportAccount,
  type ImportRun,
  NOTHING_FINISHED,
  type RelationCounts,
  type Stage,
} from './import-stage.ts';
import { importLogDetails } from './log-details.ts';
import { RecordPump } from './record-pump.ts';
import { keyedRecords } from './stages/keys/keys.ts';
import { contributedLabels, ownHosts } from './stages/labels.ts';
import { recordsOfParts } from './stages/parts.ts';
import { relatedRecords } from './stages/relations.ts';
import { hostSections } from './stages/sections.ts';
import { spelledNames } from './stages/spelling.ts';
import { typedRecords } from './stages/types.ts';
import { type ImportStores, LONGEST_OUTAGE_MS, waitingStores } from './waiting-stores.ts';

export interface ImportDeps extends RunLogDeps, Omit<ImportStores, 'logs'> {
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
  /** The value of `WORTHLESS_VALUES`. */
  readonly worthless?: readonly string[] | undefined;
  /** The compiled `rewrite_hostname`, when the account has one. */
  readonly template?: HostnameTemplate | undefined;
  /** The parts of the source, if it has several. */
  readonly parts?: readonly string[] | undefined;
  /** The one part to read; absent: all of them. */
  readonly part?: string | undefined;
  /** Present if the source can read only the changes. */
  readonly changes?: ChangesRequest | undefined;
  /** Inventorizing: the section where the account names none. */
  readonly section?: string | undefined;
  /** True fills an inventory section of hosts that exist, and creates and archives none. */
  readonly inventorize?: boolean;
  /** See `ImportRun`. */
  readonly archiveUpTo?: number | undefined;
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
  /** Id of the log entry; absent: a new one. */
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
  const startedAt = clock.now();
  const tally = new ImportTally(request);
  const { account, longestOutageMs = LONGEST_OUTAGE_MS, signal, dryRun = false, onDiff } = request;
  const stores = waitingStores(deps, signal, longestOutageMs);
  const asking = dryRun ? askingStores(stores, { ...deps, account, onDiff }) : undefined;
  const changes = readingChanges(stores, request, startedAt);
  let finished = NOTHING_FINISHED;
  let failure: { readonly said: Said; readonly cancelled: boolean } | undefined;
  try {
    finished = await readAndFinish(
      await openRun(deps, request, { stores: asking ?? stores, tally, changes, startedAt }),
      request,
    );
    if (finished.refusal !== undefined) failure = { said: finished.refusal, cancelled: false };
  } catch (error) {
    failure = failureOf(error, request.signal, deps.logger);
  } finally {
    asking?.close();
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
    refused: finished.refused ?? 0,
    unseen: finished.unseen ?? NONE_UNSEEN,
    withdrawn: finished.withdrawn,
    leftOut: tally.leftOut,
    renamed: tally.renamed,
    renamedSample: tally.renames,
    keyConflicts: tally.keyConflicts,
    keyConflictsTotal: tally.keyConflictsTotal,
    warnings: tally.warnings,
    warningsTotal: tally.warningsTotal,
    // A dry run counts none, since it is unknown which of them would be removed.
    relations: (dryRun ? undefined : finished.relations) ?? NO_RELATIONS,
    emptied: finished.emptied ?? 0,
  };
  if (!dryRun) {
    await appendRunLog(deps, {
      id: request.entryId,
      kind: 'import',
      account: account.name,
      report,
      details: importLogDetails(report, startedAt, request.archiveUpTo),
      isComplete: failure === undefined && tally.gapsTotal === 0,
      part: request.part,
      bookmark: changes.change(report.status),
    });
  }
  return report;
}

/** The stages between the source and the store, in the order in which records pass them. */
async function stagesOf(run: ImportRun): Promise<Stage> {
  const { options, parts } = run;
  const stages: readonly ((run: ImportRun, next: Stage) => Stage | Promise<Stage>)[] = [
    // A record that fills all hosts whose names end with its own is not a host.
    ...(fillsSection(run) && options.inventorize_match_by_domain ? [] : [keyedRecords]),
    ...(parts.length === 0 ? [] : [recordsOfParts]),
    relatedRecords,
    spelledNames,
    typedRecords,
  ];
  const owned = options.mode === 'own' ? ownHosts : contributedLabels;
  let first = fillsSection(run) ? await hostSections(run) : owned(run);
  for (const stage of stages.toReversed()) first = await stage(run, first);
  return first;
}

function fillsSection({ options, inventorize }: Pick<ImportRequest, 'options' | 'inventorize'>): boolean {
  return options.fills === 'section' || inventorize === true;
}

async function openRun(
  { clock, newId, openScratch }: ImportDeps,
  request: ImportRequest,
  opened: Pick<ImportRun, 'stores' | 'tally' | 'changes' | 'startedAt'>,
): Promise<ImportRun> {
  const { account, options, source, parts = [], part, section, collectTemplate, inventorize = false } = request;
  return {
    ...opened,
    clock,
    openScratch,
    id: newId(),
    account,
    actor: { kind: 'account', name: account.name },
    options,
    activeBefore: await opened.stores.hosts.count(activeOf(account.id)),
    owns: options.mode === 'own' && !fillsSection(request),
    inventorize,
    archiveUpTo: request.archiveUpTo,
    section,
    collectTemplate,
    parts,
    unread: source.parts === undefined ? [] : parts.filter((id) => !source.parts?.includes(id)),
    part,
  };
}

async function readAndFinish(run: ImportRun, request: ImportRequest): Promise<FinishResult> {
  const { options, tally, changes, activeBefore } = run;
  const stage = await stagesOf(run);
  const preparer = new RecordPreparer(request);
  const pump = new RecordPump({ stage, tally, changes, preparer });
  const progress = request.progress ?? (() => undefined);
  // An account without a host has lost what it read before, and a list of changed records alone would lose the others.
  const readsAll = (activeBefore === 0 && options.mode === 'own') || options.list_labels.length > 0;
  const since = readsAll ? undefined : await changes.since();
  await pump.run(gatheredSource(request.source, options, preparer), {
    signal: request.signal,
    ...(request.part === undefined ? {} : { part: request.part }),
    ...(fillsSection(request) ? { inventorizes: true } : {}),
    ...(since === undefined ? {} : { since }),
    progress: (done, total) =>
      progress(total === undefined ? { seen: tally.seen, done } : { seen: tally.seen, done, total }),
  });
  // Without the unchanged records, the full content of the source is unknown.
  if (changes.changesOnly) return NOTHING_FINISHED;
  requireUsable(tally, { usable: pump.usable, mayBeEmpty: options.allow_empty });
  if (tally.gapsTotal > 0) return NOTHING_FINISHED;
  if (pump.unsureOfNames === undefined) return stage.finish(await sparedHosts(run, pump));
  const { delete_host_if_not_found_on_import: archives } = options;
  return { ...NOTHING_FINISHED, ...(archives ? { refusal: pump.unsureOfNames } : {}) };
}

const KEYS_A_READ = 500;

/** Hosts that the source still has: it named them and they were not written, or a record without a name has their key. */
async function sparedHosts({ stores }: ImportRun, { except, namelessKeys }: RecordPump): Promise<ReadonlySet<string>> {
  const keys = [...namelessKeys];
  for (let start = 0; start < keys.length; start += KEYS_A_READ) {
    for (const { hostname } of await stores.marks.holders(keys.slice(start, start + KEYS_A_READ))) except.add(hostname);
  }
  return except;
}

/** A source that gave nothing that could become a host is a failed one, whatever it said. */
function requireUsable(
  tally: ImportTally,
  { usable, mayBeEmpty }: { readonly usable: number; readonly mayBeEmpty: boolean },
): void {
  if (usable > 0) return;
  const count = tally.seen;
  const [first] = tally.records;
  if (count > 0) {
    const none =
      count === 1
        ? worded`the only record can become no host`
        : worded`none of the ${{ count }} records can become a host`;
    throw new AppError(
      'failed',
      first === undefined
        ? worded`${{ none }}; check the account's options`
        : worded`${{ none }} (${{ position: first.position }}: ${{ reason: first.reason }}); check the account's options`,
    );
  }
  const [why] = gapsWording(tally.gaps, tally.gapsTotal);
  if (why !== undefined) throw new AppError('failed', worded`the source gave no record: ${{ why }}`);
  if (mayBeEmpty) return;
  if (tally.leftOut > 0) {
    throw new AppError(
      'failed',
      tally.leftOut === 1
        ? worded`the only record of the source is ${{ reason: tally.leftOutReason }}; if that is intended, set allow_empty of the account`
        : worded`all ${{ count: tally.leftOut }} records of the source are ${{ reason: tally.leftOutReason }}; if that is intended, set allow_empty of the account`,
    );
  }
  throw new AppError('failed', worded`the source has no records; if that is intended, set allow_empty of the account`);
}

const NONE_UNSEEN = { count: 0, sample: [] };
const NO_RELATIONS: RelationCounts = { added: 0, removed: 0 };

/** Sections are always filled from a full read: a host's content may be spread over several records. */
function readingChanges({ logs }: ImportStores, request: ImportRequest, startedAt: Date): ReadingChanges {
  const { account, part } = request;
  const changes = fillsSection(request) ? undefined : request.changes;
  return new ReadingChanges({ request: changes, logs, account: account.name, part, startedAt });
}

/**
 * Returns the clock of one run, which never goes backwards: a run detects what it did not see by a time before its start, and a
 * change of the clock must not make seen hosts look unseen.
 */
function runClock(clock: Clock): Clock {
  let latest = 0;
  return {
    now() {
      latest = Math.max(latest, clock.now().getTime());
      return new Date(latest);
    },
  };
}

function failureOf(error: unknown, signal: AbortSignal, logger: Logger): { said: Said; cancelled: boolean } {
  // The storage was away for so long that another process may have begun the same import.
  if (signal.aborted && isUnavailable(signal.reason)) return { said: saidBy(signal.reason), cancelled: false };
  if (signal.aborted) return { said: worded`the import was cancelled; nothing was archived`, cancelled: true };
  if (error instanceof AppError && error.code !== 'internal') return { said: saidBy(error), cancelled: false };
  logger.error('import failed unexpectedly', { error });
  return { said: worded`the import failed for an unexpected reason; the program log has details`, cancelled: false };
}
