import { confirmRule } from '../../../../app/operations/rules/confirm-rule.ts';
import { listWaiting } from '../../../../app/operations/rules/list-waiting.ts';
import type { CommandContext } from '../../context.ts';
import { printable } from '../../output/escape.ts';
import type { Column } from '../../output/table.ts';
import { momentText } from '../../output/time.ts';

type Waiting = Awaited<ReturnType<typeof listWaiting.run>>['waiting'][number];

/** More than anybody reads at once. */
const MOST = 1000;

export async function showWaiting(context: CommandContext, options: { json?: true }): Promise<void> {
  const answer = await context.value(listWaiting, { limit: MOST });
  if (options.json) return context.json(answer);
  await context.table(answer.waiting, COLUMNS, 'Nothing waits for an administrator.');
  if (answer.more) context.note(`… and more than these ${MOST}`);
  if (answer.waiting.length > 0) context.note('Confirm one: muster rules confirm <type> <name>');
}

export async function confirmDocument(
  context: CommandContext,
  type: string,
  name: string,
  options: { json?: true },
): Promise<void> {
  const answer = await context.value(confirmRule, { rule_type: type, rule: name });
  if (options.json) return context.json(answer);
  const acts = answer.acts.length === 0 ? 'makes the machine do nothing' : answer.acts.join(', ');
  context.note(printable(`${answer.rule_type} ${answer.name} is confirmed. It ${acts}.`));
}

const COLUMNS: readonly Column<Waiting>[] = [
  { header: 'type', value: ({ rule_type }) => rule_type },
  { header: 'name', value: ({ name }) => name },
  { header: 'it', value: ({ acts }) => acts.join(', ') },
  { header: 'written by', value: ({ changed_by }) => changed_by },
  { header: 'at', value: ({ changed_at }) => momentText(changed_at) },
];
