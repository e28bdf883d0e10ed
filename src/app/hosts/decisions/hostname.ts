import { hasControlCharacter, isValidUnicode } from '../../../kit/unicode.ts';
import { phrase, worded } from '../../../kit/worded.ts';
import { accepted, type Check, refused, required, shown } from './check.ts';
import { HOST_LIMITS } from './limits.ts';

/** The name a host is stored under: surrounding white space goes, everything else stays. Throws `invalid_input`. */
export function checkHostname(input: unknown): string {
  return required(inspectHostname(input));
}

/** As `checkHostname`, with the refusal as a value. */
export function inspectHostname(input: unknown): Check<string> {
  if (typeof input !== 'string') return refused('hostname', phrase`the hostname must be text`);
  const hostname = input.trim();
  if (hostname === '') return refused('hostname', phrase`the hostname is empty`);
  if (hostname.length > HOST_LIMITS.hostname && codePoints(hostname) > HOST_LIMITS.hostname) {
    return refused(
      'hostname',
      worded`the hostname ${{ hostname: shown(hostname) }} is longer than ${{ most: String(HOST_LIMITS.hostname) }} characters`,
    );
  }
  // Clients remove such segments from addresses, so a host of that name could never be requested.
  if (hostname === '.' || hostname === '..')
    return refused('hostname', worded`the hostname ${{ hostname: shown(hostname) }} is a relative path and no name`);
  if (hostname.includes('/'))
    return refused('hostname', worded`the hostname ${{ hostname: shown(hostname) }} contains a slash`);
  if (hasControlCharacter(hostname)) {
    return refused('hostname', worded`the hostname ${{ hostname: shown(hostname) }} contains a control character`);
  }
  if (!isValidUnicode(hostname))
    return refused('hostname', worded`the hostname ${{ hostname: shown(hostname) }} is not valid Unicode`);
  return accepted(hostname);
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
