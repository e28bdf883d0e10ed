import type { GroupStatus } from '../../../../app/cron/group-status.ts';
import { listCronGroups } from '../../../../app/operations/cron/list-groups.ts';
import { triggerCronGroup } from '../../../../app/operations/cron/trigger-group.ts';
import type { CommandContext } from '../../context.ts';
import type { Column } from '../../output/table.ts';

export async function showGroups(context: CommandContext, options: { json?: true }): Promise<void> {
  const { result } = await context.value(listCronGroups, {});
  if (options.json) return context.json(result);
  await context.table(result, COLUMNS, 'There are no cron groups; "muster rules import" brings them in.');
}

const COLUMNS: readonly Column<GroupStatus>[] = [
  { header: 'group', value: (group) => group.name },
  { header: 'state', value: stateOf },
  { header: 'last start', value: (group) => group.last_start ?? 'never' },
  { header: 'next run', value: (group) => group.next_run ?? '' },
  { header: 'message', value: (group) => group.last_message, shrink: true },
];

function stateOf(group: GroupStatus): string {
  if (group.is_running) return 'running';
  if (group.has_error) return 'failed';
  return group.last_start === null ? '' : 'ok';
}

export async function triggerGroupCommand(
  context: CommandContext,
  group: string,
  options: { json?: true },
): Promise<void> {
  const answer = await context.value(triggerCronGroup, { group_name: group });
  if (options.json) return context.json(answer);
  context.note(`Triggered ${group}: ${answer.note}.`);
}
