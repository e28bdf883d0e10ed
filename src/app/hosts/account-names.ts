import type { AccountScope } from '../../ports/index.ts';

/** Shown to callers restricted to accounts instead of the name of one beyond them. */
const OTHER_ACCOUNT = 'another account';

/** Returns how accounts are called to the caller; `accounts` are those in scope. One that is gone has its id for a name. */
export function accountNames(
  accounts: readonly { readonly id: string; readonly name: string }[],
  scope: AccountScope,
): (id: string) => string {
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? (scope === null ? id : OTHER_ACCOUNT);
}
