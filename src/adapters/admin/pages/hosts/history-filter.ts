import type { OfferedOutput } from '../../offered-operations.ts';
import { kindWord, makerText } from './history-words.ts';

export type Change = OfferedOutput<'hosts/host-history'>['changes'][number];
export type ChangedValue = Change['changes'][number];

interface Wanted {
  /** Empty: all of them. */
  readonly kinds: readonly string[];
  readonly text: string;
}

/** Returns the changes of these kinds that contain the text, in their author, in a path or in a value. */
export function narrowed(changes: readonly Change[], { kinds, text }: Wanted): readonly Change[] {
  const sought = text.trim().toLowerCase();
  return changes.filter(
    (change) => (kinds.length === 0 || kinds.includes(change.kind)) && (sought === '' || holds(change, sought)),
  );
}

function holds({ kind, by, changes }: Change, sought: string): boolean {
  const texts = [kind, kindWord(kind), by, makerText(by), JSON.stringify(changes)];
  return texts.join('\n').toLowerCase().includes(sought);
}

/**
 * Returns the differences between two moments, from changes that are newest first: those after `from`, up to `to`, combined. A
 * value that was changed and changed back does not differ.
 */
export function between(changes: readonly Change[], from: string, to: string): readonly ChangedValue[] {
  const values = new Map<string, { before: unknown; after: unknown }>();
  const inTime = changes.filter(({ time }) => time > from && time <= to).toReversed();
  for (const change of inTime) {
    for (const { path, before, after } of change.changes) {
      const known = values.get(path);
      values.set(path, { before: known === undefined ? before : known.before, after });
    }
  }
  return [...values]
    .filter(([, { before, after }]) => JSON.stringify(before) !== JSON.stringify(after))
    .map(([path, { before, after }]) => ({
      path,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    }))
    .sort((left, right) => (left.path < right.path ? -1 : 1));
}
