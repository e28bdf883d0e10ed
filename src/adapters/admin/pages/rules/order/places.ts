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

/** The rules as they stand once they have moved, as far as they are here. */
export function afterMove<Rule extends Placed>(rules: readonly Rule[], { rules: moved, place }: Step): readonly Rule[] {
  const taken = rules.filter(({ id }) => moved.includes(id));
  const rest = rules.filter(({ id }) => !moved.includes(id));
  if (place.to !== undefined) return place.to === 'first' ? [...taken, ...rest] : [...rest, ...taken];
  const at = rest.findIndex(({ id }) => id === (place.before ?? place.after));
  if (at === -1) return rules;
  const index = place.before === undefined ? at + 1 : at;
  return [...rest.slice(0, index), ...taken, ...rest.slice(index)];
}

/** The steps that bring rules back to where they are now, wherever they went meanwhile: those that stand together go together. */
export function wayBack(rules: readonly Placed[], moved: ReadonlySet<string>): readonly Step[] {
  const steps: { rules: string[]; place: PlaceInput }[] = [];
  for (const [index, { id }] of rules.entries()) {
    if (!moved.has(id)) continue;
    const before = rules[index - 1];
    if (before !== undefined && moved.has(before.id)) steps.at(-1)?.rules.push(id);
    else steps.push({ rules: [id], place: before === undefined ? placeBefore(rules, moved) : { after: before.id } });
  }
  return steps;
}

/** Of rules that come first here. Others may stand before all of these. */
function placeBefore(rules: readonly Placed[], moved: ReadonlySet<string>): PlaceInput {
  const next = rules.find(({ id }) => !moved.has(id));
  return next === undefined ? { to: 'first' } : { before: next.id };
}
