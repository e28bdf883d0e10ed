import { type Change, changeLine, changeText } from '../../../kit/words/changes.ts';
import { printable } from '../../../kit/words/escape.ts';
import { momentText } from '../../../kit/words/moment.ts';
import type { Column, Print } from '../../kernel/print.ts';
import { VERSION_WORDS } from '../words.ts';

interface History {
  readonly versions: readonly {
    readonly version: number;
    readonly time: string;
    readonly by: string;
    readonly change: 'created' | 'replaced' | 'removed';
    readonly changes: readonly Change[];
  }[];
}

/** The versions of a rule: who changed what, and when, each member on a line. */
export async function ruleHistoryView({ versions }: History, print: Print): Promise<void> {
  if (print.asksForTable) return print.table(versions, VERSION_COLUMNS, 'No version is kept.');
  const { colours } = print;
  for (const { version, time, by, change, changes } of versions) {
    const head = `${colours.bold(`version ${version}`)}  ${momentText(time)}  ${VERSION_WORDS[change]} by ${printable(by)}`;
    // The first version would repeat the whole document.
    const lines = change === 'created' ? [] : changes.map((member) => changeLine(member, colours));
    await print.result(`${[head, ...lines].join('\n')}\n`);
  }
}

interface Compared {
  readonly from: number;
  readonly to: number;
  readonly changes: readonly Change[];
}

/** Prints the differences between two versions, one member per line. */
export async function comparedVersionsView({ from, to, changes }: Compared, print: Print): Promise<void> {
  if (changes.length === 0) return print.note(`Versions ${from} and ${to} do not differ in anything that may be seen.`);
  await print.result(`${changes.map((member) => changeLine(member, print.colours)).join('\n')}\n`);
}

export const VERSION_COLUMNS: readonly Column<History['versions'][number]>[] = [
  { header: 'version', align: 'right', value: ({ version }) => String(version) },
  { header: 'time (UTC)', value: ({ time }) => momentText(time) },
  { header: 'change', value: ({ change }) => VERSION_WORDS[change] },
  { header: 'by', value: ({ by }) => by },
  { header: 'changes', value: ({ changes }) => changes.map(changeText).join('; '), shrink: true },
];
