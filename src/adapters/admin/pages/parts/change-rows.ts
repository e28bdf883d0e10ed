export interface Change {
  readonly path: string;
  /** Absent if there was no value. */
  readonly before?: unknown;
  /** Absent if there is no value any more. */
  readonly after?: unknown;
}

/** The lines that are shown of changes. */
export function changeRows(changes: readonly Change[]): readonly Change[] {
  return changes.flatMap(inParts);
}

/** Lists of objects element by element, so that a change in one does not show all of them twice. */
function inParts(change: Change): readonly Change[] {
  const { path, before, after } = change;
  if (isParted(before) && isParted(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => {
      const old = before[name];
      const now = after[name];
      if (JSON.stringify(old) === JSON.stringify(now)) return [];
      const part = { ...(old === undefined ? {} : { before: old }), ...(now === undefined ? {} : { after: now }) };
      return inParts({ path: `${path}.${name}`, ...part });
    });
  }
  return [change];
}

type Parted = Readonly<Record<string, unknown>>;

/** Objects, and lists of objects. */
function isParted(value: unknown): value is Parted {
  if (Array.isArray(value)) return value.some((item) => typeof item === 'object' && item !== null);
  return typeof value === 'object' && value !== null;
}
