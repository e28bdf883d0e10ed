import { counted, grouped } from '../../../kit/words/amounts.ts';
import { printable } from '../../../kit/words/escape.ts';
import type { Print } from '../../kernel/print.ts';
import type { compareInventory } from '../operations/compare-inventory.ts';

type Comparison = Awaited<ReturnType<typeof compareInventory.run>>;
type Group = Comparison['groups'][number];

const HOW: Readonly<Record<Group['how'], string>> = {
  changed: 'has another value',
  type: 'is the same text as a value of another type',
  missing: 'is missing here',
  added: 'is here only',
};

/** The groups, those with most differences first, each with what made ours and some hosts. */
export async function comparisonView({ groups }: Comparison, print: Print): Promise<void> {
  for (const group of groups) {
    const { variable, how, count, cause, rule, examples } = group;
    const what = variable === null ? 'the host' : `variable ${print.colours.bold(printable(variable))}`;
    const by = rule === null ? printable(cause) : printable(`${cause}: "${rule.name}" (${rule.type} ${rule.id})`);
    const lines = examples.map((example) => `    ${exampleText(group, example)}\n`);
    await print.result(`${counted(count, 'host')}: ${what} ${HOW[how]}\n  ← ${by}\n${lines.join('')}`);
  }
}

/** Differences fail the command, so that a script notices them. */
export function comparisonOutcome({ provider, hosts, differences, groups }: Comparison, print: Print): void {
  const counts = `${counted(hosts.theirs, 'host')} there, ${counted(hosts.ours, 'host')} in ${provider}, ${grouped(hosts.same)} of them equal`;
  if (differences === 0) {
    print.note(`No differences: ${counts}.`);
    return;
  }
  print.note(`muster: ${counted(differences, 'difference')} with ${counted(groups.length, 'cause')}: ${counts}`);
  print.failed();
}

function exampleText({ variable }: Group, { hostname, theirs, ours }: Group['examples'][number]): string {
  if (variable === null) return printable(hostname);
  // As JSON, which distinguishes a text from a number.
  const side = (value: unknown): string => JSON.stringify(value) ?? 'nothing';
  return printable(`${hostname}: ${side(theirs)} → ${side(ours)}`);
}
