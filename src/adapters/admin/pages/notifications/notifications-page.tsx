import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { may, useSession } from '../calls/session.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { cell } from '../parts/cells.tsx';
import type { Column } from '../parts/data-table.tsx';
import { ButtonLink } from '../parts/links.tsx';
import { List } from '../parts/list.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { Receivers, STATES, type State } from './receivers.tsx';
import type { Notification } from './ticked-rules.ts';

/** Shows receivers with their events, and the notifications for them. */
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
      description={t`Notifications for failed runs, pending approvals, failing rules and silent sources.`}
      actions={
        may(session, 'accounts/add-account') && (
          <ButtonLink to="/accounts/new" search={{ kind: 'receiver' }} leftSection={<IconPlus size={16} aria-hidden />}>
            <Trans>Add receiver</Trans>
          </ButtonLink>
        )
      }
    >
      <Receivers />
      <Section title={t`Sent, waiting and given up`}>
        <List
          of={listed}
          caption={t`Notifications`}
          controls={
            <NativeSelect
              label={t`State`}
              value={state}
              onChange={({ currentTarget }) => setState(currentTarget.value as State | 'all')}
              data={[
                { value: 'all', label: t`All` },
                ...Object.entries(STATES).map(([value, { label }]) => ({
                  value,
                  label: counts === undefined ? label : `${label} (${counts[value as State]})`,
                })),
              ]}
            />
          }
          minWidth={600}
          columns={COLUMNS}
          rows={({ notifications }) => notifications}
          rowKey={({ id }) => id}
          empty={state === 'all' ? t`No notifications yet.` : t`No notification has this state.`}
        />
      </Section>
    </Page>
  );
}

const COLUMNS: readonly Column<Notification>[] = [
  cell.when('at', t`When`, ({ at }) => at),
  cell.text('receiver', t`Receiver`, ({ receiver }) => receiver),
  cell.badge('state', t`State`, ({ state }) => ({ tone: STATES[state].tone, text: STATES[state].label })),
  { id: 'what', header: t`Event`, cell: (notification) => <What notification={notification} /> },
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
