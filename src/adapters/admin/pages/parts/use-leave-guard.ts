import { t } from '@lingui/core/macro';
import { modals } from '@mantine/modals';
import { useBlocker } from '@tanstack/react-router';
import { useRef } from 'react';

/**
 * Asks before a page with unsaved changes is left. The returned function is for code that opens another page after saving: from
 * then on no question is asked. `part` is for a form that is replaced by another when this search parameter of the address
 * changes.
 */
export function useLeaveGuard(isChanged: boolean, part?: string): () => void {
  const isSaved = useRef(false);
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isSaved.current || !isChanged || staysAt(current, next, part) ? false : askToStay(),
    enableBeforeUnload: () => isChanged && !isSaved.current,
  });
  return () => {
    isSaved.current = true;
  };
}

interface Place {
  readonly pathname: string;
  readonly search: object;
}

function staysAt(current: Place, next: Place, part: string | undefined): boolean {
  if (current.pathname !== next.pathname) return false;
  return part === undefined || partOf(current, part) === partOf(next, part);
}

function partOf({ search }: Place, part: string): unknown {
  return new Map<string, unknown>(Object.entries(search)).get(part);
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
