import type { OfferedInput } from '../../../offered-operations.ts';

type PlaceInput = Pick<OfferedInput<'rules/move-rules'>, 'before' | 'after' | 'to'>;

/** Rules that go to a place together, in the order that they have. */
export interface Step {
  readonly rules: readonly string[];
  readonly place: PlaceInput;
}

interface Placed {
  readonly id: string;
}

/** Returns the rules in their order after the move, as far as they are loaded. */
export function afterMove<Rule extends Placed>(rules: readonly Rule[], { rules: moved, place }: Step): readonly Rule[] {
  const taken = rules.filter(({ id }) => moved.includes(id));
  const rest = rules.filter(({ id }) => !moved.includes(id));
  if (place.to !== undefined) return place.to === 'first' ? [...taken, ...rest] : [...rest, ...taken];
  const at = rest.findIndex(({ id }) => id === (place.before ?? place.after));
  if (at === -1) return rules;
  const index = place.before === undefined ? at + 1 : at;
  return [...rest.slice(0, index), ...taken, ...rest.slice(index)];
}

/**
 * Returns the step for rules dropped at the place of another one, in the order of the list. A drop on one of the moved rules goes
 * next to the nearest rule that stays. `undefined` if none would stay.
 */
export function dropped(
  rules: readonly Placed[],
  moved: ReadonlySet<string>,
  { id, over }: { readonly id: string; readonly over: string },
): Step | undefined {
  const indexOf = (wanted: string): number => rules.findIndex((rule) => rule.id === wanted);
  const at = indexOf(over);
  const stays = (rule: Placed): boolean => !moved.has(rule.id);
  const before = rules.slice(0, at + 1).findLast(stays);
  const behind = rules.slice(at).find(stays);
  const isDown = indexOf(id) < at;
  const anchor = isDown ? (before ?? behind) : (behind ?? before);
  if (anchor === undefined) return undefined;
  const isAfter = isDown ? before !== undefined : behind === undefined;
  return { rules: [...moved], place: isAfter ? { after: anchor.id } : { before: anchor.id } };
}
