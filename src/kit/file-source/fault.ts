import { AppError, type Wording } from '../../ports/index.ts';
import { worded } from '../worded.ts';

/** A file that cannot be imported: missing, unreadable, cut off, of another shape. Ends the run; nothing is archived. */
export function fileFault(file: string, problem: Wording, cause?: unknown): AppError {
  return new AppError('failed', worded`${{ file }} ${{ problem }}`, cause === undefined ? {} : { cause });
}

/** Returns the error for bytes that are not text in the given encoding. */
export function otherBytes(file: string, encoding: string, line: number, cause?: unknown): AppError {
  const problem = worded`is not ${{ encoding }}: line ${{ line: String(line) }} has other bytes; set its encoding`;
  return fileFault(file, problem, cause);
}

/** Returns text from a file in a form that is safe in a message: quoted and never longer than a line. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
}

const MOST_NAMES = 20;

/**
 * Returns the columns or members of a file for a message. Only if all of them look like names: errors end up in logs, and the
 * contents of another kind of file must not be disclosed there.
 */
export function shownNames(names: readonly string[]): string | undefined {
  if (names.length === 0 || !names.every(isName)) return undefined;
  const more = names.length > MOST_NAMES ? ', …' : '';
  return names.slice(0, MOST_NAMES).map(shown).join(', ') + more;
}

/** Words as columns and members are called. Keys, hashes and lines of other files are longer, or hold other characters. */
function isName(text: string): boolean {
  return /^(?=.*\p{L})[\p{L}\p{M}\p{N} _.()/#%&+-]{1,40}$/u.test(text);
}
