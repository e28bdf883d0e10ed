import type { Column, Print } from '../../../kernel/print.ts';
import { printable } from '../../../words/escape.ts';

interface Fired {
  readonly status: 'done' | 'failed';
  readonly message: string;
  readonly runs: readonly FiredRun[];
  readonly problems: readonly { readonly rule: string; readonly message: string }[];
}

interface FiredRun {
  readonly hostname: string;
  readonly playbook: string;
  readonly rule: string;
  readonly provider: string;
  /** null: a dry run began none. */
  readonly status: string | null;
  readonly message: string;
}

export async function firedView({ runs, message }: Fired, print: Print): Promise<void> {
  if (runs.length > 0) await print.table(runs, COLUMNS, '');
  await print.result(`${message}\n`);
}

const COLUMNS: readonly Column<FiredRun>[] = [
  { header: 'host', value: (run) => run.hostname },
  { header: 'playbook', value: (run) => run.playbook },
  { header: 'rule', value: (run) => run.rule },
  { header: 'inventory', value: (run) => run.provider },
  {
    header: 'status',
    value: (run) => run.status ?? 'would run',
    paint: (text, run, colours) => (run.status === null || run.status === 'succeeded' ? text : colours.red(text)),
  },
  { header: 'message', value: (run) => run.message, shrink: true },
];

export function firedOutcome({ status, problems }: Fired, print: Print): void {
  for (const { rule, message } of problems) {
    print.note(print.noteColours.yellow(printable(`rule ${rule}: ${message}`)));
  }
  if (status === 'failed') print.failed();
}
