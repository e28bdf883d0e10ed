import { momentText } from '../../../kit/words/moment.ts';
import type { Column, Print } from '../../kernel/print.ts';

interface AgedValue {
  readonly name: string;
  readonly rule: { readonly name: string };
  readonly since: string;
  readonly is_exact: boolean;
  readonly by: 'rule' | 'rules' | 'host' | 'created' | null;
  readonly version: number | null;
}

const CAUSES = {
  rule: 'change of the rule',
  rules: 'change of other rules',
  host: 'change of the host',
  created: 'creation of the host',
} as const;

export const VALUE_COLUMNS: readonly Column<AgedValue>[] = [
  { header: 'name', value: ({ name }) => name },
  {
    header: 'rule',
    value: ({ rule, version }) => (version === null ? rule.name : `${rule.name} (version ${version})`),
  },
  {
    header: 'since (UTC)',
    value: ({ since, is_exact: isExact }) => `${isExact ? '' : 'at least '}${momentText(since)}`,
  },
  { header: 'by', value: ({ by }) => (by === null ? '' : CAUSES[by]) },
];

/** Values that rules set, with since when. */
export async function valuesSinceView(
  { values, unknown }: { readonly values: readonly AgedValue[]; readonly unknown: readonly string[] },
  print: Print,
): Promise<void> {
  await print.table(values, VALUE_COLUMNS, 'No rule sets a value of this host.');
  for (const line of unknown) print.note(`Not known: ${line}.`);
}
