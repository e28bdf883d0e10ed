import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { may, useSession } from '../calls/session.ts';
import { useAction } from '../calls/use-call.ts';
import { reportWithUndo } from '../parts/report-with-undo.tsx';
import type { Change } from './history-filter.ts';
import { HOST_CHANGES, type Host } from './host.ts';
import { undoOf } from './labels/change-labels.tsx';
import { labelsBefore } from './labels/labels-before.ts';
import { writeRefusal } from './write-refusal.ts';

interface PutBackProps {
  readonly host: Host;
  readonly change: Change;
}

/** Restores labels to their values before a change, if that would change anything and the user may. */
export function PutBack({ host, change }: PutBackProps) {
  const session = useSession();
  const { hostname } = host;
  const put = useAction('hosts/change-labels', { changes: [...HOST_CHANGES, 'search'] });
  const before = labelsBefore(host.labels, change);
  if (before === undefined || writeRefusal(host) !== undefined || !may(session, 'hosts/change-labels')) return null;

  function putBack(): void {
    put.mutate(
      { hosts: [{ hostname, ...before }] },
      {
        onSuccess: (outcome) =>
          reportWithUndo(t`The labels of ${hostname} are as before this change`, () =>
            put.mutate({ hosts: [...undoOf(outcome)] }),
          ),
      },
    );
  }

  return (
    <Button size="compact-xs" variant="subtle" loading={put.isPending} onClick={putBack}>
      <Trans>Put the labels back</Trans>
    </Button>
  );
}
