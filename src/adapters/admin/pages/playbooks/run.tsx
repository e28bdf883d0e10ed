import { plural, t } from '@lingui/core/macro';
import { Badge } from '@mantine/core';
import type { OfferedOutput } from '../../offered-operations.ts';

export type PlaybookRun = OfferedOutput<'playbooks/list-runs'>['runs'][number];

const COLOURS = { running: 'cyan', succeeded: 'green', failed: 'red', cancelled: 'gray', lost: 'orange' } as const;

/** How the states of a run are called. */
export const STATUS_WORDS: Readonly<Record<PlaybookRun['status'], string>> = {
  running: t`running`,
  succeeded: t`succeeded`,
  failed: t`failed`,
  cancelled: t`cancelled`,
  lost: t`lost`,
};

export function RunStatus({ run: { status, check_mode } }: { readonly run: PlaybookRun }) {
  const words = STATUS_WORDS[status];
  return (
    <Badge color={COLOURS[status]} variant="light">
      {check_mode ? t`${words} (check)` : words}
    </Badge>
  );
}

/** The hosts of the run as text. */
export function hostsText({ hostname, hosts, provider }: PlaybookRun): string {
  if (hostname !== null) return hostname;
  if (hosts === null) return t`all of inventory ${provider}`;
  const count = plural(hosts, { one: '# host', other: '# hosts' });
  return t`${count} of inventory ${provider}`;
}

export function startedBy({ source, started_by }: PlaybookRun): string {
  return source === 'rule' ? t`rule ${started_by}` : started_by;
}
