import { phrase } from '../../../kit/worded.ts';
import type { ErrorDetail, RuleType } from '../../../ports/index.ts';

/** The names of one type as people see them: those that are stored, and those that an import has had so far. */
export class NameLikenesses {
  readonly #type: RuleType;
  readonly #taken = new Map<string, Set<string>>();

  constructor(type: RuleType, names: Iterable<string>) {
    this.#type = type;
    if (type.nameLikeness !== undefined) for (const name of names) this.#take(name);
  }

  /**
   * Why a document may not get this name, which it has from now on. Stored names stay, however they look; which other name
   * it is like is not said, because the caller may not know of that one.
   */
  problems(name: string, before: string | undefined): readonly ErrorDetail[] {
    const { nameLikeness } = this.#type;
    if (nameLikeness === undefined || name === before) return [];
    const others = [...(this.#taken.get(nameLikeness(name)) ?? [])].filter(
      (other) => other !== name && other !== before,
    );
    if (others.length > 0)
      return [
        {
          path: this.#type.keyedBy,
          message: phrase`is taken for the name of another one; choose one that differs more`,
        },
      ];
    this.#take(name);
    return [];
  }

  #take(name: string): void {
    const likeness = this.#type.nameLikeness?.(name) ?? name;
    const names = this.#taken.get(likeness);
    if (names === undefined) this.#taken.set(likeness, new Set([name]));
    else names.add(name);
  }
}
