import { HEADINGS } from '../../../../kit/words/headings.ts';
import type { Field } from '../forms/schema.ts';
import { textOf } from '../language/service-texts.ts';

/** Options set in the form of an account. */
export interface ChosenOptions {
  /** Returns the effective value of an option, as text. */
  readonly current: (name: string) => string;
  /** Whether an option is always shown: it is set, was set when the form opened, or was refused. */
  readonly isKept: (name: string) => boolean;
  /** The same without recent input, so that the field stays in its place during typing. */
  readonly wasSet: (name: string) => boolean;
}

export interface OptionGroup {
  /** Title in words; empty for options without a heading. */
  readonly title: string;
  readonly shown: readonly Field[];
  /** Options with their default that need no attention. */
  readonly folded: readonly Field[];
}

/** Returns the names of options without effect under the present choices that are not kept either. */
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

/** Whether a value differs from the one that applies by default. */
export function differs({ fallback, required }: Field, value: string): boolean {
  return !required && value !== '' && value !== fallback;
}

/**
 * Returns the options that are not idle, by their headings. Shown are those that are required, listed first, or different from
 * their default, and those whose effect depends on one of these.
 */
export function optionGroups(
  fields: readonly Field[],
  { isAsked, ...chosen }: ChosenOptions & { readonly isAsked: (field: Field) => boolean },
): readonly OptionGroup[] {
  const idle = idleOptions(fields, chosen);
  const byName = new Map(fields.map((field) => [field.name, field]));
  const isShown = (field: Field): boolean =>
    isAsked(field) ||
    chosen.wasSet(field.name) ||
    Object.keys(field.when).some((other) => {
      const decisive = byName.get(other);
      return decisive !== undefined && isShown(decisive);
    });
  const used = fields.filter(({ name }) => !idle.has(name));
  // The location of a source is first, whatever its type declares first.
  const titles = [...new Set([...HEADINGS.map(textOf), ...used.map(({ group }) => group)])];
  return titles.flatMap((title) => {
    const all = used.filter(({ group }) => group === title);
    if (all.length === 0) return [];
    const folded = all.filter((field) => !isShown(field));
    return [
      {
        title,
        shown: all.filter(isShown),
        folded: [...folded.filter(({ isRare }) => !isRare), ...folded.filter(({ isRare }) => isRare)],
      },
    ];
  });
}
