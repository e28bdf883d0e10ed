import { t } from '@lingui/core/macro';
import { Group, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconCircleCheck,
  IconClockPause,
  IconPlayerStop,
  IconTrash,
} from '@tabler/icons-react';
import { When } from '../parts/when.tsx';
import { titleOf } from '../runs/run-words.ts';
import type { Account } from './option-fields.ts';

interface LastRunProps {
  readonly of: Pick<Account, 'name' | 'kind' | 'last_run'>;
  /** Two lines at most, for lists. */
  readonly isShort?: boolean;
  /** True if the page already shows why it failed. */
  readonly isReasonSaid?: boolean;
}

/** When an account's newest import or export was, and how it ended. */
export function LastRun({ of: { name, kind, last_run: run }, isShort = false, isReasonSaid = false }: LastRunProps) {
  if (run === null) {
    return (
      <Text span size="sm" c="dimmed">
        {NO_RUNS[kind] ?? t`never`}
      </Text>
    );
  }
  const { Icon, colour, label } = markOf(run);
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <Text span c={colour} lh={1} pt={2}>
        <Icon size={16} role="img" aria-label={label} />
      </Text>
      <Text size="sm" component="div" className="wrap-anywhere" {...(isShort && { lineClamp: 2, title: run.message })}>
        <When at={run.time} />
        <Text span size="sm" {...(!run.has_error && { c: 'dimmed' })}>
          {' · '}
          {isReasonSaid && (run.has_error || run.outcome === 'waiting') ? label : withoutName(run.message, name)}
        </Text>
      </Text>
    </Group>
  );
}

/** Accounts without imports and exports. */
const NO_RUNS: Partial<Record<Account['kind'], string>> = {
  api: t`written through the API`,
  channel: t`for notifications`,
  sign_in: t`for logins`,
};

function markOf({ outcome, has_error }: NonNullable<Account['last_run']>) {
  switch (outcome) {
    case 'cancelled':
    case 'undone':
    case 'waiting':
    case 'discarded':
      return MARKS[outcome];
    default:
      return MARKS[has_error ? 'failed' : 'succeeded'];
  }
}

const MARKS = {
  succeeded: { Icon: IconCircleCheck, colour: 'green', label: t`succeeded` },
  failed: { Icon: IconAlertTriangle, colour: 'red', label: t`failed` },
  cancelled: { Icon: IconPlayerStop, colour: 'orange', label: t`cancelled` },
  undone: { Icon: IconArrowBackUp, colour: 'orange', label: t`undone` },
  waiting: { Icon: IconClockPause, colour: 'orange', label: t`waits for approval` },
  discarded: { Icon: IconTrash, colour: 'gray', label: t`discarded` },
} as const;

/**
 * Removes the account from a message of the log, which names it, in English in old entries; the page already shows the name next
 * to it.
 */
function withoutName(message: string, account: string): string {
  const heads = [
    titleOf('import', account),
    titleOf('export', account),
    `Import of ${account}`,
    `Export of ${account}`,
  ];
  const head = heads.find((each) => message.startsWith(`${each} `));
  return head === undefined ? message : message.slice(head.length + 1);
}
