import { plural, t } from '@lingui/core/macro';

/** Names of accounts or templates; `null`: not restricted. */
type Reach = readonly string[] | null;

interface Reached {
  readonly accounts: Reach;
  readonly templates: Reach;
}

interface Carried extends Reached {
  readonly roles: readonly string[] | null;
  readonly read_only: boolean;
}

interface Factor {
  readonly authenticator: boolean;
  readonly passkeys: number;
  readonly recovery_codes: number;
}

/** Returns the accounts or templates that a user can reach. */
export function reachText(names: Reach): string {
  if (names === null) return t`all`;
  return names.length === 0 ? t`none` : names.join(', ');
}

/** Returns the accounts that a user can reach, and the templates if access is restricted to these. */
export function hostsText({ accounts, templates }: Reached): string {
  const accountNames = reachText(accounts);
  if (templates === null) return accountNames;
  const templateNames = reachText(templates);
  return accounts === null ? t`of template ${templateNames}` : t`${accountNames} of template ${templateNames}`;
}

/** Describes the rights of its user that a token has. */
export function carriedText({ roles, read_only, accounts, templates }: Carried): string {
  const words = [
    ...(roles ?? []),
    ...(read_only ? [t`read-only`] : []),
    ...(accounts === null ? [] : [t`accounts ${{ names: accounts.join(', ') }}`]),
    ...(templates === null ? [] : [t`templates ${{ names: templates.join(', ') }}`]),
  ];
  return words.length === 0 ? t`all rights of the user` : words.join(', ');
}

/** Returns `authenticator app, 2 passkeys; 8 recovery codes left`; `undefined` if the password is all that is needed. */
export function secondFactorText({ authenticator, passkeys, recovery_codes: codes }: Factor): string | undefined {
  const shown = [
    ...(authenticator ? [t`authenticator app`] : []),
    ...(passkeys === 0 ? [] : [plural(passkeys, { one: '# passkey', other: '# passkeys' })]),
  ];
  if (shown.length === 0) return undefined;
  return [shown.join(', '), plural(codes, { one: '# recovery code left', other: '# recovery codes left' })].join('; ');
}
