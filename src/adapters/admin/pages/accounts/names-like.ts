import { distance } from 'fastest-levenshtein';

/** Number of names offered at most. */
const MOST = 3;
/** Greatest share of its letters that may be wrong. */
const WRONG = 1 / 3;

/** The names that a misspelt one may mean: those that are nearly the same, and those that hold it or that it holds; the nearest first. */
export function namesLike(name: string, names: readonly string[]): readonly string[] {
  const wanted = name.toLowerCase();
  return names
    .map((other) => ({ other, wrong: distance(wanted, other.toLowerCase()) }))
    .filter(
      ({ other, wrong }) => other !== '' && (wrong <= wanted.length * WRONG || holds(wanted, other.toLowerCase())),
    )
    .sort((one, another) => one.wrong - another.wrong)
    .slice(0, MOST)
    .map(({ other }) => other);
}

function holds(one: string, other: string): boolean {
  return one.includes(other) || other.includes(one);
}
