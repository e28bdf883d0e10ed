import type { Column, Print } from '../../kernel/print.ts';

interface Using {
  readonly rule_type: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly uses: readonly { readonly use: string; readonly path: string }[];
}

/** Rules by what they do with an attribute. */
export async function attributeUsesView(
  { rules, more }: { readonly rules: readonly Using[]; readonly more: boolean },
  print: Print,
): Promise<void> {
  await print.table(rules, COLUMNS, 'No rule names this attribute.');
  if (more) print.note('There are more than these.');
}

const COLUMNS: readonly Column<Using>[] = [
  { header: 'TYPE', value: ({ rule_type }) => rule_type },
  { header: 'RULE', value: ({ name }) => name },
  { header: 'ENABLED', value: ({ enabled }) => (enabled ? 'yes' : 'no') },
  { header: 'USES', value: ({ uses }) => uses.map(({ use, path }) => `${use} ${path}`).join(', ') },
];
