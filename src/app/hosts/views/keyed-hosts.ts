import { printable } from '../../../kit/words/escape.ts';
import { type Field, fieldLines } from '../../../kit/words/fields.ts';
import { momentText } from '../../../kit/words/moment.ts';
import type { Column, Print } from '../../kernel/print.ts';
import type { KeyValues } from '../keys-of-hosts.ts';
import { ARCHIVE_REASONS } from '../words.ts';

interface KeyedHosts {
  readonly key: string;
  readonly hosts: readonly {
    readonly hostname: string;
    readonly account: string | null;
    readonly object_type: string;
    readonly archived: { readonly at: string; readonly by: keyof typeof ARCHIVE_REASONS } | null;
    readonly keys: KeyValues;
  }[];
  readonly is_cut: boolean;
}

/** The hosts that have a key, each with all of its keys. */
export async function keyedHostsView({ key, hosts, is_cut }: KeyedHosts, print: Print): Promise<void> {
  if (print.asksForTable) return print.table(hosts, KEYED_COLUMNS, `No host is known by ${key}.`);
  if (hosts.length === 0) return print.note(`No host is known by ${key}.`);
  for (const { hostname, account, object_type, archived, keys } of hosts) {
    const from = account === null ? 'no account' : `account ${printable(account)}`;
    const state = archived === null ? '' : `, archived ${momentText(archived.at)} (${ARCHIVE_REASONS[archived.by]})`;
    await print.result(`${print.colours.bold(printable(hostname))}  ${printable(object_type)} of ${from}${state}\n`);
    await print.result(fieldLines(keyFields(keys), print.colours).replace(/^(?=.)/gm, '  '));
  }
  if (is_cut) print.note('… and more; a key shared by this many hosts identifies none of them');
}

export function keyFields(keys: KeyValues): readonly Field[] {
  return Object.entries(keys).map(([name, values]): Field => [printable(name), values.map(printable).join(', ')]);
}

export const KEYED_COLUMNS: readonly Column<KeyedHosts['hosts'][number]>[] = [
  { header: 'host', value: ({ hostname }) => hostname },
  { header: 'account', value: ({ account }) => account ?? '' },
  { header: 'type', value: ({ object_type }) => object_type },
  { header: 'archived', value: ({ archived }) => (archived === null ? '' : momentText(archived.at)) },
  {
    header: 'keys',
    value: ({ keys }) =>
      Object.entries(keys)
        .map(([name, values]) => `${name}=${values.join(',')}`)
        .join(' '),
    shrink: true,
  },
];
