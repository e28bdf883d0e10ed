import type * as z from 'zod';
import { grouped } from '../../../kit/words/amounts.ts';
import { printable } from '../../../kit/words/escape.ts';
import type { Field } from '../../../kit/words/fields.ts';
import { momentText } from '../../../kit/words/moment.ts';
import { incompleteWording } from '../../journal/words.ts';
import type { Column, Print } from '../../kernel/print.ts';
import type { accountSchema, accountSummarySchema, incompleteSchema, undoneSchema } from '../account-answer.ts';

type Summary = z.infer<typeof accountSummarySchema>;
type WithRuns = {
  readonly incomplete: z.infer<typeof incompleteSchema>;
  readonly undone: z.infer<typeof undoneSchema>;
};
type Shown = z.infer<typeof accountSchema> & WithRuns;
/** `incomplete_since` only where the newest run was not complete, `undone_at` only where an import was undone since. */
type Listed = Summary & { readonly incomplete_since?: string; readonly undone_at?: string };

export function listedAccount({ name, type, enabled, incomplete, undone }: Summary & WithRuns): Listed {
  return {
    name,
    type,
    enabled,
    ...(incomplete !== null && { incomplete_since: incomplete.since }),
    ...(undone !== null && { undone_at: undone.at }),
  };
}

/** Accounts as a table. */
export function accountsView(accounts: readonly Listed[], print: Print): Promise<void> {
  const empty = 'There are no accounts yet. Create one with "muster account add <name> --type csv".';
  const isShown = (column: Column<Listed>): boolean =>
    (column !== SINCE && column !== UNDONE) ||
    print.asksForTable ||
    accounts.some((account) => column.value(account) !== '');
  const columns = ACCOUNT_COLUMNS.filter(isShown);
  return print.table(accounts, columns, empty);
}

const SINCE: Column<Listed> = {
  header: 'not complete since',
  value: ({ incomplete_since: since }) => (since === undefined ? '' : momentText(since)),
  paint: (text, _account, colours) => colours.red(text),
};

const UNDONE: Column<Listed> = {
  header: 'import undone',
  value: ({ undone_at: at }) => (at === undefined ? '' : momentText(at)),
  paint: (text, _account, colours) => colours.yellow(text),
};

export const ACCOUNT_COLUMNS: readonly Column<Listed>[] = [
  { header: 'name', value: (account) => account.name, paint: (text, _account, colours) => colours.bold(text) },
  { header: 'type', value: (account) => account.type },
  {
    header: 'enabled',
    value: (account) => (account.enabled ? 'yes' : 'no'),
    paint: (text, account, colours) => (account.enabled ? text : colours.dim(text)),
  },
  SINCE,
  UNDONE,
];

/** An account with its options, of which secret ones came masked. */
export async function accountView(account: Shown, print: Print): Promise<void> {
  const fields: Field[] = [
    ['name', account.name],
    ['type', account.type],
    ['enabled', account.enabled ? 'yes' : 'no'],
    ['owns', `${grouped(account.hosts)} ${account.is_object ? `objects (${account.object_type})` : 'hosts'}`],
  ];
  if (account.waits) fields.push(['waits', `for an administrator: muster rules confirm accounts ${account.name}`]);
  const { incomplete, undone } = account;
  if (undone !== null) fields.push(['last run', undone.message], ['to do', undone.advice]);
  if (incomplete !== null) {
    const { since, runs, part, last_complete: lastComplete, message, advice } = incomplete;
    fields.push(['runs', incompleteWording({ since, runs, lastComplete, ...(part !== null && { part }) }).text]);
    fields.push(['last run', message], ['to do', advice]);
  }
  if (account.is_master) fields.push(['master', 'yes: takes hosts over from other accounts']);
  if (account.parent !== '') fields.push(['parent', account.parent]);
  if (account.address !== '') fields.push(['address', account.address]);
  if (account.username !== '') fields.push(['username', account.username]);
  if (account.has_password) fields.push(['password', account.secrets_from.password ?? '********']);
  await print.fields(fields);
  const elsewhere = Object.entries(account.secrets_from).filter(([name]) => name !== 'password');
  const options = [...Object.entries(account.options), ...elsewhere];
  if (options.length === 0) return;
  await print.result(`\n${print.colours.bold('Options')}\n`);
  await print.fields(options.map(([key, value]) => [printable(key), value]));
}
