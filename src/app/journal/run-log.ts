import { messageOf, type Said, saidIn, worded } from '../../kit/worded.ts';
import { secondsOf } from '../../kit/words/moment.ts';
import type {
  Clock,
  IncompleteRuns,
  LogDetail,
  LogEntry,
  Logger,
  LogStore,
  UndoneImport,
  Wording,
  WordingParts,
} from '../../ports/index.ts';
import { type BookmarkChange, bookmarkLines, bookmarksOf } from './bookmarks.ts';
import { writeEntry } from './late-entry.ts';
import { incompleteWording, whatStandsWording } from './words.ts';

/** The direction of hosts through an account: into the store, or out of it. */
export type RunKind = 'import' | 'export';

/** The ident that an account's imports or exports log under. */
export function runLogSource(kind: RunKind, account: string): string {
  return `${kind}:${account}`;
}

/** The component that a group's runs log as. */
export function groupLogSource(name: string): string {
  return `cron:${name}`;
}

/**
 * `cancelled`: the run was stopped, or the program ended; `undone`: the import was undone; `waiting`: the export made a plan that
 * needs approval; `discarded`: the plan that the export left was rejected.
 */
export const LOGGED_OUTCOMES = ['done', 'partial', 'failed', 'cancelled', 'undone', 'waiting', 'discarded'] as const;

export type RunOutcome = (typeof LOGGED_OUTCOMES)[number];

/** The members that the report of every run has. */
export interface RunReport {
  readonly status: 'done' | 'partial' | 'failed';
  /** One line for people. */
  readonly message: string;
  readonly wording?: WordingParts | undefined;
  /** True for a run that failed because it was stopped. */
  readonly cancelled?: boolean;
  /** The plan that an export left and did not apply. */
  readonly plan?: string | undefined;
  /** Whether that plan only waits for approval. */
  readonly waits?: boolean | undefined;
}

export interface RunLogDeps {
  readonly logs: LogStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** 24 hex digits, new each time. */
  newId(): string;
  /** How long the end of a run waits for its entry; absent: twenty seconds. */
  readonly longestWaitMs?: number | undefined;
}

interface EndedRun {
  /** Id of the entry; absent: a new one. */
  readonly id?: string | undefined;
  readonly kind: RunKind;
  readonly account: string;
  readonly report: RunReport;
  readonly details: LogDetail[];
  /** Whether it did all that it was to do with what is not there any more; absent: unless it failed. */
  readonly isComplete?: boolean;
  /** The one part of a source that it read. What is incomplete of others stays so. */
  readonly part?: string | undefined;
  /** Imports: what happens to the bookmarks of the account; absent: they stay. */
  readonly bookmark?: BookmarkChange | undefined;
}

/** Writes the entry of a run that has ended. See `writeEntry` for a storage that is away. */
export async function appendRunLog(deps: RunLogDeps, run: EndedRun): Promise<void> {
  const { logs, clock, newId, logger, longestWaitMs } = deps;
  const { kind, account, report, isComplete = report.status !== 'failed', part, bookmark } = run;
  const { id = newId() } = run;
  const isAlone = isComplete && part === undefined && kind === 'export';
  await writeEntry({ logger, about: { kind, account }, longestWaitMs }, async (isAgain) => {
    // When it is written, and not when the run ended: who looks for what is new looks behind the last look.
    const at = clock.now();
    const entry = runLogEntry({ id, at }, run);
    const [before] = isAlone && !isAgain ? [] : await logs.latest({ limit: 1, source: entry.source });
    if (before?.id === id) return;
    const still = before === undefined || (isComplete && part === undefined) ? [] : stillIncomplete(before, part);
    const all = isComplete ? still : [oneMore(before, at, part), ...still];
    const bookmarks = bookmarkLines(before === undefined ? [] : bookmarksOf(before), bookmark, part);
    await logs.append({ ...entry, details: [...entry.details, ...incompleteLines(all), ...bookmarks] });
  });
}

interface DiscardedPlan {
  readonly account: string;
  /** Its id. */
  readonly plan: string;
  /** Whether some of it was applied, which stays. */
  readonly isBegun: boolean;
  readonly by: string;
}

/**
 * Writes that the plan left by the newest export of an account was discarded. Incomplete work stays so, but needs no attention
 * any more. Plans made without an export have no entry to answer.
 */
export async function appendDiscardLog(
  { logs, clock, logger, newId }: RunLogDeps,
  { account, plan, isBegun, by }: DiscardedPlan,
): Promise<void> {
  const source = runLogSource('export', account);
  try {
    const [before] = await logs.latest({ limit: 1, source });
    if (before === undefined || planOf(before) !== plan) return;
    const said = isBegun
      ? worded`${{ by }} discarded the rest of plan ${{ id: plan }}`
      : worded`${{ by }} discarded plan ${{ id: plan }}, and nothing was written`;
    const details: LogDetail[] = [
      { level: 'info', ...messageOf(said) },
      ...incompleteLines(stillIncomplete(before, null)),
    ];
    const head = messageOf(HEADS.export.discarded(account, said));
    await logs.append({ id: newId(), at: clock.now(), ...head, source, details, hasError: false });
  } catch (error) {
    logger.error('the log entry of a discarded plan could not be written', { account, error });
  }
}

function planOf({ details }: LogEntry): string | undefined {
  return details.find(({ plan }) => plan !== undefined)?.plan;
}

interface UndoneRun {
  /** The entry of the import, and when it ended. */
  readonly id: string;
  readonly at: Date;
  readonly account: string;
  /** Names the import and the undone changes. */
  readonly said: Said;
  readonly leftAlone: readonly { readonly hostname: string; readonly reason: string }[];
}

/**
 * Writes that an import was undone. The bookmarks are dropped: more is missing here now than the source's changes since it was
 * read, so the next import reads everything.
 */
export async function appendUndoLog({ logs, clock, logger, newId }: RunLogDeps, undone: UndoneRun): Promise<void> {
  const source = runLogSource('import', undone.account);
  try {
    const newest = await logs.latest({ limit: MOST_LOOKED_AT, source });
    const [before] = newest;
    const still = before === undefined ? [] : incompleteBesides(before, undone.id);
    const undid: UndoneImport = {
      id: undone.id,
      at: undone.at.toISOString(),
      lastComplete: lastCompleteBesides(newest, undone.id),
    };
    const details: LogDetail[] = [
      { level: 'info', ...messageOf(whatStandsWording(undid)), undid },
      ...undone.leftAlone.map(({ hostname, reason }) => ({
        level: 'warning' as const,
        message: `${hostname}: ${reason}`,
      })),
      ...incompleteLines(still),
    ];
    const said = HEADS.import.undone(undone.account, undone.said);
    await logs.append({ id: newId(), at: clock.now(), ...messageOf(said), source, details, hasError: false });
  } catch (error) {
    logger.error('the log entry of an undone run could not be written', { account: undone.account, error });
  }
}

/** How many of the newest entries of an account's imports are searched for the end of the last complete one. */
const MOST_LOOKED_AT = 50;

/** End of the newest complete import that was not undone; `null` if these entries have none. */
function lastCompleteBesides(newest: readonly LogEntry[], undone: string): string | null {
  const takenBack = new Set([undone, ...newest.flatMap((entry) => undidOf(entry)?.id ?? [])]);
  const standing = newest.find((entry) => {
    if (takenBack.has(entry.id) || runOutcomeOf(entry) === 'undone') return false;
    return allIncomplete(entry).every(({ part }) => part !== undefined);
  });
  return standing === undefined ? null : secondsOf(standing.at);
}

/** The import that the run of an entry undid; `undefined` for all other runs. */
export function undidOf({ details }: Pick<LogEntry, 'details'>): UndoneImport | undefined {
  return details.find(({ undid }) => undid !== undefined)?.undid;
}

/** Incomplete runs that stay after an undo. Those of the undone import are not reported, but the next import counts them. */
function incompleteBesides(before: LogEntry, undone: string): readonly IncompleteRuns[] {
  const isReported = before.id === undone || runOutcomeOf(before) === 'undone';
  return isReported ? allIncomplete(before) : stillIncomplete(before, null);
}

/**
 * The incomplete runs by the newest entry of an account's imports or exports, with the result of the newest; `undefined` if all
 * were complete. Of several parts of a source, the one that has been incomplete longest. An undone import does not count.
 */
export function incompleteRunsOf(
  entry: LogEntry,
): (IncompleteRuns & { readonly message: string; readonly wording?: WordingParts | undefined }) | undefined {
  const isUndone = runOutcomeOf(entry) === 'undone';
  const reported = allIncomplete(entry).filter(({ message }) => !isUndone || message !== undefined);
  const [longest] = reported.sort((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : 0));
  if (longest === undefined) return undefined;
  const { message } = longest;
  return message === undefined
    ? { ...longest, message: entry.message, wording: entry.wording }
    : { ...longest, message };
}

function incompleteLines(runs: readonly IncompleteRuns[]): LogDetail[] {
  return runs.map((incomplete) => ({
    level: 'info',
    ...messageOf(incompleteWording(incomplete)),
    incomplete,
  }));
}

function allIncomplete({ details }: LogEntry): IncompleteRuns[] {
  return details.flatMap(({ incomplete }) => incomplete ?? []);
}

/** Incomplete runs that a run of this part does not affect; `null`: all of them. */
function stillIncomplete(before: LogEntry, part: string | undefined | null): readonly IncompleteRuns[] {
  return allIncomplete(before)
    .filter((known) => known.part !== part)
    .map((known) => ({ ...known, message: known.message ?? before.message }));
}

/** Includes the run that ends now. The entry before holds enough: no further one is read, however long this continues. */
function oneMore(before: LogEntry | undefined, at: Date, part: string | undefined): IncompleteRuns {
  const known = before === undefined ? undefined : allIncomplete(before).find((each) => each.part === part);
  if (known !== undefined) {
    const { since, runs, lastComplete } = known;
    return { since, runs: runs + 1, lastComplete, ...(part !== undefined && { part }) };
  }
  return {
    since: secondsOf(at),
    runs: 1,
    lastComplete: before === undefined ? null : completeBy(before),
    ...(part !== undefined && { part }),
  };
}

/** End of the last complete run, by an entry without incomplete ones; `null` if it was undone and no other is known. */
function completeBy(before: LogEntry): string | null {
  return runOutcomeOf(before) === 'undone' ? (undidOf(before)?.lastComplete ?? null) : secondsOf(before.at);
}

/** The result of a run that was not undone since. */
export type EndedStatus = RunReport['status'] | 'waiting';

/** The run of an account whose end an entry records; `undefined` for other entries. */
export function endedRunOf({
  source,
  message,
}: Pick<LogEntry, 'source' | 'message'>): { kind: RunKind; account: string; status: EndedStatus } | undefined {
  const run = endingOf(source, message);
  if (run === undefined) return undefined;
  const { kind, account, ending } = run;
  // These entries record later decisions.
  if (ending === 'undone' || ending === 'discarded') return undefined;
  return { kind, account, status: ending === 'cancelled' ? 'failed' : ending };
}

function endingOf(
  source: string,
  message: string,
): { readonly kind: RunKind; readonly account: string; readonly ending: RunOutcome } | undefined {
  for (const kind of RUN_KINDS) {
    const prefix = runLogSource(kind, '');
    if (!source.startsWith(prefix)) continue;
    const account = source.slice(prefix.length);
    const heads: Readonly<Partial<Record<RunOutcome, Head>>> = HEADS[kind];
    const ending = LOGGED_OUTCOMES.find((each) => {
      const head = heads[each];
      return head !== undefined && message.startsWith(head(account, '').text);
    });
    if (ending !== undefined) return { kind, account, ending };
  }
  return undefined;
}

/** The result of a run, by its entry in the log of an account's imports or exports. */
export function runOutcomeOf({
  source,
  message,
  hasError,
}: Pick<LogEntry, 'source' | 'message' | 'hasError'>): RunOutcome {
  const ending = endingOf(source, message)?.ending;
  if (ending === undefined || ending === 'done' || ending === 'failed') return hasError ? 'failed' : 'done';
  return ending;
}

/** The cron group whose run an entry records; `undefined` for other entries. */
export function endedGroupOf({
  source,
  hasError,
}: Pick<LogEntry, 'source' | 'hasError'>): { name: string; failed: boolean } | undefined {
  const prefix = groupLogSource('');
  return source.startsWith(prefix) ? { name: source.slice(prefix.length), failed: hasError } : undefined;
}

const RUN_KINDS: readonly RunKind[] = ['import', 'export'];

type Head = (account: string, said: Said) => Wording;

/** Entries are distinguished by these beginnings. */
const HEADS = {
  import: {
    done: (account, said) => worded`Import of ${{ account }} done: ${{ said }}`,
    partial: (account, said) => worded`Import of ${{ account }} partly done: ${{ said }}`,
    failed: (account, said) => worded`Import of ${{ account }} failed: ${{ said }}`,
    cancelled: (account, said) => worded`Import of ${{ account }} cancelled: ${{ said }}`,
    undone: (account, said) => worded`Import of ${{ account }} undone: ${{ said }}`,
  },
  export: {
    done: (account, said) => worded`Export of ${{ account }} done: ${{ said }}`,
    partial: (account, said) => worded`Export of ${{ account }} partly done: ${{ said }}`,
    failed: (account, said) => worded`Export of ${{ account }} failed: ${{ said }}`,
    cancelled: (account, said) => worded`Export of ${{ account }} cancelled: ${{ said }}`,
    waiting: (account, said) => worded`Export of ${{ account }} waits: ${{ said }}`,
    discarded: (account, said) => worded`Export of ${{ account }} discarded: ${{ said }}`,
  },
} satisfies Readonly<Record<RunKind, Readonly<Partial<Record<RunOutcome, Head>>>>>;

/** The consequence of a cancelled run for its unfinished work. */
const LEFT: Readonly<Record<RunKind, Wording>> = {
  import: worded`nothing was archived`,
  export: worded`the next run completes it`,
};

/** The text of a run's entry after its head, if the entry has its parts. */
export function innerWordingOf({ wording }: Pick<LogEntry, 'wording'>): WordingParts | undefined {
  const said = wording?.values['said'];
  return typeof said === 'object' ? { template: said.template, values: said.values } : undefined;
}

function runLogEntry(
  { id, at }: Pick<LogEntry, 'id' | 'at'>,
  { kind, account, report, details: more }: EndedRun,
): LogEntry {
  const { status, plan, waits = false } = report;
  const said = saidIn(report);
  const why: LogDetail = {
    level: waits ? 'warning' : 'error',
    ...messageOf(said),
    ...(plan !== undefined && { plan }),
  };
  const details: LogDetail[] = status === 'failed' ? [why, ...more] : more;
  const head = headOf(kind, account, report);
  return {
    id,
    at,
    ...messageOf(head),
    source: runLogSource(kind, account),
    details,
    hasError: details.some(({ level }) => level === 'error'),
  };
}

function headOf(kind: RunKind, account: string, report: RunReport): Wording {
  if (report.cancelled === true) return HEADS[kind].cancelled(account, LEFT[kind]);
  const said = saidIn(report);
  return report.waits === true ? HEADS.export.waiting(account, said) : HEADS[kind][report.status](account, said);
}
