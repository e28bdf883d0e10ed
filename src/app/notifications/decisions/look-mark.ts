import type { LastLook } from '../../runs/decisions/happening.ts';

/** As it is kept: the moment, and the ids behind it. */
export function markText({ at, awaited }: LastLook): string {
  return [at.toISOString(), ...awaited].join(' ');
}

/** `undefined` where nobody looked yet, or there was no rule. A look in the future was under a clock that was wrong. */
export function readMark(text: string | undefined, now: Date): LastLook | undefined {
  if (text === undefined || text === '') return undefined;
  const [at = '', ...awaited] = text.split(' ');
  return { at: new Date(Math.min(Date.parse(at), now.getTime())), awaited };
}
