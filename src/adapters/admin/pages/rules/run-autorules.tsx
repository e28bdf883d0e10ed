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
        Run autorules…
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Run autorules" size="lg">
        <AutorulesDialog onDone={() => setOpen(false)} />
      </Modal>
    </>
  );
}
