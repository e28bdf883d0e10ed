import { printable } from '../../../kit/words/escape.ts';
import type { Column, Print } from '../../kernel/print.ts';

interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly warning?: boolean | undefined;
  readonly message: string;
  readonly commands?: readonly string[] | undefined;
}

/** Prints the findings of the doctor, a line each, and below them the commands that mend them. */
export async function findingsView(
  { findings }: { readonly findings: readonly Finding[] },
  print: Print,
): Promise<void> {
  await print.table(findings, FINDING_COLUMNS, 'Nothing was checked.');
  const commands = [...new Set(findings.flatMap(({ commands: mending = [] }) => mending))];
  if (print.asksForTable || commands.length === 0) return;
  const lines = commands.map((command) => `  ${printable(command)}\n`).join('');
  await print.result(`\n${print.colours.bold('Suggested commands:')}\n${lines}`);
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
