import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Modal } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import { useState } from 'react';
import { AutorulesDialog } from './autorules-dialog.tsx';

/** Opens what autorules would make. */
export function RunAutorules() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconWand size={16} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Trans>Run autorules…</Trans>
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={t`Run autorules`} size="lg">
        <AutorulesDialog onDone={() => setOpen(false)} />
      </Modal>
    </>
  );
}
