import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useAction } from '../calls/use-call.ts';
import { confirm } from '../parts/confirm.ts';
import { usePreferences } from '../parts/preferences.ts';
import type { CronGroup } from './group-state.tsx';
import { skippedText } from './skipped-start.ts';

interface RunButtonProps {
  readonly group: CronGroup;
  readonly size?: 'compact-sm' | 'sm';
}

/** Requests a run of the group, or cancels the request. */
export function RunButton({ group, size = 'sm' }: RunButtonProps) {
  const { name } = group;
  const { zone } = usePreferences();
  const trigger = useAction('cron/trigger-group', { done: ({ note }) => `${name}: ${note}`, changes: ['cron'] });
  const withdraw = useAction('cron/set-run-once-next', {
    done: t`${name} no longer runs on the next pass`,
    changes: ['cron'],
  });
  const start = useAction('cron/run-group', { done: t`${name} has started`, changes: ['cron'] });
  const isPaused = group.paused_until !== null;
  if (group.run_once_next && !isPaused) {
    return (
      <Button
        size={size}
        variant="default"
        leftSection={<IconPlayerStop size={14} aria-hidden />}
        aria-label={t`Withdraw request: ${name}`}
        loading={withdraw.isPending}
        onClick={() => withdraw.mutate({ job_name: name, run_once_next: false })}
      >
        <Trans>Withdraw request</Trans>
      </Button>
    );
  }
  return (
    <Button
      size={size}
      variant="default"
      leftSection={<IconPlayerPlay size={14} aria-hidden />}
      aria-label={t`Run now: ${name}`}
      title={isPaused ? undefined : group.is_running ? t`Runs again after this run` : t`The next cron pass runs it`}
      loading={trigger.isPending || start.isPending}
      onClick={() => {
        const run = () => {
          if (isPaused) start.mutate({ group_name: name, despite_pause: true, waits: false });
          else trigger.mutate({ group_name: name });
        };
        const text = skippedText(group, zone, Date.now());
        if (text === undefined) run();
        else confirm({ title: t`Run ${name} now?`, text, yes: t`Run now`, isGentle: true, onYes: run });
      }}
    >
      <Trans>Run now</Trans>
    </Button>
  );
}
