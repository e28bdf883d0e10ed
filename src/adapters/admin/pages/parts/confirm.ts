import { t } from '@lingui/core/macro';
import { modals } from '@mantine/modals';

interface Question {
  readonly title: string;
  /** The effect, and how it can be undone. */
  readonly text: string;
  /** The verb on the button. */
  readonly yes: string;
  /** Label of the other button, if "Cancel" would be mistaken for the action itself. */
  readonly no?: string;
  /** True if nothing is removed. */
  readonly isGentle?: boolean;
  readonly onYes: () => void;
}

/** Asks before something is removed, or is done for many at once. */
export function confirm({ title, text, yes, no = t`Cancel`, isGentle = false, onYes }: Question): void {
  modals.openConfirmModal({
    title,
    children: text,
    labels: { confirm: yes, cancel: no },
    ...(!isGentle && { confirmProps: { color: 'red' } }),
    onConfirm: onYes,
  });
}
