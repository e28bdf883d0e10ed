import { t } from '@lingui/core/macro';
import { modals } from '@mantine/modals';

interface Question {
  readonly title: string;
  /** What happens, and how it can be undone. */
  readonly text: string;
  /** The verb on the button. */
  readonly yes: string;
  /** The verb of the other one, where "Cancel" would be taken for the act itself. */
  readonly no?: string;
  readonly onYes: () => void;
}

/** Asks before something is taken away. */
export function confirm({ title, text, yes, no = t`Cancel`, onYes }: Question): void {
  modals.openConfirmModal({
    title,
    children: text,
    labels: { confirm: yes, cancel: no },
    confirmProps: { color: 'red' },
    onConfirm: onYes,
  });
}
