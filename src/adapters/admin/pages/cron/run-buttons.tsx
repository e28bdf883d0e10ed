import { Button } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useAction } from '../calls/use-call.ts';
import type { CronGroup } from './group-state.tsx';

interface RunButtonProps {
  readonly group: CronGroup;
  readonly size?: 'compact-sm' | 'sm';
}

/** Asks for a run of the group, or takes that back. */
export function RunButton({ group, size = 'sm' }: RunButtonProps) {
  const { name } = group;
  const trigger = useAction('cron/trigger-group', { done: ({ note }) => `${name}: ${note}`, changes: ['cron'] });
  const withdraw = useAction('cron/set-run-once-next', {
    done: `${name} no longer runs on the next pass`,
    changes: ['cron'],
  });
  if (group.run_once_next) {
    return (
      <Button
        size={size}
        variant="default"
        leftSection={<IconPlayerStop size={14} aria-hidden />}
        aria-label={`Withdraw the request for ${name}`}
        loading={withdraw.isPending}
        onClick={() => withdraw.mutate({ job_name: name, run_once_next: false })}
      >
        Withdraw request
      </Button>
    );
  }
  return (
    <Button
      size={size}
      variant="default"
      leftSection={<IconPlayerPlay size={14} aria-hidden />}
      aria-label={`Run ${name} now`}
      title={group.is_running ? 'Runs again after this run' : 'The next cron pass runs it'}
      loading={trigger.isPending}
      onClick={() => trigger.mutate({ group_name: name })}
    >
      Run now
    </Button>
  );
}
