import type { LastLook } from '../../runs/decisions/happening.ts';

/** As it is kept: the moment, and the ids behind it. */
export function markText({ at, awaited }: LastLook): string {
  return [at.toISOString(), ...awaited].join(' ');
}

/** `undefined` where nobody looked yet, or there was no rule. */
export function readMark(text: string | undefined): LastLook | undefined {
  if (text === undefined || text === '') return undefined;
  const [at = '', ...awaited] = text.split(' ');
  return { at: new Date(at), awaited };
}
