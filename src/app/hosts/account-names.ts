import type { AccountScope } from '../../ports/index.ts';
import type { Limits } from '../kernel/caller.ts';

interface NamedAccounts {
  /** Those in scope only. */
  list(scope: AccountScope): Promise<readonly { readonly id: string; readonly name: string }[]>;
}

/** Shown to callers restricted to accounts instead of the name of one beyond them. */
const OTHER_ACCOUNT = 'another account';

/** Returns how accounts are called to the caller. One that is gone has its id for a name. */
export async function accountNames(
  { accounts }: { readonly accounts: NamedAccounts },
  { scope }: Pick<Limits, 'scope'>,
): Promise<(id: string) => string> {
  const names = new Map((await accounts.list(scope)).map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? (scope === null ? id : OTHER_ACCOUNT);
}
