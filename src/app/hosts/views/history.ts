import type { Print } from '../../kernel/print.ts';
import { type Change, changeLine } from '../../words/changes.ts';
import { printable } from '../../words/escape.ts';
import { momentText } from '../../words/moment.ts';

interface History {
  readonly hostname: string;
  readonly changes: readonly {
    readonly time: string;
    readonly kind: string;
    readonly by: string;
    readonly changes: readonly Change[];
  }[];
}

/** What changed at a host: when, how and by whom, each member on a line. */
export async function historyView({ hostname, changes }: History, print: Print): Promise<void> {
  if (changes.length === 0) return print.note(`Nothing is recorded about ${hostname}.`);
  for (const { time, kind, by, changes: members } of changes) {
    const head = `${momentText(time)}  ${print.colours.bold(kind)}  by ${printable(by)}`;
    const lines = members.map((member) => changeLine(member, print.colours));
    await print.result(`${[head, ...lines].join('\n')}\n`);
  }
}
