import { counted, grouped } from '../../../kit/words/amounts.ts';
import { printable } from '../../../kit/words/escape.ts';
import type { Column, Print } from '../../kernel/print.ts';

interface FailingHost {
  readonly hostname: string;
  readonly error: string;
}

interface FailingHosts {
  readonly name: string;
  readonly enabled: boolean;
  readonly broken: string | null;
  readonly looked: number;
  readonly failing: number;
  readonly details: readonly FailingHost[];
  readonly next: string | null;
}

export const FAILING_COLUMNS: readonly Column<FailingHost>[] = [
  { header: 'HOST', value: ({ hostname }) => hostname },
  { header: 'ERROR', value: ({ error }) => error, shrink: true },
];

/** Hosts that a rule fails on, how many these are, and of how many. */
export async function failingHostsView(answer: FailingHosts, print: Print): Promise<void> {
  const { name, enabled, broken, looked, failing, details, next } = answer;
  if (broken !== null) return print.note(`${printable(name)} does not compile: ${printable(broken)}`);
  await print.table(details, FAILING_COLUMNS, `No errors on ${counted(looked, 'host')}.`);
  if (failing > details.length) print.note(`It fails on ${grouped(failing)} of ${counted(looked, 'host')}.`);
  if (!enabled) print.note('It is disabled: it would fail on them if it were enabled.');
  if (next !== null) print.note(`Not all hosts were looked at. Go on with --after ${printable(next)}`);
}
