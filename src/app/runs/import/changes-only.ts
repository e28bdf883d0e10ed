import type { ImportReport } from '../../../kit/summaries/import-summary.ts';
import { secondsOf } from '../../../kit/words/moment.ts';
import { AppError, type ImportBookmark, type LogStore, type SourceBookmark } from '../../../ports/index.ts';
import { type BookmarkChange, bookmarksOf } from '../../journal/bookmarks.ts';
import { runLogSource } from '../../journal/run-log.ts';

/** Settings of an account whose source can read only the changes. */
export interface ChangesRequest {
  /** After how many hours everything is read again; 0: each time. */
  readonly wholeReadHours: number;
  /** The state of the account: what it read before it was changed says nothing of what it reads now. */
  readonly account: string;
  /** Everything is to be read, whatever there is to go on from. */
  readonly full: boolean;
}

export interface ChangesRun {
  readonly request: ChangesRequest | undefined;
  readonly logs: Pick<LogStore, 'latest'>;
  readonly account: string;
  readonly part: string | undefined;
  readonly startedAt: Date;
}

const HOUR = 3_600_000;

/** Decides whether a run reads everything or only the changes, and from where the next one continues. */
export class ReadingChanges {
  readonly #run: ChangesRun;
  #since: ImportBookmark | undefined;
  #given: SourceBookmark | undefined;
  #isUndecided = false;

  constructor(run: ChangesRun) {
    this.#run = run;
  }

  /** Returns the bookmark from which the source may continue; `undefined` if a full read is due. */
  async since(): Promise<string | undefined> {
    const { request, logs, account, part, startedAt } = this.#run;
    if (request === undefined || request.full || request.wholeReadHours === 0) return undefined;
    const [entry] = await logs.latest({ limit: 1, source: runLogSource('import', account) });
    const known = entry === undefined ? [] : bookmarksOf(entry);
    const found = known.find((each) => each.part === part && each.account === request.account);
    const age = found === undefined ? Number.NaN : startedAt.getTime() - Date.parse(found.wholeAt);
    // A clock that was set back must not put the next whole read off.
    if (!(age >= 0 && age < request.wholeReadHours * HOUR)) return undefined;
    this.#since = found;
    return found?.text;
  }

  /** Takes the source's bookmark for this run, which must come before any record. */
  begin(bookmark: SourceBookmark, isFirst: boolean): void {
    const fault = !isFirst
      ? 'gave its bookmark after records'
      : bookmark.changesOnly && this.#since === undefined
        ? 'reads only what changed although everything was asked for'
        : undefined;
    if (fault !== undefined) throw new AppError('failed', `the source ${fault}; its plugin has to be fixed`);
    this.#given = bookmark;
  }

  get changesOnly(): boolean {
    return this.#given?.changesOnly === true;
  }

  /** Something was found that only a run can decide which reads everything: the next one does. */
  undecided(): void {
    this.#isUndecided = true;
  }

  /** For the entry of the run. */
  change(status: ImportReport['status']): BookmarkChange | undefined {
    const { request, part, startedAt } = this.#run;
    if (request === undefined) return undefined;
    const { account } = request;
    if (this.#isUndecided) return { account, next: null };
    const given = this.#given;
    if (status !== 'done' || given === undefined) return { account };
    const wholeAt = given.changesOnly && this.#since !== undefined ? this.#since.wholeAt : secondsOf(startedAt);
    return { account, next: { text: given.text, wholeAt, account, ...(part !== undefined && { part }) } };
  }
}
