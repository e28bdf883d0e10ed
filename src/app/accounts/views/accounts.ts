import type * as z from 'zod';
import type { Column, Print } from '../../kernel/print.ts';
import { printable } from '../../words/escape.ts';
import type { Field } from '../../words/fields.ts';
import type { accountSchema, accountSummarySchema } from '../account-answer.ts';

/** Accounts as a table. */
export function accountsView(
  { accounts }: { readonly accounts: readonly z.infer<typeof accountSummarySchema>[] },
  print: Print,
): Promise<void> {
  const empty = 'There are no accounts yet. Create one with "muster account add <name> --type csv".';
  return print.table(accounts, COLUMNS, empty);
}

const COLUMNS: readonly Column<z.infer<typeof accountSummarySchema>>[] = [
  { header: 'name', value: (account) => account.name, paint: (text, _account, colours) => colours.bold(text) },
  { header: 'type', value: (account) => account.type },
  {
    header: 'enabled',
    value: (account) => (account.enabled ? 'yes' : 'no'),
    paint: (text, account, colours) => (account.enabled ? text : colours.dim(text)),
  },
];

/** An account with its options, of which secret ones came masked. */
export async function accountView(account: z.infer<typeof accountSchema>, print: Print): Promise<void> {
  const fields: Field[] = [
    ['name', account.name],
    ['type', account.type],
    ['enabled', account.enabled ? 'yes' : 'no'],
    [
      'owns',
      `${account.hosts.toLocaleString('en-US')} ${account.is_object ? `objects (${account.object_type})` : 'hosts'}`,
    ],
  ];
  if (account.waits) fields.push(['waits', `for an administrator: muster rules confirm accounts ${account.name}`]);
  if (account.is_master) fields.push(['master', 'yes: takes hosts over from other accounts']);
  if (account.parent !== '') fields.push(['parent', account.parent]);
  if (account.address !== '') fields.push(['address', account.address]);
  if (account.username !== '') fields.push(['username', account.username]);
  if (account.has_password) fields.push(['password', '********']);
  await print.fields(fields);
  const options = Object.entries(account.options);
  if (options.length === 0) return;
  await print.result(`\n${print.colours.bold('Options')}\n`);
  await print.fields(options.map(([key, value]) => [printable(key), value]));
}
