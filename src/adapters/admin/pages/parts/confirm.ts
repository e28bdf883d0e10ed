import { modals } from '@mantine/modals';

interface Question {
  readonly title: string;
  /** What happens, and how it can be undone. */
  readonly text: string;
  /** The verb on the button. */
  readonly yes: string;
  readonly onYes: () => void;
}

/** Asks before something is taken away. */
export function confirm({ title, text, yes, onYes }: Question): void {
  modals.openConfirmModal({
    title,
    children: text,
    labels: { confirm: yes, cancel: 'Cancel' },
    confirmProps: { color: 'red' },
    onConfirm: onYes,
  });
}
