import { modals } from '@mantine/modals';
import { useBlocker } from '@tanstack/react-router';

/** Asks before a page with changes that are not saved is left. */
export function useLeaveGuard(isChanged: () => boolean): void {
  useBlocker({
    shouldBlockFn: ({ current, next }) => (current.pathname === next.pathname || !isChanged() ? false : askToStay()),
    enableBeforeUnload: isChanged,
  });
}

function askToStay(): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title: 'Leave without saving?',
      children: 'Your changes are not saved and will be lost.',
      labels: { confirm: 'Leave', cancel: 'Stay' },
      confirmProps: { color: 'red' },
      onConfirm: () => resolve(false),
      onCancel: () => resolve(true),
      onClose: () => resolve(true),
    });
  });
}
