/** So many are offered. */
const MOST = 3;
/** Of their beginnings, that names must have in common. */
const BEGINNING = 3;

/** The names among which a misspelt one may be: those that begin alike, or that one holds the other of; the most alike in length first. */
export function namesLike(name: string, names: readonly string[]): readonly string[] {
  const wanted = name.toLowerCase();
  const isLike = (other: string): boolean =>
    other.includes(wanted) || wanted.includes(other) || other.slice(0, BEGINNING) === wanted.slice(0, BEGINNING);
  const distance = (other: string): number => Math.abs(other.length - name.length);
  return names
    .filter((other) => other !== '' && isLike(other.toLowerCase()))
    .sort((one, other) => distance(one) - distance(other))
    .slice(0, MOST);
}
