import { plural, t } from '@lingui/core/macro';
import { Button, Modal } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '../calls/call.ts';
import { has, useSession } from '../calls/session.ts';
import { showProblem } from '../calls/use-call.ts';
import { useRun } from '../calls/use-run.ts';
import { reportWithUndo } from '../parts/report-with-undo.tsx';
import {
  AutorulesDialog,
  CHANGES,
  inputOf,
  type OneAutorule,
  type Preview,
  reportUndone,
  stateWords,
} from './autorules-dialog.tsx';

interface RunAutorulesProps {
  /** The only one to run; absent: all that are enabled. */
  readonly autorule?: OneAutorule;
}

/** Opens a preview of the autorules. */
export function RunAutorules({ autorule }: RunAutorulesProps) {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  // Here, and not in the dialog: runs and undos that end after it was closed are reported too.
  const run = useRun('rules/run-autorules', CHANGES);
  const undo = useRun('rules/undo-autorules', CHANGES);

  function start(planned: Preview): void {
    run.mutate(inputOf(autorule), {
      onError: showProblem,
      async onSuccess() {
        setOpen(false);
        const { passes } = await call('rules/list-autorules-passes', {});
        const newest = passes[0];
        if (newest === undefined) return;
        const made = t`Autorules made ${plural({ count: newest.rules }, { one: '# rule', other: '# rules' })}`;
        const more = newest.rules === planned.rules ? stateWords(planned) : t`the log says more`;
        reportWithUndo(`${made}: ${more}`, () =>
          undo.mutate({ began_at: newest.began_at }, { onError: showProblem, onSuccess: reportUndone }),
        );
      },
    });
  }

  if (!has(session, 'rules/preview-autorules')) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconWand size={16} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {autorule === undefined ? t`Preview and run autorules…` : t`Preview and run…`}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={autorule === undefined ? t`Run autorules` : t`Run this autorule`}
        size="xl"
      >
        <AutorulesDialog autorule={autorule} isRunning={run.isPending} onRun={start} onDone={() => setOpen(false)} />
      </Modal>
    </>
  );
}
