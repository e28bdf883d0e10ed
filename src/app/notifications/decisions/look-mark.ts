/** Up to where was looked for what happened, and what was under way then. */
export interface LookMark {
  readonly at: Date;
  /** Ids of plans that were being made: they are told of when they are made, however old they are by then. */
  readonly planning: readonly string[];
}

/** As it is kept: the moment, and the ids behind it. */
export function markText({ at, planning }: LookMark): string {
  return [at.toISOString(), ...planning].join(' ');
}

/** `undefined` where nobody looked yet, or there was no rule. */
export function readMark(text: string | undefined): LookMark | undefined {
  if (text === undefined || text === '') return undefined;
  const [at = '', ...planning] = text.split(' ');
  return { at: new Date(at), planning };
}
