import { counted } from '../../../kit/words/amounts.ts';
import { printable } from '../../../kit/words/escape.ts';
import type { Column, Print } from '../../kernel/print.ts';

interface Fired {
  readonly status: 'done' | 'failed';
  readonly message: string;
  readonly runs: readonly FiredRun[];
  readonly baselines: readonly Baseline[];
  readonly problems: readonly { readonly rule: string; readonly message: string }[];
}

/** A rule of another installation, of which nothing runs yet. */
interface Baseline {
  readonly rule: string;
  readonly matches: number;
  readonly open: number;
  readonly evaluated: boolean;
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

export function firedOutcome({ status, baselines, problems }: Fired, print: Print): void {
  for (const baseline of baselines) print.note(printable(baselineText(baseline)));

  for (const { rule, message } of problems) {
    print.note(print.noteColours.yellow(printable(`rule ${rule}: ${message}`)));
  }
  if (status === 'failed') print.failed();
}

function baselineText({ rule, matches, open, evaluated }: Baseline): string {
  const head = `rule ${rule} comes from another installation`;
  if (!evaluated) return `${head} and is not evaluated yet: what it matches in its first pass will count as fired`;
  const more = open === 0 ? '' : `; so will what it matches on ${counted(open, 'host')} where that is not known yet`;
  return `${head}: ${counted(matches, 'match of today counts', 'matches of today count')} as fired and nothing runs${more}`;
}
