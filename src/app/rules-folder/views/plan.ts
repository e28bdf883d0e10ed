import { counted, grouped } from '../../../kit/words/amounts.ts';
import { type Change, changeLine } from '../../../kit/words/changes.ts';
import { printable } from '../../../kit/words/escape.ts';
import { momentText } from '../../../kit/words/moment.ts';
import type { Colours, Print } from '../../kernel/print.ts';

interface Drift {
  readonly change: 'changed' | 'removed';
  readonly by: string;
  readonly at: string;
  readonly changes: readonly Change[];
}

interface PlannedChange {
  readonly rule_type: string;
  readonly name: string;
  readonly action: 'create' | 'update' | 'delete';
  readonly place: string | null;
  readonly changes: readonly Change[];
  readonly drift: Drift | null;
  readonly taken_from: string | null;
}

interface Plan {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
  readonly unchanged: number;
  readonly changes: readonly PlannedChange[];
  readonly not_in_folder: readonly { readonly rule_type: string; readonly name: string; readonly reason: string }[];
  readonly warnings: readonly {
    readonly rule_type: string;
    readonly name: string;
    readonly place: string | null;
    readonly path: string;
    readonly message: string;
  }[];
}

const SIGNS = { create: '+', update: '~', delete: '-' } as const;

/** Prints the changes that an apply would make: each document on a line, below it its fields, and changes made by hand. */
export async function folderPlanView(plan: Plan, print: Print): Promise<void> {
  for (const change of plan.changes) await print.result(`${changeLines(change, print.colours).join('\n')}\n`);
}

/** Prints notes in addition to the result. */
export function folderPlanNotes(plan: Plan, print: Print): void {
  const { noteColours: colours } = print;
  for (const { rule_type, name, reason } of plan.not_in_folder) {
    const why =
      reason === 'needs_prune'
        ? 'is not in the folder any more; --prune removes it'
        : 'is not in the folder any more, and stays, because it was made by hand';
    print.note(colours.dim(`${rule_type} ${name} ${why}`));
  }
  for (const { rule_type, name, place, path, message } of plan.warnings) {
    const about = [place, `${rule_type} ${name}`, path].filter((part) => part !== null && part !== '').join(': ');
    print.note(colours.yellow(`warning: ${about}: ${message}`));
  }
}

/** `2 to create, 1 to change, 37 as they are` */
export function folderPlanSummary(plan: Plan, done = false): string {
  const to = done ? '' : 'to ';
  const parts = [
    [plan.create, done ? 'created' : `${to}create`],
    [plan.update, done ? 'changed' : `${to}change`],
    [plan.delete, done ? 'removed' : `${to}remove`],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, words]) => `${grouped(count)} ${words}`);
  if (told.length === 0) return `Nothing to do: ${counted(plan.unchanged, 'document')} as the folder says.`;
  return `${[...told, `${grouped(plan.unchanged)} as they are`].join(', ')}.`;
}

function changeLines({ rule_type, name, action, place, changes, drift, taken_from }: PlannedChange, colours: Colours) {
  const paint = { create: colours.green, update: colours.yellow, delete: colours.red }[action];
  const where = place === null ? '' : `  ${colours.dim(printable(place))}`;
  const lines = [`${paint(`${SIGNS[action]} ${printable(rule_type)} ${printable(name)}`)}${where}`];
  for (const change of changes) lines.push(`  ${changeLine(change, colours)}`);
  if (taken_from !== null) lines.push(`    ! belongs to the set ${printable(taken_from)}`);
  if (drift !== null) {
    const what = drift.change === 'removed' ? 'removed' : 'changed';
    lines.push(
      `    ${colours.yellow(`! ${what} by hand since the last apply`)}, by ${printable(drift.by)}, ${momentText(drift.at)}`,
    );
    for (const change of drift.changes) lines.push(`      ${changeLine(change, colours)}`);
  }
  return lines;
}
