/** How names of variables and groups are served. */
export type NameMode = 'keep' | 'identifier';

/** Makes a name that ansible-core takes without warning: letters, digits and `_`, not beginning with a digit. */
export function identifierOf(name: string): string {
  const replaced = name.replaceAll(/[^A-Za-z0-9_]/gu, '_');
  return /^[0-9]/.test(replaced) ? `_${replaced}` : replaced;
}

/**
 * Renames the members of one host's variables. Of several names that become the same one, the first in byte order wins;
 * the others are reported.
 */
export function withIdentifierNames<T>(
  variables: Readonly<Record<string, T>>,
  collision: (name: string, identifier: string) => void,
): Record<string, T> {
  const names = Object.keys(variables).sort(byBytes);
  const winners = new Map<string, string>();
  for (const name of names) {
    const identifier = identifierOf(name);
    if (winners.has(identifier)) collision(name, identifier);
    else winners.set(identifier, name);
  }
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => {
      const identifier = identifierOf(name);
      return winners.get(identifier) === name ? [[identifier, value] as const] : [];
    }),
  );
}

/** Order of UTF-8 bytes; JavaScript's own order differs for characters outside of the basic plane. */
export function byBytes(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
