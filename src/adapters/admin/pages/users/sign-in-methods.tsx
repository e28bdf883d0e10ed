import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { cell } from '../parts/cells.tsx';
import type { Column } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { List } from '../parts/list.tsx';
import { Section } from '../parts/section.tsx';
import type { Tone } from '../parts/status-badge.tsx';

type Method = OfferedOutput<'logins/list-methods'>['methods'][number];

/** Lists the systems by which users known elsewhere log in. */
export function SignInMethods() {
  const session = useSession();
  const isAllowed = may(session, 'logins/list-methods');
  const listed = useAnswer('logins/list-methods', {}, { enabled: isAllowed });
  if (!isAllowed) return null;
  return (
    <Section title={t`Ways to log in`}>
      <Text size="sm" c="dimmed">
        <Trans>
          In addition to passwords of this service, people can log in with accounts of a type for logins.{' '}
          <TextLink inherit to="/rules/$type" params={{ type: 'sign_in_groups' }}>
            Groups that may log in
          </TextLink>{' '}
          say what they may do.
        </Trans>
      </Text>
      <List
        of={listed}
        caption={t`Ways to log in`}
        minWidth={500}
        columns={COLUMNS}
        rows={({ methods }) => methods}
        rowKey={({ name }) => name}
        empty={t`People log in only with a user name and password of this service.`}
      />
    </Section>
  );
}

const COLUMNS: readonly Column<Method>[] = [
  cell.link('name', t`Account`, ({ name }) => (
    <TextLink to="/accounts/$name" params={{ name }}>
      {name}
    </TextLink>
  )),
  cell.text('type', t`Type`, ({ type }) => type),
  cell.badge('state', t`State`, stateOf),
  { id: 'test', header: t`Test`, cell: ({ name }) => <Test name={name} /> },
];

function stateOf({ offered, enabled, waits, label }: Method): { readonly tone: Tone; readonly text: string } {
  if (offered) return { tone: 'good', text: t`Offered as ${label}` };
  if (waits) return { tone: 'bad', text: t`Waits for an administrator` };
  return enabled ? { tone: 'bad', text: t`Cannot be used` } : { tone: 'quiet', text: t`Off` };
}

/** Connects, and reports the result. */
function Test({ name }: { readonly name: string }) {
  const session = useSession();
  const test = useAction('logins/test-method', { done: t`${name} can be used.`, changes: [] });
  if (!may(session, 'logins/test-method')) return null;
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t`Test ${name}`}
        loading={test.isPending}
        onClick={() => test.mutate({ method: name })}
      >
        <Trans>Test</Trans>
      </Button>
      {test.data !== undefined && (
        <Text size="sm" c="dimmed">
          {test.data.message} {test.data.advice}
        </Text>
      )}
    </>
  );
}
