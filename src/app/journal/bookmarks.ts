import { messageOf, worded } from '../../kit/worded.ts';
import { momentText } from '../../kit/words/moment.ts';
import type { ImportBookmark, LogDetail, LogEntry, Wording } from '../../ports/index.ts';

/** The change that a run of an account makes to the bookmarks in the newest entry of its imports. */
export interface BookmarkChange {
  /** The state of the account that was read: bookmarks of others are worth nothing any more. */
  readonly account: string;
  /** The place from which the next run of the same part may continue; `null`: it reads everything; absent: as before. */
  readonly next?: ImportBookmark | null | undefined;
}

export function bookmarksOf(entry: LogEntry): readonly ImportBookmark[] {
  return entry.details.flatMap(({ bookmark }) => bookmark ?? []);
}

/** The lines of a new entry that keep what was known, and what this run adds. */
export function bookmarkLines(
  known: readonly ImportBookmark[],
  change: BookmarkChange | undefined,
  part: string | undefined,
): LogDetail[] {
  const kept =
    change === undefined
      ? known
      : known.filter((each) => each.account === change.account && (change.next === undefined || each.part !== part));
  const all = change?.next == null ? kept : [...kept, change.next];
  return all.map((bookmark) => ({ level: 'info', ...messageOf(bookmarkWording(bookmark)), bookmark }));
}

function bookmarkWording({ part, wholeAt }: ImportBookmark): Wording {
  const at = momentText(wholeAt);
  return part === undefined
    ? worded`the next import may read only what changed; everything was read at ${{ at }}`
    : worded`the next import may read only what changed; all of ${{ part }} was read at ${{ at }}`;
}
