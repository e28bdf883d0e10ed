import { t } from '@lingui/core/macro';
import { Button, Modal } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import { useState } from 'react';
import { AutorulesDialog, type OneAutorule } from './autorules-dialog.tsx';

interface RunAutorulesProps {
  /** The only one to run; absent: all that are enabled. */
  readonly autorule?: OneAutorule;
}

/** Opens what autorules would make. */
export function RunAutorules({ autorule }: RunAutorulesProps) {
  const [isOpen, setOpen] = useState(false);
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
        <AutorulesDialog autorule={autorule} onDone={() => setOpen(false)} />
      </Modal>
    </>
  );
}
