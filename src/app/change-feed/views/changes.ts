import { type Change, changeLine } from '../../../kit/words/changes.ts';
import { printable } from '../../../kit/words/escape.ts';
import { momentText } from '../../../kit/words/moment.ts';
import type { Print } from '../../kernel/print.ts';

interface Changes {
  readonly changes: readonly {
    readonly hostname: string;
    readonly time: string;
    readonly kind: string;
    readonly by: string;
    readonly changes: readonly Change[];
  }[];
}

/** Prints the changes of hosts: when, which, how and by which actor, each member on a line. */
export async function changesView({ changes }: Changes, print: Print): Promise<void> {
  if (changes.length === 0) return print.note('Nothing changed, as far as it is recorded.');
  for (const { hostname, time, kind, by, changes: members } of changes) {
    const head = `${momentText(time)}  ${print.colours.bold(printable(hostname))}  ${kind}  by ${printable(by)}`;
    const lines = members.map((member) => changeLine(member, print.colours));
    await print.result(`${[head, ...lines].join('\n')}\n`);
  }
}
