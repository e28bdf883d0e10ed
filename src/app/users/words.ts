/** The accounts that somebody reaches; `null`: not restricted. */
export function accountsText(accounts: readonly string[] | null): string {
  return accounts === null ? 'all' : accounts.join(', ');
}

interface Carried {
  readonly roles: readonly string[] | null;
  readonly read_only: boolean;
  readonly accounts: readonly string[] | null;
}

/** What of its user's rights a token has. */
export function carriedText({ roles, read_only, accounts }: Carried): string {
  const words = [
    ...(roles ?? []),
    ...(read_only ? ['read-only'] : []),
    ...(accounts === null ? [] : [`accounts ${accounts.join(', ')}`]),
  ];
  return words.length === 0 ? 'all rights of the user' : words.join(', ');
}

/** Whom an operation is for, by the roles that it names: `administrators`, `users with the role rules`. */
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
