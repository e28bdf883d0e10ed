import type { Column, Print } from '../../../kernel/print.ts';
import type { GroupOverview } from '../group-overview.ts';
import { nextRunOf, scheduleText, stateOf } from '../words.ts';

/** Prints a group per line: its state, its schedule, and the message of its last run. */
export function groupsView({ groups }: { readonly groups: readonly GroupOverview[] }, print: Print): Promise<void> {
  return print.table(groups, GROUP_COLUMNS, 'There are no cron groups; "muster rules import" brings them in.');
}

export const GROUP_COLUMNS: readonly Column<GroupOverview>[] = [
  { header: 'group', value: (group) => group.name },
  { header: 'state', value: stateOf, paint: (text, group, colours) => (group.has_error ? colours.red(text) : text) },
  { header: 'last start (UTC)', value: (group) => group.last_start ?? 'never' },
  { header: 'next run (UTC)', value: nextRunText },
  { header: 'schedule', value: scheduleText },
  { header: 'webhook', value: (group) => group.webhook },
  { header: 'message', value: (group) => group.last_message, shrink: true },
];

function nextRunText(group: GroupOverview): string {
  const next = nextRunOf(group);
  return 'at' in next ? next.at : next.words;
}
