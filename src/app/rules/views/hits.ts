import { counted, grouped } from '../../../kit/words/amounts.ts';
import type { Column, Print } from '../../kernel/print.ts';

interface ShownRule {
  readonly rule_type: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly sort_field: number;
  readonly matches: number | null;
  readonly failing: number;
}

interface ShownHits {
  readonly rules: readonly ShownRule[];
  readonly counted: number;
  readonly hosts: number;
  readonly is_exact: boolean;
}

/** All rules in their order, and what each hits. */
export async function hitsView(
  { rules, counted: looked, hosts, is_exact: isExact }: ShownHits,
  print: Print,
): Promise<void> {
  await print.table(rules, COLUMNS, 'There are no such rules.');
  if (!isExact) print.note(`Counted ${grouped(looked)} of ${counted(hosts, 'host')}; leave out --seconds for all.`);
}

const COLUMNS: readonly Column<ShownRule>[] = [
  { header: 'TYPE', value: ({ rule_type }) => rule_type },
  { header: 'POSITION', value: ({ sort_field }) => String(sort_field) },
  { header: 'RULE', value: ({ name }) => name },
  { header: 'ENABLED', value: ({ enabled }) => (enabled ? 'yes' : 'no') },
  { header: 'HOSTS', value: ({ matches }) => (matches === null ? '' : grouped(matches)) },
  { header: 'FAILING', value: ({ failing }) => (failing === 0 ? '' : grouped(failing)) },
];
