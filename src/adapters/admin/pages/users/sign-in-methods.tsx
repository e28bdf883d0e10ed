import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { Section } from '../parts/section.tsx';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';

type Method = OfferedOutput<'logins/list-methods'>['methods'][number];

/** The systems by which people log in who are known elsewhere. */
export function SignInMethods() {
  const session = useSession();
  const isAllowed = may(session, 'logins/list-methods');
  const listed = useAnswer('logins/list-methods', {}, { enabled: isAllowed });
  if (!isAllowed) return null;
  return (
    <Section title={t`Ways to log in`}>
      <Text size="sm" c="dimmed">
        <Trans>
          Besides passwords of this service, people can log in with accounts of a type for logins.{' '}
          <TextLink inherit to="/rules/$type" params={{ type: 'sign_in_groups' }}>
            Groups that may log in
          </TextLink>{' '}
          say what they may do.
        </Trans>
      </Text>
      <Answer of={listed}>
        {({ methods }) => (
          <DataTable
            caption={t`Ways to log in`}
            minWidth={500}
            columns={COLUMNS}
            rows={methods}
            rowKey={({ name }) => name}
            empty={t`People log in only with a user name and password of this service.`}
          />
        )}
      </Answer>
    </Section>
  );
}

const COLUMNS: readonly Column<Method>[] = [
  {
    id: 'name',
    header: t`Account`,
    cell: ({ name }) => (
      <TextLink to="/accounts/$name" params={{ name }}>
        {name}
      </TextLink>
    ),
  },
  { id: 'type', header: t`Type`, cell: ({ type }) => type },
  { id: 'state', header: t`State`, cell: (method) => <State method={method} /> },
  { id: 'test', header: t`Test`, cell: ({ name }) => <Test name={name} /> },
];

function State({ method: { offered, enabled, waits, label } }: { readonly method: Method }) {
  const [tone, text]: [Tone, string] = offered
    ? ['good', t`Offered as ${label}`]
    : waits
      ? ['bad', t`Waits for an administrator`]
      : enabled
        ? ['bad', t`Cannot be used`]
        : ['quiet', t`Off`];
  return <StatusBadge tone={tone}>{text}</StatusBadge>;
}

/** Connects, and says what was found or what is wrong. */
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
