import { counted, grouped } from '../../../kit/words/amounts.ts';
import { printable } from '../../../kit/words/escape.ts';
import type { Column, Print } from '../../kernel/print.ts';

interface ShownRule {
  readonly rule_type: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly sort_field: number;
  readonly matches: number | null;
}

interface ShownProject {
  readonly name: string;
  readonly enabled: boolean;
  readonly rules: readonly ShownRule[];
  readonly counted: number;
  readonly hosts: number;
  readonly is_exact: boolean;
  readonly inventory: string | null;
  readonly exports: readonly string[];
}

/** The rules of a project in their order, and what uses it. */
export async function projectView(project: ShownProject, print: Print): Promise<void> {
  const { name, enabled, rules, counted: looked, hosts, is_exact: isExact, inventory, exports } = project;
  await print.table(rules, COLUMNS, 'The project has no rules.');
  if (!enabled) print.note(`Project ${printable(name)} is disabled.`);
  if (!isExact && looked > 0) {
    print.note(
      `Matches are of the first ${grouped(looked)} of ${counted(hosts, 'host')}; leave out --seconds for all.`,
    );
  }
  if (inventory !== null) print.note(`Its hosts are in the inventory ${printable(inventory)}.`);
  if (exports.length > 0) print.note(`They are exported to ${exports.map(printable).join(', ')}.`);
}

const COLUMNS: readonly Column<ShownRule>[] = [
  { header: 'TYPE', value: ({ rule_type }) => rule_type },
  { header: 'POSITION', value: ({ sort_field }) => String(sort_field) },
  { header: 'RULE', value: ({ name }) => name },
  { header: 'ENABLED', value: ({ enabled }) => (enabled ? 'yes' : 'no') },
  { header: 'HOSTS', value: ({ matches }) => (matches === null ? '' : grouped(matches)) },
];
