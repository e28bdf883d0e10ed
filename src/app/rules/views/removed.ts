import { momentText } from '../../../kit/words/moment.ts';
import type { Column, Print } from '../../kernel/print.ts';

interface RemovedRule {
  readonly rule_type: string;
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly removed_at: string;
  readonly removed_by: string;
}

/** Prints the removed rules, with what "rules revert" needs to restore them. */
export async function removedView(
  { removed, more }: { readonly removed: readonly RemovedRule[]; readonly more: boolean },
  print: Print,
): Promise<void> {
  await print.table(removed, REMOVED_COLUMNS, 'No removed rule is kept.');
  if (more) print.note('There are more; --limit shows more of them.');
  if (removed.length > 0) print.note('Bring one back with "muster rules revert <type> <id> <version>".');
}

export const REMOVED_COLUMNS: readonly Column<RemovedRule>[] = [
  { header: 'when (UTC)', value: ({ removed_at }) => momentText(removed_at) },
  { header: 'by', value: ({ removed_by }) => removed_by },
  { header: 'type', value: ({ rule_type }) => rule_type },
  { header: 'name', value: ({ name }) => name, shrink: true },
  { header: 'id', names: true, value: ({ id }) => id },
  { header: 'version', value: ({ version }) => String(version) },
];
