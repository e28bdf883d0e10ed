import { nearest } from '../../../../kit/words/near.ts';
import type { CommandContext } from '../../context.ts';
import { placeBehind, stateOf } from './choices.ts';
import { namesFor } from './stored-names.ts';

/** Enough letters to find a host by; the rest may be mistyped. */
const BEGINNING = 3;

/** Returns a name that one of the words was probably meant to be, at its place, if `message` complains about that word. */
export async function nearName(
  words: readonly string[],
  message: string,
  context: CommandContext,
): Promise<string | undefined> {
  for (const [index, word] of words.entries()) {
    const [key = '', value] = word.startsWith('-') ? [''] : word.split('=');
    if (key.length < BEGINNING || !message.includes(key)) continue;
    const place = stateOf(await placeBehind(words.slice(0, index), context));
    if (place === undefined) continue;
    const asOption = value !== undefined && place.of.startsWith('--set');
    const begun = place.of === 'hostname' ? key.slice(0, BEGINNING) : '';
    const names = await namesFor({ ...place, begun }, context).catch(() => []);
    const name = asOption ? `${key}=` : word;
    const found = nearest(name, names);
    if (found !== undefined && found !== name) return found.replace(/=$/, '');
  }
  return undefined;
}
