import { counted, grouped } from '../../../kit/words/amounts.ts';
import type { Column, Print } from '../../kernel/print.ts';

interface Made {
  readonly rule_type: string;
  readonly name: string;
  readonly autorule: string;
  readonly hostname: string;
  readonly enabled: boolean;
  readonly sort_field: number;
}

interface Preview {
  readonly hosts: number;
  readonly rules: number;
  readonly enabled: number;
  readonly positions: { readonly lowest: number; readonly highest: number } | null;
  readonly errors: number;
  readonly first: readonly Made[];
  readonly problems: readonly string[];
}

interface Pass {
  readonly began_at: string;
  readonly rules: number;
}

/** Prints the rules that autorules would make, and their errors. */
export async function autorulesPreviewView(
  { hosts, rules, enabled, positions, errors, first, problems }: Preview,
  print: Print,
): Promise<void> {
  await print.table(first, MADE, 'Autorules would make no rule.');
  const beyond = rules > first.length ? `; the first ${first.length} are listed` : '';
  print.note(`Would make ${counted(rules, 'rule')} for ${counted(hosts, 'host')}${beyond}.`);
  if (positions !== null) print.note(`${stateOf(rules, enabled)}, at ${placesOf(positions)}.`);
  for (const problem of problems) print.note(problem);
  if (errors > problems.length) print.note(`${counted(errors, 'error')} in all.`);
}

function stateOf(rules: number, enabled: number): string {
  if (enabled === rules) return 'All of them enabled';
  return enabled === 0 ? 'All of them disabled' : `${grouped(enabled)} enabled, ${grouped(rules - enabled)} disabled`;
}

function placesOf({ lowest, highest }: NonNullable<Preview['positions']>): string {
  return lowest === highest ? `position ${lowest}` : `positions ${lowest} to ${highest}`;
}

export function autorulesPassesView({ passes }: { readonly passes: readonly Pass[] }, print: Print): Promise<void> {
  return print.table(passes, PASS_COLUMNS, 'No rule is left as autorules made it.');
}

const MADE: readonly Column<Made>[] = [
  { header: 'type', value: ({ rule_type }) => rule_type },
  { header: 'name', value: ({ name }) => name, shrink: true },
  { header: 'autorule', value: ({ autorule }) => autorule },
  { header: 'host', value: ({ hostname }) => hostname },
];

export const PASS_COLUMNS: readonly Column<Pass>[] = [
  { header: 'began (UTC)', value: ({ began_at }) => began_at },
  { header: 'rules', value: ({ rules }) => String(rules) },
];
