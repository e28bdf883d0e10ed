import { Badge, Button, Group, SegmentedControl, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { TextLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { When } from '../parts/when.tsx';
import { TestReceiver } from './test-receiver.tsx';

type Listed = OfferedOutput<'notifications/list-notifications'>;
type Notification = Listed['notifications'][number];
type State = Notification['state'];

const STATES: Readonly<Record<State, { readonly label: string; readonly color: string }>> = {
  waiting: { label: 'Waiting', color: 'blue' },
  sent: { label: 'Sent', color: 'green' },
  held_back: { label: 'Held back', color: 'gray' },
  dead: { label: 'Given up', color: 'red' },
};

/** What receivers are told, and what they did not take. */
export function NotificationsPage() {
  const [state, setState] = useState<State | 'all'>('all');
  const listed = useAnswer('notifications/list-notifications', state === 'all' ? {} : { state }, {
    everySeconds: () => 10,
  });
  return (
    <Page title="Notifications">
      <Stack>
        <Text size="sm" c="dimmed">
          Rules say who is told of what: they are the{' '}
          <TextLink inherit to="/rules/$type" params={{ type: 'notification_policies' }}>
            notification rules
          </TextLink>
          . Receivers are accounts for notifications, such as mail.
        </Text>
        <TestReceiver />
        <Answer of={listed}>
          {({ notifications, counts }) => (
            <>
              <SegmentedControl
                aria-label="State"
                value={state}
                onChange={(chosen) => setState(chosen as State | 'all')}
                data={[
                  { value: 'all', label: 'All' },
                  ...Object.entries(STATES).map(([value, { label }]) => ({
                    value,
                    label: `${label} (${counts[value as State]})`,
                  })),
                ]}
              />
              {notifications.length === 0 ? (
                <Text c="dimmed">There is no such notification.</Text>
              ) : (
                <List of={notifications} />
              )}
            </>
          )}
        </Answer>
      </Stack>
    </Page>
  );
}

function List({ of: notifications }: { readonly of: readonly Notification[] }) {
  return (
    <Table.ScrollContainer minWidth={600}>
      <Table aria-label="Notifications">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>When</Table.Th>
            <Table.Th>Receiver</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>What</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {notifications.map((notification) => (
            <Row key={notification.id} notification={notification} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Row({ notification }: { readonly notification: Notification }) {
  const { at, receiver, state, title, error, attempts } = notification;
  const { label, color } = STATES[state];
  return (
    <Table.Tr>
      <Table.Td>
        <When at={at} />
      </Table.Td>
      <Table.Td>{receiver}</Table.Td>
      <Table.Td>
        <Badge color={color} variant="light">
          {label}
        </Badge>
      </Table.Td>
      <Table.Td className="wrap-anywhere">
        {title}
        {error !== '' && (
          <Text size="sm" c="dimmed">
            Tried {attempts} times: {error}
          </Text>
        )}
        {state === 'dead' && <Retry notification={notification} />}
      </Table.Td>
    </Table.Tr>
  );
}

function Retry({ notification: { id, title } }: { readonly notification: Notification }) {
  const session = useSession();
  const retry = useAction('notifications/retry-notification', {
    done: 'It is sent again.',
    changes: ['notifications'],
  });
  if (!may(session, 'notifications/retry-notification')) return null;
  return (
    <Group mt={4}>
      <Button
        size="compact-sm"
        variant="default"
        loading={retry.isPending}
        aria-label={`Send again: ${title}`}
        onClick={() => retry.mutate({ notification: id })}
      >
        Send again
      </Button>
    </Group>
  );
}
