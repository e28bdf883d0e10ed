/** Names processes, so that what a dead one held on this machine is free at once and not only when its lease runs out. */
export interface ProcessIdentity {
  /** A name of this process that no other has: `<host>@<machine>/<process number>/…`. */
  readonly name: string;
  /** True when the name is that of a process of this machine which no longer runs. When that cannot be known, false. */
  isDead(name: string): boolean;
}

/** The host and process of a name, or of something that begins with one, for people: `web1/4711`. */
export function nodeOf(name: string): string {
  const [machine = '', number = ''] = name.split('/');
  return `${machine.split('@')[0]}/${number}`;
}
