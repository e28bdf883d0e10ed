import type { GroupOverview } from '../../../../app/runs/cron/group-overview.ts';
import { showCronGroups } from '../../../../app/runs/cron/operations/show-groups.ts';
import { triggerCronGroup } from '../../../../app/runs/cron/operations/trigger-group.ts';
import type { Column } from '../../../../app/words/print.ts';
import type { CommandContext } from '../../context.ts';

export async function showGroups(context: CommandContext, options: { json?: true }): Promise<void> {
  const { groups } = await context.value(showCronGroups, {});
  if (options.json) return context.json(groups);
  await context.table(groups, COLUMNS, 'There are no cron groups; "muster rules import" brings them in.');
}

const COLUMNS: readonly Column<GroupOverview>[] = [
  { header: 'group', value: (group) => group.name },
  { header: 'state', value: stateOf, paint: (text, group, colours) => (group.has_error ? colours.red(text) : text) },
  { header: 'last start (UTC)', value: (group) => group.last_start ?? 'never' },
  { header: 'next run (UTC)', value: nextRunOf },
  { header: 'schedule', value: scheduleOf },
  { header: 'webhook', value: (group) => group.webhook },
  { header: 'message', value: (group) => group.last_message, shrink: true },
];

function stateOf(group: GroupOverview): string {
  if (group.is_running) return 'running';
  if (!group.enabled) return 'disabled';
  if (group.run_once_next) return 'requested';
  if (group.begins_again) return 'cut off';
  if (group.has_error) return 'failed';
  return group.last_start === null ? 'new' : 'ok';
}

function nextRunOf(group: GroupOverview): string {
  if (!group.enabled) return 'when enabled';
  if (group.run_once_next || group.begins_again) return 'next pass';
  if (group.last_start === null) return group.hours === null ? 'next pass' : 'in its hours';
  return group.next_run ?? 'on request';
}

function scheduleOf({ interval_minutes: minutes, hours }: GroupOverview): string {
  const every = minutes === null ? 'on request' : `every ${durationOf(minutes)}`;
  return hours === null ? every : `${every}, ${hours.from} to ${hours.to} h`;
}

function durationOf(minutes: number): string {
  if (minutes % 1440 === 0) return minutes === 1440 ? 'day' : `${minutes / 1440} days`;
  if (minutes % 60 === 0) return minutes === 60 ? 'hour' : `${minutes / 60} hours`;
  return minutes === 1 ? 'minute' : `${minutes} min`;
}

export async function triggerGroupCommand(
  context: CommandContext,
  group: string,
  options: { json?: true },
): Promise<void> {
  const answer = await context.value(triggerCronGroup, { group_name: group });
  if (options.json) return context.json(answer);
  context.note(`Triggered ${group}: ${answer.note}. A running service passes by itself, "muster cron run" passes now.`);
}
