import { t } from '@lingui/core/macro';
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

export function startedBy({ source, started_by }: PlaybookRun): string {
  return source === 'rule' ? t`rule ${started_by}` : started_by;
}
