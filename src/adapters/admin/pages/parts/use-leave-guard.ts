import { t } from '@lingui/core/macro';
import { modals } from '@mantine/modals';
import { useBlocker } from '@tanstack/react-router';
import { useRef } from 'react';

/**
 * Asks before a page with changes that are not saved is left. The answer is for who leads on to another page after saving: from then on
 * nobody is asked.
 */
export function useLeaveGuard(isChanged: boolean): () => void {
  const isSaved = useRef(false);
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      current.pathname === next.pathname || isSaved.current || !isChanged ? false : askToStay(),
    enableBeforeUnload: () => isChanged && !isSaved.current,
  });
  return () => {
    isSaved.current = true;
  };
}

function askToStay(): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title: t`Leave without saving?`,
      children: t`Your changes are not saved and will be lost.`,
      labels: { confirm: t`Leave`, cancel: t`Stay` },
      confirmProps: { color: 'red' },
      onConfirm: () => resolve(false),
      onCancel: () => resolve(true),
      onClose: () => resolve(true),
    });
  });
}
