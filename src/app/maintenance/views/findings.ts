import type { Column, Print } from '../../kernel/print.ts';

interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly warning?: boolean | undefined;
  readonly message: string;
}

/** What the doctor found, a line each. */
export function findingsView({ findings }: { readonly findings: readonly Finding[] }, print: Print): Promise<void> {
  return print.table(findings, FINDING_COLUMNS, 'Nothing was checked.');
}

export const FINDING_COLUMNS: readonly Column<Finding>[] = [
  {
    header: '',
    value: ({ ok, warning }) => (!ok ? '✗' : warning ? '!' : '✓'),
    paint: (text, { ok, warning }, colours) =>
      !ok ? colours.red(text) : warning ? colours.yellow(text) : colours.green(text),
  },
  { header: 'check', names: true, value: ({ check }) => check },
  { header: 'finding', value: ({ message }) => message, shrink: true },
];
