import { counted, grouped } from '../../../kit/words/amounts.ts';
import type { Column, Print } from '../../kernel/print.ts';
import { DUPLICATE_WORDS } from '../words.ts';

interface Found {
  readonly hosts: number;
  readonly where: string;
}

interface Report {
  readonly size: number;
  readonly is_exact: boolean;
  readonly unseen_days: number;
  readonly unseen: Found;
  readonly unowned: Found;
  readonly silent_sources: readonly (Found & { readonly account: string })[];
  readonly labels: readonly {
    readonly label: string;
    readonly filled: Found;
    readonly empty: Found;
    readonly missing: Found;
  }[];
  readonly labels_total: number;
  readonly spellings: readonly (Found & {
    readonly label: string;
    readonly spellings: readonly { readonly value: string }[];
  })[];
  readonly spellings_total: number;
  readonly label_names: readonly (Found & { readonly names: readonly { readonly name: string }[] })[];
  readonly label_names_total: number;
  readonly duplicates: readonly (Found & { readonly kind: keyof typeof DUPLICATE_WORDS; readonly value: string })[];
  readonly duplicates_total: Readonly<Record<keyof typeof DUPLICATE_WORDS, number>>;
}

interface Row extends Found {
  readonly finding: string;
  readonly of: string;
}

export const QUALITY_COLUMNS: readonly Column<Row>[] = [
  { header: 'finding', value: ({ finding }) => finding },
  { header: 'of', value: ({ of }) => of, shrink: true },
  { header: 'hosts', align: 'right', sortBy: ({ hosts }) => hosts, value: ({ hosts }) => grouped(hosts) },
  { header: 'query', value: ({ where }) => where, shrink: true },
];

/** Everything that is not as it should be, a row each with the query that finds the hosts. */
export async function qualityView(report: Report, print: Print): Promise<void> {
  const rows = rowsOf(report);
  await print.table(rows, QUALITY_COLUMNS, 'Nothing is missing or doubtful.');
  const { labels, spellings, label_names, duplicates } = report;
  const shown = labels.length + spellings.length + label_names.length + duplicates.length;
  const all = [
    report.labels_total,
    report.spellings_total,
    report.label_names_total,
    ...Object.values(report.duplicates_total),
  ];
  const hidden = all.reduce((sum, total) => sum + total, -shown);
  if (hidden > 0) print.note(`${counted(hidden, 'row')} more: --limit`);
  if (!report.is_exact) print.note(`Only the first ${counted(report.size, 'host')} were looked at, or not all values.`);
}

function rowsOf(report: Report): readonly Row[] {
  const { unseen, unowned, unseen_days, silent_sources, labels, spellings, label_names, duplicates } = report;
  const rows: readonly Row[] = [
    { finding: `not seen for ${counted(unseen_days, 'day')}`, of: '', ...unseen },
    { finding: 'of no account', of: '', ...unowned },
    ...silent_sources.map(({ account, ...found }) => ({ finding: 'silent source', of: account, ...found })),
    ...labels.flatMap(({ label, missing, empty }) => [
      { finding: 'label missing', of: label, ...missing },
      { finding: 'label empty', of: label, ...empty },
    ]),
    ...label_names.map(({ names, hosts, where }) => {
      const of = names.map(({ name }) => name).join(', ');
      return { finding: 'label named differently', of, hosts, where };
    }),
    ...spellings.map(({ label, spellings: values, hosts, where }) => {
      const of = `${label}: ${values.map(({ value }) => JSON.stringify(value)).join(', ')}`;
      return { finding: 'spelled differently', of, hosts, where };
    }),
    ...duplicates.map(({ kind, value, hosts, where }) => ({ finding: DUPLICATE_WORDS[kind], of: value, hosts, where })),
  ];
  return rows.filter(({ hosts }) => hosts > 0);
}
