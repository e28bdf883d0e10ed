import { serverError, withSaid } from '../../kit/connection/faults.ts';
import { worded } from '../../kit/worded.ts';
import type { Wording } from '../../ports/index.ts';

/** How a server ends an operation. */
export interface LdapAnswer {
  readonly status: number;
  readonly errorMessage: string;
  /** How far it came on the way to the entry. */
  readonly matchedDN: string;
}

/** Codes of RFC 4511, and what to do. */
const MEANINGS: Readonly<Record<number, Wording>> = {
  1: worded`refuses: it shows nothing before a login, or cannot work now; set username and password`,
  2: worded`does not understand the question; check that it is an LDAP server of version 3`,
  3: worded`gave up: the search took longer than it allows; narrow base_dn or search_filter, or have the limit raised`,
  4: worded`gives no more entries than its limit, and does not page; narrow base_dn or search_filter, or have the limit raised`,
  7: worded`does not take a login by password; it must be allowed there`,
  8: worded`takes a password only over an encrypted connection; use ldaps://, or leave use_tls on`,
  10: worded`knows none of it and names another server; use that one, or another base_dn`,
  11: worded`gave up: the search is beyond its limits; narrow base_dn or search_filter, or have the limit raised`,
  12: worded`cannot do what is asked`,
  13: worded`takes a password only over an encrypted connection; use ldaps://, or leave use_tls on`,
  16: worded`does not know an attribute; correct attributes`,
  18: worded`cannot use the filter; correct search_filter`,
  21: worded`cannot use the filter; correct search_filter`,
  32: worded`has no entry of that name, or does not show it to this user; correct base_dn`,
  34: worded`cannot read the name; correct base_dn (ou=servers,dc=example,dc=org) or username`,
  48: worded`does not take this login; set username and password`,
  49: worded`refuses the login; check username and password of the account`,
  50: worded`does not let this user read that; give it the right to read`,
  51: worded`is busy; run it again later`,
  52: worded`is stopping or not there; run it again later`,
  53: worded`will not do that; its answer says why`,
};

/** Explanations by Active Directory of a refused login. */
const LOGINS: Readonly<Record<string, Wording>> = {
  '525': worded`refuses the login: there is no such user`,
  '530': worded`refuses the login at this hour`,
  '531': worded`refuses the login from this machine`,
  '532': worded`refuses the login: the password has expired; set a new one there and here`,
  '533': worded`refuses the login: the user is disabled`,
  '701': worded`refuses the login: the user has expired`,
  '773': worded`refuses the login: the password must be changed first`,
  '775': worded`refuses the login: the user is locked; unlock it there`,
};

const ENDED = {
  login: (status: string) => worded`ended the login with code ${{ status }}`,
  search: (status: string) => worded`ended the search with code ${{ status }}`,
};

const PASSING: ReadonlySet<number> = new Set([51, 52]);

export function ldapFault(server: string, step: 'login' | 'search', { status, errorMessage, matchedDN }: LdapAnswer) {
  const code = /\bdata ([0-9a-f]+)/.exec(errorMessage)?.[1] ?? '';
  const meaning = (status === 49 ? LOGINS[code] : undefined) ?? MEANINGS[status] ?? ENDED[step](String(status));
  const near =
    status === 32 && matchedDN !== '' ? worded`${{ problem: meaning }}; there is ${{ dn: matchedDN }}` : meaning;
  const said = errorMessage === '' ? near : withSaid(near, errorMessage.replaceAll('\0', ''));
  return serverError(PASSING.has(status) ? 'unavailable' : 'failed', server, said);
}
