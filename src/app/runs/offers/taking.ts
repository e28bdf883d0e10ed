import type { Account } from '../../accounts/account-directory.ts';

/** In TAKES, accounts that do not say where they run. */
const UNSAID = 'default';

/** The value of the account's option `runs_at`. */
export function runsAt({ fields }: Pick<Account, 'fields'>): string {
  return fields.get('runs_at')?.value.trim() || UNSAID;
}

/** Whether a node with these TAKES runs accounts with this `runs_at`; one without any runs all. */
export function takes(values: readonly string[], value: string): boolean {
  return values.length === 0 || values.includes(value);
}
