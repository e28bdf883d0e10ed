import { listWaiting } from '../../../../app/rules/operations/list-waiting.ts';
import type { Column } from '../../../../app/words/print.ts';
import { momentText } from '../../../../app/words/time.ts';
import type { CommandContext } from '../../context.ts';

type Waiting = Awaited<ReturnType<typeof listWaiting.run>>['waiting'][number];

/** More than anybody reads at once. */
const MOST = 1000;

export async function showWaiting(context: CommandContext, options: { json?: true }): Promise<void> {
  const answer = await context.value(listWaiting, { limit: MOST });
  if (options.json) return context.json(answer);
  await context.table(answer.waiting, COLUMNS, 'Nothing waits for an administrator.');
  if (answer.more) context.note(`… and more than these ${MOST}`);
  if (answer.waiting.length > 0) context.note('Read and confirm one: muster rules confirm <type> <name>');
}

const COLUMNS: readonly Column<Waiting>[] = [
  { header: 'type', value: ({ rule_type }) => rule_type },
  { header: 'name', value: ({ name }) => name },
  { header: 'id', value: ({ id }) => id },
  { header: 'version', align: 'right', value: ({ version }) => String(version) },
  { header: 'it', value: ({ acts }) => acts.join(', ') },
  { header: 'written by', value: ({ changed_by }) => changed_by },
  { header: 'at', value: ({ changed_at }) => momentText(changed_at) },
];
