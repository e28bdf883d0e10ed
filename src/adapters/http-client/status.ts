import type { HttpFault } from '../../ports/index.ts';
import { challengesOf } from './auth/challenges.ts';
import { refusedByProxy } from './faults.ts';
import { retryAfter } from './retry.ts';
import type { CheckedSettings } from './settings.ts';

interface StatusFailure {
  readonly fault: HttpFault;
  readonly message: string;
  readonly status: number;
  readonly passing: boolean;
  readonly retryAfterSeconds?: number;
}

/** What a status means to whoever has to do something about it. */
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
  const quote = said === '' ? '' : `; it says: ${said}`;
  return {
    fault: status === 401 ? 'unauthenticated' : 'status',
    message: `${meaning(status, headers, settings, seconds)}${quote}`,
    status,
    passing,
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
  };
}

function meaning(
  status: number,
  headers: Readonly<Record<string, string>>,
  { auth }: CheckedSettings,
  seconds: number | undefined,
): string {
  switch (status) {
    case 400:
    case 422:
      return `is refused (${status}): the system does not understand it; check its parameters`;
    case 401:
      return `is refused (401): ${unauthenticated(headers['www-authenticate'], auth?.kind)}`;
    case 403:
      return 'is forbidden (403): the login works, but that user may not do this; give it the right there';
    case 404:
    case 410:
      return `is answered with ${status}: there is nothing at this path; check the address of the system, and its version`;
    case 405:
      return 'is refused (405): the path does not take this method; check the address of the system, and its version';
    case 429: {
      const wait = seconds === undefined ? '' : ` and asks to wait ${seconds} seconds`;
      return `is refused (429): the system gets too many requests${wait}; ask less often, or for more at once`;
    }
    case 503: {
      const wait = seconds === undefined ? '' : ` and asks to wait ${seconds} seconds`;
      return `is answered with 503: the system is down or overloaded${wait}; try again later`;
    }
    case 502:
    case 504:
      return `is answered with ${status}: a proxy in front of the system does not reach it; look at the system`;
    default:
      if (status >= 500) return `is answered with ${status}: a fault of the system; look at its log`;
      return `is answered with the unexpected status ${status}; check the address of the system, and its version`;
  }
}

function unauthenticated(challenge: string | undefined, kind: string | undefined): string {
  const wanted = challengesOf(challenge ?? '').map(({ scheme }) => scheme);
  const wants = wanted.filter((scheme) => /^[a-z-]{1,20}$/.test(scheme)).join(' or ');
  if (kind === undefined)
    return `it wants a login${wants === '' ? '' : ` (${wants})`}; give the account user name and password`;
  if (kind === 'digest' && !wanted.includes('digest')) return 'it does not offer the authentication digest; use basic';
  if (kind === 'basic' && wanted.includes('digest') && !wanted.includes('basic'))
    return 'it wants the authentication digest';
  if (kind === 'oauth2') return 'it does not accept the token, also a new one; check scope and audience';
  if (kind === 'session')
    return 'it does not accept the session, also a new one; check token_path, token_header, and the rights of the user';
  return 'it does not accept the credentials; check user name, password or token, and the kind of authentication';
}
