import { compareEnvelopes, type RuleEnvelope } from './engine/envelope.ts';

/** The position to which rules move among the others of their type. */
export type Place = 'first' | 'last' | { readonly before: string } | { readonly after: string };

type Ordered = Pick<RuleEnvelope, 'id' | 'name' | 'sortField'>;

export interface NewPosition {
  readonly id: string;
  readonly sortField: number;
}

const STEP = 10;

/**
 * The positions that bring the rules to their place, together and in the order in which they run now, with as few other rules
 * changed as a gap allows. In the order in which they are to be written: after each of them the others still run in their order. The
 * place must not be one of the moved rules.
 */
export function newPositions(
  rules: readonly Ordered[],
  moved: ReadonlySet<string>,
  place: Place,
): readonly NewPosition[] {
  const now = rules.toSorted((a, b) => compareEnvelopes(whole(a), whole(b)));
  const taken = now.filter(({ id }) => moved.has(id));
  const rest = now.filter(({ id }) => !moved.has(id));
  const index = indexOf(rest, place);
  const wanted = [...rest.slice(0, index), ...taken, ...rest.slice(index)];
  if (wanted.every(({ id }, position) => id === now[position]?.id)) return [];
  const before = rest[index - 1]?.sortField;
  const after = rest[index]?.sortField;
  const values = valuesBetween(before, after, taken.length);
  const placed = taken
    .map(({ id }, position) => ({ id, sortField: values[position] as number }))
    .filter(({ sortField }, position) => sortField !== taken[position]?.sortField);
  return [...pushed(rest.slice(index), values.at(-1) ?? 0).toReversed(), ...placed];
}

function whole({ id, name, sortField }: Ordered): RuleEnvelope {
  return { id, name, sortField, enabled: true, lastMatch: false, mode: undefined };
}

function indexOf(rest: readonly Ordered[], place: Place): number {
  if (place === 'first') return 0;
  if (place === 'last') return rest.length;
  return 'before' in place
    ? rest.findIndex(({ id }) => id === place.before)
    : rest.findIndex(({ id }) => id === place.after) + 1;
}

/** Returns positions spread evenly over the gap if there is room, or else after the preceding rule. */
function valuesBetween(before: number | undefined, after: number | undefined, count: number): readonly number[] {
  const numbers = Array.from({ length: count }, (_, position) => position + 1);
  if (before === undefined && after !== undefined) {
    // Positions below zero are for those that have no other way to be first.
    const step = Math.floor(after / (count + 1));
    if (step > 0) return numbers.map((number) => number * Math.min(step, STEP));
    return numbers.map((number) => after - (count - number + 1) * STEP);
  }
  const start = before ?? 0;
  const room = after === undefined ? STEP : Math.floor((after - start) / (count + 1));
  const step = room > 0 ? Math.min(room, STEP) : STEP;
  return numbers.map((number) => start + number * step);
}

/** Those behind, as far as they are in the way. Rules of one position stay of one, in the order of their names. */
function pushed(behind: readonly Ordered[], last: number): readonly NewPosition[] {
  const changed: NewPosition[] = [];
  let lowest = last;
  let old: number | undefined;
  for (const { id, sortField } of behind) {
    if (sortField === old) {
      changed.push({ id, sortField: lowest });
      continue;
    }
    if (sortField > lowest) break;
    old = sortField;
    lowest += STEP;
    changed.push({ id, sortField: lowest });
  }
  return changed;
}
