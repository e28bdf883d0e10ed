import { type Change, changeLine, changeText } from '../../../kit/words/changes.ts';
import { printable } from '../../../kit/words/escape.ts';
import { momentText } from '../../../kit/words/moment.ts';
import type { Column, Print } from '../../kernel/print.ts';

interface History {
  readonly hostname: string;
  readonly changes: readonly {
    readonly time: string;
    readonly kind: string;
    readonly by: string;
    readonly changes: readonly Change[];
  }[];
  readonly next: string | null;
}

/** Prints the changes of a host: when, how and by which actor, each member on a line. */
export async function historyView({ hostname, changes, next }: History, print: Print): Promise<void> {
  if (next !== null)
    print.note(
      `There are older changes: --limit shows more, and GET /api/v1/changes continues with before=${printable(next)}.`,
    );
  if (print.asksForTable) return print.table(changes, CHANGE_COLUMNS, `Nothing is recorded about ${hostname}.`);
  if (changes.length === 0) return print.note(`Nothing is recorded about ${hostname}.`);
  for (const { time, kind, by, changes: members } of changes) {
    const head = `${momentText(time)}  ${print.colours.bold(kind)}  by ${printable(by)}`;
    const lines = members.map((member) => changeLine(member, print.colours));
    await print.result(`${[head, ...lines].join('\n')}\n`);
  }
}

export const CHANGE_COLUMNS: readonly Column<History['changes'][number]>[] = [
  { header: 'time (UTC)', value: ({ time }) => momentText(time) },
  { header: 'kind', value: ({ kind }) => kind },
  { header: 'by', value: ({ by }) => by },
  { header: 'changes', value: ({ changes }) => changes.map(changeText).join('; '), shrink: true },
];
