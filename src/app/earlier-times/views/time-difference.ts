import { counted, grouped } from '../../../kit/words/amounts.ts';
import { type Change, changeLine } from '../../../kit/words/changes.ts';
import { printable } from '../../../kit/words/escape.ts';
import { momentText } from '../../../kit/words/moment.ts';
import type { Print } from '../../kernel/print.ts';

interface Difference {
  readonly provider: string;
  readonly since: string;
  readonly hosts: number;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly details: readonly {
    readonly hostname: string;
    readonly change: 'added' | 'removed' | 'changed';
    readonly by: readonly string[];
    readonly joined: readonly string[];
    readonly left: readonly string[];
    readonly change_count: number;
    readonly changes: readonly Change[];
  }[];
  readonly rules: readonly { readonly rule_type: string; readonly name: string; readonly change: string }[];
  readonly rule_count: number;
  readonly unknown: readonly string[];
}

/** Prints the differences of an inventory between then and today: hosts, groups, variables, and changed rules. */
export async function timeDifferenceView(answer: Difference, print: Print): Promise<void> {
  const { colours } = print;
  for (const host of answer.details) {
    const name = colours.bold(printable(host.hostname));
    const cause = host.by.length === 0 ? '' : `  by ${host.by.join(' and ')}`;
    const lines = [
      ...host.left.map((group) => colours.red(`  - group ${printable(group)}`)),
      ...host.joined.map((group) => colours.green(`  + group ${printable(group)}`)),
      ...host.changes.map((change) => changeLine(change, colours)),
    ];
    if (host.change_count > host.changes.length) {
      lines.push(`  … first ${grouped(host.changes.length)} of ${counted(host.change_count, 'variable')}`);
    }
    if (host.change === 'changed') await print.result(`${[`~ ${name}${cause}`, ...lines].join('\n')}\n`);
    else if (host.change === 'added') await print.result(`${colours.green('+')} ${name}${cause}\n`);
    else await print.result(`${colours.red('-')} ${name}${cause}\n`);
  }
  const { added, removed, changed, details, rules, rule_count } = answer;
  const total = added + removed + changed;
  if (total > details.length) print.note(`First ${grouped(details.length)} of ${grouped(total)}; --limit shows more.`);
  for (const { rule_type, name, change } of rules) {
    const what = rule_type === 'accounts' ? 'Account' : 'Rule';
    print.note(`${what} ${change}: ${what === 'Rule' ? `${rule_type} ` : ''}${printable(name)}`);
  }
  if (rule_count > rules.length)
    print.note(
      `First ${grouped(rules.length)} of ${counted(rule_count, 'changed rule or account', 'changed rules and accounts')}.`,
    );
  for (const text of answer.unknown) print.note(`Not known: ${printable(text)}`);
  print.note(
    `Inventory ${printable(answer.provider)} now and at ${momentText(answer.since)} UTC, of ${counted(answer.hosts, 'stored host')}: ${
      total === 0
        ? 'no difference.'
        : `${grouped(added)} added, ${grouped(removed)} removed, ${grouped(changed)} changed.`
    }`,
  );
}
