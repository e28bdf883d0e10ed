import type { Field } from '../forms/schema.ts';

/** What is set in the form of an account. */
export interface ChosenOptions {
  /** What counts of an option now, as text. */
  readonly current: (name: string) => string;
  /** Whether an option is shown whatever else is chosen: it is set, was set when the form came, or was refused. */
  readonly isKept: (name: string) => boolean;
  /** The same without what was entered since, which stays in its place while somebody types. */
  readonly wasSet: (name: string) => boolean;
}

interface OptionGroups {
  readonly usual: readonly Field[];
  readonly rare: readonly Field[];
}

/** Names of the options that have no effect with what is chosen and are not kept. */
export function idleOptions(
  fields: readonly Field[],
  { current, isKept }: Pick<ChosenOptions, 'current' | 'isKept'>,
): ReadonlySet<string> {
  const idle = fields.filter(
    ({ name, when }) =>
      !isKept(name) && Object.entries(when).some(([other, values]) => !values.includes(current(other))),
  );
  return new Set(idle.map(({ name }) => name));
}

/** The options that are not idle, in their order; apart from the usual ones those that few people need. */
export function optionGroups(fields: readonly Field[], chosen: ChosenOptions): OptionGroups {
  const idle = idleOptions(fields, chosen);
  const isFolded = ({ name, isRare }: Field): boolean => isRare && !chosen.wasSet(name);
  const shown = fields.filter(({ name }) => !idle.has(name));
  return { usual: shown.filter((field) => !isFolded(field)), rare: shown.filter(isFolded) };
}
