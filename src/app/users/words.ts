import { counted } from '../../kit/words/amounts.ts';

/** The accounts or templates that a user reaches; `null`: not restricted. */
export function reachText(names: readonly string[] | null): string {
  if (names === null) return 'all';
  return names.length === 0 ? 'none' : names.join(', ');
}

/** The accounts that a user reaches, and the templates if there is a restriction to these. */
export function hostsText({ accounts, templates }: Reached): string {
  const ofTemplates = templates === null ? [] : [`of template ${reachText(templates)}`];
  return accounts === null && templates !== null
    ? ofTemplates.join('')
    : [reachText(accounts), ...ofTemplates].join(' ');
}

interface Reached {
  readonly accounts: readonly string[] | null;
  readonly templates: readonly string[] | null;
}

interface Carried {
  readonly roles: readonly string[] | null;
  readonly read_only: boolean;
  readonly accounts: readonly string[] | null;
  readonly templates: readonly string[] | null;
}

/** The part of its user's rights that a token has. */
export function carriedText({ roles, read_only, accounts, templates }: Carried): string {
  const words = [
    ...(roles ?? []),
    ...(read_only ? ['read-only'] : []),
    ...(accounts === null ? [] : [`accounts ${accounts.join(', ')}`]),
    ...(templates === null ? [] : [`templates ${templates.join(', ')}`]),
  ];
  return words.length === 0 ? 'all rights of the user' : words.join(', ');
}

/** The users that an operation is for, by the roles that it names: `administrators`, `users with the role rules`. */
export function whomText(roles: readonly string[]): string {
  const named = roles.filter((role) => !isAdministration(role));
  return [
    ...(named.length === 0 ? [] : [`users with the role ${named.join(' or ')}`]),
    ...(roles.some(isAdministration) ? ['administrators'] : []),
  ].join(' or ');
}

function isAdministration(role: string): boolean {
  return role === 'admin' || role === 'administrator';
}

/** The second factors of a user at a login: `authenticator app, 2 passkeys; 8 recovery codes left`. */
export function secondFactorText(factor: {
  readonly authenticator: boolean;
  readonly passkeys: number;
  readonly recovery_codes: number;
}): string {
  const shown = [
    factor.authenticator ? 'authenticator app' : '',
    factor.passkeys === 0 ? '' : counted(factor.passkeys, 'passkey'),
  ].filter((text) => text !== '');
  if (shown.length === 0) return 'none';
  return `${shown.join(', ')}; ${counted(factor.recovery_codes, 'recovery code')} left`;
}
