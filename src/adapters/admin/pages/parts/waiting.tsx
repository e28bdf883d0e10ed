import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { confirm } from './confirm.ts';

/** A waiting document, in the version that the user sees: neither a newer one, nor another of its name, is confirmed. */
type Waiting = Pick<
  OfferedOutput<'rules/list-waiting'>['waiting'][number],
  'rule_type' | 'id' | 'name' | 'version' | 'acts'
>;

/** More than wait anywhere. */
const MOST = 1000;

/** Notes that a document has no effect yet, and lets an administrator confirm it. */
export function WaitingNote({ rule_type, name }: Pick<Waiting, 'rule_type' | 'name'>) {
  const session = useSession();
  const mayList = may(session, 'rules/list-waiting');
  const answer = useAnswer('rules/list-waiting', { limit: MOST }, { enabled: mayList });
  const document = answer.data?.waiting.find((one) => one.rule_type === rule_type && one.name === name);
  const acts = document?.acts;
  return (
    <Alert color="orange" title={t`Waits for an administrator`} mb="md" maw={760}>
      <Group justify="space-between" align="end">
        <Text size="sm" maw={520}>
          {acts === undefined
            ? t`Someone else wrote this, and it makes the machine act. Nothing of that happens before an administrator has read and confirmed it.`
            : t`Someone else wrote this and it ${{ acts: acts.join(', ') }}. Nothing of that happens before an administrator has read and confirmed it.`}
        </Text>
        {document !== undefined && <ConfirmButton {...document} />}
      </Group>
    </Alert>
  );
}

/** Shown to administrators only. */
export function ConfirmButton({ rule_type, id, name, version, acts }: Waiting) {
  const session = useSession();
  const action = useAction('rules/confirm-rule', {
    done: t`${name} is confirmed.`,
    changes: ['rules', 'users', 'accounts', 'cron', 'system'],
  });
  if (!may(session, 'rules/confirm-rule')) return null;
  return (
    <Button
      size="xs"
      leftSection={<IconShieldCheck size={16} aria-hidden />}
      loading={action.isPending}
      aria-label={t`Confirm ${name}`}
      onClick={() =>
        confirm({
          title: t`Confirm ${name}?`,
          text: t`It ${{ acts: acts.join(', ') }}. From now on it takes effect, as if you had written it. A change by someone else makes it wait again.`,
          yes: t`Confirm`,
          onYes: () => action.mutate({ rule_type, rule: id, version }),
        })
      }
    >
      <Trans>Confirm</Trans>
    </Button>
  );
}
