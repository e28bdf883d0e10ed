import { counted } from '../../../kit/words/amounts.ts';
import { printable } from '../../../kit/words/escape.ts';
import type { Print } from '../../kernel/print.ts';

/** Number of lines shown to a person; `--json` and the log have all of them. */
const MAX_NAMED = 25;

/** Prints the failures of a run, one per line. `total` includes those that the report does not name. */
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

/** Prints how a run ended if it did not complete, and sets the outcome of the command. `kept` says what a stopped run leaves. */
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
