import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { cell } from '../parts/cells.tsx';
import type { Column } from '../parts/data-table.tsx';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { List } from '../parts/list.tsx';
import { Page } from '../parts/page.tsx';
import type { Tone } from '../parts/status-badge.tsx';
import { TestReceiver } from './test-receiver.tsx';

type Listed = OfferedOutput<'notifications/list-notifications'>;
type Notification = Listed['notifications'][number];
type State = Notification['state'];

const STATES: Readonly<Record<State, { readonly label: string; readonly tone: Tone }>> = {
  waiting: { label: t`Waiting`, tone: 'busy' },
  sent: { label: t`Sent`, tone: 'good' },
  held_back: { label: t`Held back`, tone: 'quiet' },
  dead: { label: t`Given up`, tone: 'bad' },
};

/** Shows the notifications for receivers, and those that were not accepted. */
export function NotificationsPage() {
  const session = useSession();
  const [state, setState] = useState<State | 'all'>('all');
  const listed = useAnswer('notifications/list-notifications', state === 'all' ? {} : { state }, {
    everySeconds: () => 10,
  });
  const counts = listed.data?.counts;
  return (
    <Page
      title={t`Notifications`}
      actions={
        may(session, 'rules/save-rule') && (
          <ButtonLink to="/rules/$type/new" params={{ type: 'notification_policies' }}>
            <Trans>New notification rule</Trans>
          </ButtonLink>
        )
      }
    >
      <Stack>
        <Text size="sm" c="dimmed">
          <Trans>
            <TextLink inherit to="/rules/$type" params={{ type: 'notification_policies' }}>
              Notification rules
            </TextLink>{' '}
            decide who is notified about what. Receivers are accounts for notifications, such as mail.
          </Trans>
        </Text>
        <TestReceiver />
        <SegmentedControl
          aria-label={t`State`}
          value={state}
          onChange={(chosen) => setState(chosen as State | 'all')}
          data={[
            { value: 'all', label: t`All` },
            ...Object.entries(STATES).map(([value, { label }]) => ({
              value,
              label: counts === undefined ? label : `${label} (${counts[value as State]})`,
            })),
          ]}
        />
        <List
          of={listed}
          caption={t`Notifications`}
          minWidth={600}
          columns={COLUMNS}
          rows={({ notifications }) => notifications}
          rowKey={({ id }) => id}
          empty={state === 'all' ? t`No notifications yet.` : t`No notification has this state.`}
        />
      </Stack>
    </Page>
  );
}

const COLUMNS: readonly Column<Notification>[] = [
  cell.when('at', t`When`, ({ at }) => at),
  cell.text('receiver', t`Receiver`, ({ receiver }) => receiver),
  cell.badge('state', t`State`, ({ state }) => ({ tone: STATES[state].tone, text: STATES[state].label })),
  { id: 'what', header: t`What`, cell: (notification) => <What notification={notification} /> },
];

/** Shows the text of a notification, and why the receiver does not have it. */
function What({ notification }: { readonly notification: Notification }) {
  const { title, error, attempts, state } = notification;
  return (
    <div className="wrap-anywhere">
      {title}
      {error !== '' && (
        <Text size="sm" c="dimmed">
          <Trans>
            Tried {attempts} times: {error}
          </Trans>
        </Text>
      )}
      {state === 'dead' && <Retry notification={notification} />}
    </div>
  );
}

function Retry({ notification: { id, title } }: { readonly notification: Notification }) {
  const session = useSession();
  const retry = useAction('notifications/retry-notification', {
    done: t`It is sent again.`,
    changes: ['notifications'],
  });
  if (!may(session, 'notifications/retry-notification')) return null;
  return (
    <Group mt={4}>
      <Button
        size="compact-sm"
        variant="default"
        loading={retry.isPending}
        aria-label={t`Send again: ${title}`}
        onClick={() => retry.mutate({ notification: id })}
      >
        <Trans>Send again</Trans>
      </Button>
    </Group>
  );
}
