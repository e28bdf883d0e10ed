import { counted } from '../../../kit/words/amounts.ts';
import { printable } from '../../../kit/words/escape.ts';
import type { Print } from '../../kernel/print.ts';

/** What is named to a person; all of it is in `--json` and in the log. */
const MAX_NAMED = 25;

/** What a run did not get through, a line each. `total` counts those too that the report does not name. */
export function troubleView(lines: readonly string[], total: number, noun: string, print: Print): void {
  const named = lines.slice(0, MAX_NAMED);
  for (const line of named) print.note(print.noteColours.yellow(printable(line)));
  const unnamed = total - named.length;
  if (unnamed > 0) print.note(print.noteColours.yellow(`… and ${counted(unnamed, noun)} (see --json)`));
}

interface Ended {
  readonly account: string;
  readonly status: 'done' | 'partial' | 'failed';
  readonly message: string;
  readonly cancelled: boolean;
}

/** How a run ended, where it did not get to its end; the command ends with that. `kept` says what a stopped one leaves. */
export function outcomeView(kind: 'import' | 'export', report: Ended, kept: string, print: Print): void {
  const { account, status, message, cancelled } = report;
  if (cancelled) {
    print.note(`muster: stopped. ${kept}`);
    print.cancelled();
  } else if (status !== 'done') {
    const ended = status === 'failed' ? 'failed' : 'is not complete';
    print.note(print.noteColours.red(`muster: ${kind} of ${account} ${ended}: ${printable(message)}`));
    print.failed();
  }
}
