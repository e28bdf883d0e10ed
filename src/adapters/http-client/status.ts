import { alternatives, secondsWording, worded } from '../../kit/worded.ts';
import type { HttpFault, Wording } from '../../ports/index.ts';
import { challengesOf } from './auth/challenges.ts';
import { refusedByProxy } from './faults.ts';
import { retryAfter } from './retry.ts';
import type { CheckedSettings } from './settings.ts';

interface StatusFailure {
  readonly fault: HttpFault;
  readonly message: Wording;
  readonly status: number;
  readonly passing: boolean;
  readonly retryAfterSeconds?: number;
}

/** Describes a status for the user who has to act on it. */
export function statusFailure(
  status: number,
  headers: Readonly<Record<string, string>>,
  {
    said,
    settings,
    now,
    passing,
  }: { readonly said: string; readonly settings: CheckedSettings; readonly now: Date; readonly passing: boolean },
): StatusFailure {
  if (status === 407) return { passing: false, ...refusedByProxy(status), status };
  const seconds = retryAfter(headers['retry-after'], now);
  const problem = meaning(status, headers, settings, seconds);
  return {
    fault: status === 401 ? 'unauthenticated' : 'status',
    message: said === '' ? problem : worded`${{ problem }}; it says: ${{ said }}`,
    status,
    passing,
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
  };
}

function meaning(
  code: number,
  headers: Readonly<Record<string, string>>,
  { auth }: CheckedSettings,
  wait: number | undefined,
): Wording {
  const status = String(code);
  const time = secondsWording(wait ?? 0);
  switch (code) {
    case 400:
    case 422:
      return worded`is refused (${{ status }}): the system does not understand it; check its parameters`;
    case 401:
      return worded`is refused (401): ${{ reason: unauthenticated(headers['www-authenticate'], auth?.kind) }}`;
    case 403:
      return worded`is forbidden (403): the login works, but that user may not do this; give it the right there`;
    case 404:
    case 410:
      return worded`is answered with ${{ status }}: there is nothing at this path; check the address of the system, and its version`;
    case 405:
      return worded`is refused (405): the path does not take this method; check the address of the system, and its version`;
    case 429:
      return wait === undefined
        ? worded`is refused (429): the system gets too many requests; ask less often, or for more at once`
        : worded`is refused (429): the system gets too many requests and asks to wait ${{ time }}; ask less often, or for more at once`;
    case 503:
      return wait === undefined
        ? worded`is answered with 503: the system is down or overloaded; try again later`
        : worded`is answered with 503: the system is down or overloaded and asks to wait ${{ time }}; try again later`;
    case 502:
    case 504:
      return worded`is answered with ${{ status }}: a proxy in front of the system does not reach it; look at the system`;
    default:
      if (code >= 500) return worded`is answered with ${{ status }}: a fault of the system; look at its log`;
      return worded`is answered with the unexpected status ${{ status }}; check the address of the system, and its version`;
  }
}

function unauthenticated(challenge: string | undefined, kind: string | undefined): Wording {
  const wanted = challengesOf(challenge ?? '').map(({ scheme }) => scheme);
  if (kind === undefined) {
    const schemes = alternatives(wanted.filter((scheme) => /^[a-z-]{1,20}$/.test(scheme)));
    return schemes === undefined
      ? worded`it requires a login; give the account user name and password`
      : worded`it requires a login (${{ schemes }}); give the account user name and password`;
  }
  if (kind === 'digest' && !wanted.includes('digest'))
    return worded`it does not offer the authentication digest; use basic`;
  if (kind === 'basic' && wanted.includes('digest') && !wanted.includes('basic'))
    return worded`it wants the authentication digest`;
  if (kind === 'oauth2') return worded`it does not accept the token, also a new one; check scope and audience`;
  if (kind === 'session')
    return worded`it does not accept the session, also a new one; check token_path, token_header, and the rights of the user`;
  return worded`it does not accept the credentials; check user name, password or token, and the kind of authentication`;
}
