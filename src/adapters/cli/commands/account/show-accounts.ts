import type { z } from 'zod';
import type { accountSummarySchema } from '../../../../app/accounts/account-answer.ts';
import { listAccounts } from '../../../../app/accounts/operations/list-accounts.ts';
import { showAccount } from '../../../../app/accounts/operations/show-account.ts';
import { printable } from '../../../../app/words/escape.ts';
import { fieldLines } from '../../../../app/words/fields.ts';
import type { Column } from '../../../../app/words/print.ts';
import type { CommandContext } from '../../context.ts';

export async function showAccounts(context: CommandContext, options: { json?: true }): Promise<void> {
  const { accounts } = await context.value(listAccounts, {});
  if (options.json) return context.json(accounts);
  await context.table(
    accounts,
    COLUMNS,
    'There are no accounts yet. Create one with "muster account add <name> --type csv".',
  );
}

export async function showAccountCommand(
  context: CommandContext,
  name: string,
  options: { json?: true },
): Promise<void> {
  const account = await context.value(showAccount, { name });
  if (options.json) return context.json(account);
  const { colours } = context;
  const fields: [string, string][] = [
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
  await context.result(fieldLines(fields, colours));
  const typeOptions = Object.entries(account.options);
  if (typeOptions.length === 0) return;
  await context.result(`\n${colours.bold('Options')}\n`);
  await context.result(
    fieldLines(
      typeOptions.map(([key, value]) => [printable(key), value]),
      colours,
    ),
  );
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
