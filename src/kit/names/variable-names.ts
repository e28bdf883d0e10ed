/** How names of variables and groups are served. */
export type NameMode = 'keep' | 'identifier';

/** Makes a name that ansible-core takes without warning: letters, digits and `_`, not beginning with a digit. */
export function identifierOf(name: string): string {
  const replaced = name.replaceAll(/[^A-Za-z0-9_]/gu, '_');
  return /^[0-9]/.test(replaced) ? `_${replaced}` : replaced;
}

/** A name that is not served, because a served one became the same when both were made safe. */
export type OnCollision = (name: string, served: string, kept: string) => void;

/**
 * Selects the name to serve among names that become the same: the first in this order. Ties are broken by byte order, so that the
 * same names always give the same result.
 */
function oneNameEach(
  names: Iterable<string>,
  made: (name: string) => string | undefined,
  collision: OnCollision,
  order: (a: string, b: string) => number = () => 0,
): ReadonlyMap<string, string> {
  const winners = new Map<string, string>();
  for (const name of [...names].sort((a, b) => order(a, b) || byBytes(a, b))) {
    const served = made(name);
    if (served === undefined) continue;
    const kept = winners.get(served);
    if (kept === undefined) winners.set(served, name);
    else if (kept !== name) collision(name, served, kept);
  }
  return winners;
}

/** Renames the members of one host's variables; of names that become one, the first in byte order is served. */
export function withNames<T>(
  variables: Readonly<Record<string, T>>,
  made: (name: string) => string,
  collision: OnCollision,
): Record<string, T> {
  const winners = oneNameEach(Object.keys(variables), made, collision);
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      winners.get(made(name)) === name ? [[made(name), value] as const] : [],
    ),
  );
}

/** The groups of one inventory under the names that they are served by; all that hosts are in must be counted before it is asked. */
export class GroupNames {
  readonly #made: (group: string) => string | undefined;
  readonly #hosts = new Map<string, number>();
  readonly #lost = new Set<string>();
  #originals: ReadonlyMap<string, string> = new Map();

  constructor(made: (group: string) => string | undefined) {
    this.#made = made;
  }

  count(group: string, hosts = 1): void {
    this.#hosts.set(group, (this.#hosts.get(group) ?? 0) + hosts);
  }

  /** If two names become the same, serves the one that needs no change, or else the one with the most hosts. */
  settle(collision: OnCollision): void {
    const changes = (group: string): number => (this.#made(group) === group ? 0 : 1);
    this.#originals = oneNameEach(
      this.#hosts.keys(),
      this.#made,
      (group, served, kept) => {
        this.#lost.add(group);
        collision(group, served, kept);
      },
      (a, b) => changes(a) - changes(b) || (this.#hosts.get(b) ?? 0) - (this.#hosts.get(a) ?? 0),
    );
  }

  /** `undefined` for one that is not served. */
  served(group: string): string | undefined {
    return this.#lost.has(group) ? undefined : this.#made(group);
  }

  /** The name that a served one was made of. */
  original(served: string): string {
    return this.#originals.get(served) ?? served;
  }
}

/** Order of UTF-8 bytes; JavaScript's own order differs for characters outside of the basic plane. */
export function byBytes(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
