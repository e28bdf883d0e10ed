import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconWand } from '@tabler/icons-react';
import { showProblem } from '../calls/use-call.ts';
import { useRun } from '../calls/use-run.ts';
import { TextLink } from '../parts/links.tsx';
import { CHANGED_BY_RULES } from './rule-type.ts';

/** Makes the rules that autorules make, as the cron job does. It only adds rules, so that nobody is asked first. */
export function RunAutorules() {
  const run = useRun('rules/run-autorules', [...CHANGED_BY_RULES, 'syncer']);
  return (
    <Button
      variant="default"
      leftSection={<IconWand size={16} aria-hidden />}
      loading={run.isPending}
      onClick={() =>
        run.mutate(
          {},
          {
            onSuccess: () =>
              notifications.show({
                color: 'green',
                title: 'Autorules have run',
                message: (
                  <>
                    The rules that they created, and what failed, are in the <TextLink to="/logs">logs</TextLink> under
                    Autorules.
                  </>
                ),
              }),
            onError: showProblem,
          },
        )
      }
    >
      Run autorules
    </Button>
  );
}
