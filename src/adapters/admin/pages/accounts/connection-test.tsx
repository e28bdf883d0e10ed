import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OfferedName, OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useAction } from '../calls/use-call.ts';
import { Done } from '../parts/done.tsx';
import { JsonView } from '../parts/json-view.tsx';
import { Problem } from '../parts/problem.tsx';
import { ReceiverTest } from '../parts/receiver-test.tsx';
import type { Account } from './option-fields.ts';

type Answer = OfferedOutput<'accounts/test-account'>;

const TESTS = {
  source: t`Reads the first three records of the source and shows what they would become. Nothing is stored.`,
  target: t`Checks the target and shows the first three hosts that it would get. Nothing is written.`,
  both: t`Reads the first three records and shows what they would become, and the first three hosts that it would get. Nothing is stored or written.`,
} as const;

/** Accounts are tested by the feature that they are for. */
export function testOf(kind: Account['kind']): OfferedName {
  if (kind === 'channel') return 'notifications/test-notification';
  return kind === 'sign_in' ? 'logins/test-method' : 'accounts/test-account';
}

/** Tests an account according to its purpose. */
export function AccountTest({ account }: { readonly account: Account }) {
  const session = useSession();
  switch (account.kind) {
    case 'api':
    case 'unknown':
      return null;
    case 'channel':
      return <ReceiverTest receiver={account.name} />;
    case 'sign_in':
      return may(session, 'logins/test-method') ? <LoginTest name={account.name} /> : null;
    default:
      return <ConnectionTest account={account} />;
  }
}

/** Tests the system that users log in with. */
function LoginTest({ name }: { readonly name: string }) {
  const test = useAction('logins/test-method', { changes: [], showsProblem: true });
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        <Trans>Connects to the system that people log in with. This logs no one in.</Trans>
      </Text>
      <div>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate({ method: name })}>
          <Trans>Test connection</Trans>
        </Button>
      </div>
      {test.isError && <Problem error={test.error} />}
      {test.data?.advice === '' && <Done title={test.data.message} />}
      {test.data !== undefined && test.data.advice !== '' && (
        <Alert color="yellow" role="status" title={test.data.message}>
          {test.data.advice}
        </Alert>
      )}
    </Stack>
  );
}

/** Connects to the system of an account and shows its first records. Stores nothing, so all viewers of the page may use it. */
function ConnectionTest({ account: { name, kind } }: { readonly account: Account }) {
  const test = useAction('accounts/test-account', { changes: [], showsProblem: true });
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {TESTS[kind === 'both' || kind === 'target' ? kind : 'source']}
      </Text>
      <div>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate({ name })}>
          <Trans>Test connection</Trans>
        </Button>
      </div>
      {test.isError && <Problem error={test.error} />}
      {test.data?.source !== undefined && <Records answer={test.data} />}
      {test.data?.target !== undefined && <Target of={test.data.target} />}
    </Stack>
  );
}

function Records({ answer: { records, source } }: { readonly answer: Answer }) {
  return (
    <>
      <Done title={t`The source can be read`}>
        {source !== undefined && source.message !== '' && `${source.message}. `}
        {records.length === 0 ? t`It has no records.` : t`These are its first records.`}
      </Done>
      {records.map(({ position, name, hostname, labels, inventory = {}, relations = [], keys = [], problem }) => (
        <Sample key={position} title={hostname ?? (name || t`no name`)} note={noteOf(position, name, hostname)}>
          {problem === undefined ? (
            <JsonView
              value={
                Object.keys(inventory).length + relations.length + keys.length === 0
                  ? labels
                  : { labels, ...(keys.length > 0 && { keys }), ...(relations.length > 0 && { relations }), inventory }
              }
              label={t`Result for ${position}`}
            />
          ) : (
            <Text size="sm" c="red" className="wrap-anywhere">
              <Trans>skipped: {problem}</Trans>
            </Text>
          )}
        </Sample>
      ))}
    </>
  );
}

function noteOf(position: string, name: string, hostname: string | undefined): string {
  return hostname === undefined || hostname === name ? position : t`${position}, ${name} in the source`;
}

type TargetAnswer = NonNullable<Answer['target']>;

function Target({ of: { message, hosts } }: { readonly of: TargetAnswer }) {
  return (
    <>
      <Done title={t`The target answers`}>
        {message}
        {hosts.length === 0 && ` ${t`There is no host to export.`}`}
      </Done>
      {hosts.map(({ hostname, groups, variables, expressions }) => (
        <Sample
          key={hostname}
          title={hostname}
          note={groups.length === 0 ? '' : t`groups ${{ names: groups.join(', ') }}`}
        >
          <JsonView value={{ ...variables, ...expressions }} label={t`Variables of ${hostname}`} />
        </Sample>
      ))}
    </>
  );
}

interface SampleProps {
  readonly title: string;
  readonly note: string;
  readonly children: ReactNode;
}

function Sample({ title, note, children }: SampleProps) {
  return (
    <div>
      <Text size="sm" mb={4} className="wrap-anywhere">
        <Text span size="sm" fw={600}>
          {title}
        </Text>{' '}
        <Text span size="sm" c="dimmed">
          {note}
        </Text>
      </Text>
      {children}
    </div>
  );
}
