import { t } from '@lingui/core/macro';
import { Badge } from '@mantine/core';
import type { OfferedOutput } from '../../offered-operations.ts';

export type PlaybookRun = OfferedOutput<'playbooks/list-runs'>['runs'][number];

const COLOURS = { running: 'cyan', succeeded: 'green', failed: 'red', cancelled: 'gray', lost: 'orange' } as const;

export function RunStatus({ run: { status, check_mode } }: { readonly run: PlaybookRun }) {
  return (
    <Badge color={COLOURS[status]} variant="light">
      {status}
      {check_mode ? t` (check)` : ''}
    </Badge>
  );
}

export function startedBy({ source, started_by }: PlaybookRun): string {
  return source === 'rule' ? t`rule ${started_by}` : started_by;
}
