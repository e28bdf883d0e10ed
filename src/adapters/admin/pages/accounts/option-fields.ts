import { t } from '@lingui/core/macro';
import type { OfferedOutput } from '../../offered-operations.ts';
import type { Field } from '../forms/schema.ts';

export type AccountType = OfferedOutput<'accounts/list-account-types'>['types'][number];
export type Account = OfferedOutput<'accounts/show-account'>;

/** Returns the account with its options under the names of their fields, whatever names they are stored under. */
export function withFieldNames(account: Account, fields: readonly Field[]): Account {
  const names = new Map(fields.flatMap(({ name, aliases }) => aliases.map((alias) => [alias, name])));
  const nameOf = (stored: string): string => names.get(stored) ?? stored;
  const options = Object.entries(account.options).map(([stored, value]) => [nameOf(stored), value]);
  return { ...account, options: Object.fromEntries(options), secret_options: account.secret_options.map(nameOf) };
}

/** The type of that name, or the one that the name is another word for. */
export function typeNamed(types: readonly AccountType[], name: string): AccountType | undefined {
  return types.find(({ id, aliases }) => id === name || aliases.includes(name));
}

/** Returns the title of the address, user name or password of an account. */
export function fieldTitle(type: AccountType | undefined, field: AccountType['fields'][number]['name']): string {
  const titles = { address: t`Address`, username: t`User name`, password: t`Password` };
  return type?.fields.find(({ name }) => name === field)?.title ?? titles[field];
}

/** Returns the option that replaces the address of the account; only one of the two has a field. */
export function optionForAddress(fields: readonly Field[]): Field | undefined {
  return fields.find(({ accountField }) => accountField === 'address');
}
