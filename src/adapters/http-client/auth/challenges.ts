/** One challenge of a `WWW-Authenticate` header: its scheme and parameters, in lower case. */
export interface Challenge {
  readonly scheme: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** `name=token` or `name="text"`; a word that no equals sign follows begins the next challenge. */
const PART = /([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?\s*,?\s*/gy;

/** Reads the challenges of a header, which may hold several in a row. Stops at the first unreadable one. */
export function challengesOf(header: string): readonly Challenge[] {
  const found: { scheme: string; parameters: Map<string, string> }[] = [];
  for (const [, word = '', quoted, token] of header.trim().matchAll(PART)) {
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? token;
    const current = found.at(-1);
    if (value === undefined) found.push({ scheme: word.toLowerCase(), parameters: new Map() });
    else if (current !== undefined && !current.parameters.has(word.toLowerCase())) {
      current.parameters.set(word.toLowerCase(), value);
    }
  }
  return found;
}
