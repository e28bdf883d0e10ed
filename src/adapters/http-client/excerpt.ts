import type { HiddenSecrets } from './hidden-secrets.ts';

const AROUND = 2_000;
const SHOWN = 30;
const MOST = 200;

/** Returns the text around a place of an answer, for a message: one line, with secrets hidden. */
export function excerptAt(text: string, position: number, mask: HiddenSecrets): string {
  const from = Math.max(0, position - AROUND);
  const around = mask.text(text.slice(from, position + AROUND));
  // Hidden before the text is cut, so that no cut splits a secret; hiding text before the place shifts it.
  const at = Math.min(mask.text(text.slice(from, position)).length, around.length);
  return oneLine(around.slice(Math.max(0, at - SHOWN), at + SHOWN));
}

/** Returns the gist of an error answer: the title of a page, or the beginning of the text. */
export function excerptOf(text: string, mask: HiddenSecrets): string {
  const title = /<title[^>]{0,200}>([^<]{0,1000})</i.exec(text.slice(0, 64 * 1024))?.[1];
  if (title === undefined && /^\s*</.test(text)) return '';
  const whole = mask.text(title ?? text.slice(0, AROUND)).trim();
  const shown = oneLine(whole.slice(0, MOST));
  return shown === '' ? '' : `"${shown}${whole.length > MOST ? '…' : ''}"`;
}

/** Letters and digits as keys and tokens have them, of which this program may not know that they are secret. */
const OPAQUE = /[A-Za-z0-9+/_=-]{24,}/g;

function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ')
    .replaceAll(OPAQUE, '…')
    .trim();
}
