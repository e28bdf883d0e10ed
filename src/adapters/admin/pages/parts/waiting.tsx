import { Alert, Button, Group, Text } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { holds, useSession } from '../calls/session.ts';
import { useAction } from '../calls/use-call.ts';
import { confirm } from './confirm.ts';

interface Waiting {
  readonly rule_type: string;
  readonly name: string;
  /** The version that the person sees; a newer one is not confirmed. Absent where it is not known. */
  readonly version?: number;
  /** What it would make the machine do; absent where it is not known. */
  readonly acts?: readonly string[];
}

/** Tells that a document does nothing yet, and lets an administrator confirm it. */
export function WaitingNote(props: Waiting) {
  const { acts } = props;
  return (
    <Alert color="orange" title="Waits for an administrator" mb="md" maw={760}>
      <Group justify="space-between" align="end">
        <Text size="sm" maw={520}>
          Somebody else wrote this{acts === undefined ? ', and it makes the machine act' : ` and it ${acts.join(', ')}`}
          . Nothing of that happens before an administrator has read and confirmed it.
        </Text>
        <ConfirmButton {...props} />
      </Group>
    </Alert>
  );
}

/** For administrators; others see nothing. */
export function ConfirmButton({ rule_type, name, version, acts }: Waiting) {
  const session = useSession();
  const action = useAction('rules/confirm-rule', {
    done: `${name} is confirmed.`,
    changes: ['rules', 'users', 'accounts', 'cron', 'system'],
  });
  if (session.read_only || !holds(session, ['administrator'])) return null;
  const what = acts === undefined ? '' : `It ${acts.join(', ')}. `;
  return (
    <Button
      size="xs"
      leftSection={<IconShieldCheck size={16} aria-hidden />}
      loading={action.isPending}
      aria-label={`Confirm ${name}`}
      onClick={() =>
        confirm({
          title: `Confirm ${name}?`,
          text: `${what}From now on it acts, as if you had written it. A change by somebody else makes it wait again.`,
          yes: 'Confirm',
          onYes: () => action.mutate({ rule_type, rule: name, ...(version === undefined ? {} : { version }) }),
        })
      }
    >
      Confirm
    </Button>
  );
}
