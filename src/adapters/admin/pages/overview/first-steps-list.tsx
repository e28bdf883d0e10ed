import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Button, Group, List, Stack, Text, TextInput, ThemeIcon } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { call } from '../calls/call.ts';
import { has, useSession } from '../calls/session.ts';
import { showProblem, useAction } from '../calls/use-call.ts';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Problem } from '../parts/problem.tsx';
import { Section } from '../parts/section.tsx';
import { SAMPLE_ACCOUNT, SAMPLE_HOSTS } from './sample-hosts.ts';

const CHANGES = ['accounts', 'hosts', 'rules', 'search', 'syncer', 'runs', 'inventory'];
const RULE_TYPE = 'custom_attributes';

interface FirstStepsListProps {
  readonly hosts: number;
  readonly rules: number;
  readonly accounts: OfferedOutput<'accounts/show-accounts'>['accounts'];
  readonly close: () => void;
}

/** Lists the steps from nothing to an inventory, each with its action. The last one closes them. */
export function FirstStepsList({ hosts, rules, accounts, close }: FirstStepsListProps) {
  const hasTest = has(useSession(), 'accounts/test-account');
  const isWhole = hosts > 0 && rules > 0;
  const sources = accounts.filter(({ kind }) => kind === 'source' || kind === 'both');
  const source = sources[0]?.name;
  const hasSample = accounts.some(({ name }) => name === SAMPLE_ACCOUNT);
  return (
    <Section title={t`First steps`}>
      <Stack gap="md" component="ol" className="plain-list">
        <Step number={1} title={t`Connect a source`} isDone={source !== undefined || hasSample}>
          <Group gap="xs">
            <ButtonLink size="xs" to="/accounts/new" search={{ kind: 'source' }}>
              <Trans>Add a source</Trans>
            </ButtonLink>
            {!hasSample && <LoadSample />}
          </Group>
        </Step>
        <Step number={2} title={t`Test it`} isDone={hosts > 0}>
          {source !== undefined && hasTest ? (
            <TestSource key={source} name={source} />
          ) : hosts > 0 ? (
            <Text size="sm" c="dimmed">
              <Trans>Existing hosts have no source.</Trans>
            </Text>
          ) : (
            <Later text={t`Add a source first.`} />
          )}
        </Step>
        <Step number={3} title={t`Import the hosts`} isDone={hosts > 0}>
          {hosts > 0 ? (
            <Text size="sm">
              <Trans>
                <TextLink inherit to="/hosts">
                  <Plural value={hosts} one="# host" other="# hosts" />
                </TextLink>{' '}
                are there.
              </Trans>
            </Text>
          ) : source === undefined ? (
            <Later text={t`Add a source first.`} />
          ) : (
            <ImportSource key={source} name={source} />
          )}
        </Step>
        <Step number={4} title={t`Add what your tools need to know, by a rule`} isDone={rules > 0}>
          {rules > 0 ? (
            <Text size="sm">
              <Trans>
                <TextLink inherit to="/rules">
                  <Plural value={rules} one="# rule" other="# rules" />
                </TextLink>{' '}
                so far.
              </Trans>
            </Text>
          ) : (
            <FirstRule />
          )}
        </Step>
        <Step number={5} title={t`Serve the inventory`} isDone={false}>
          {isWhole ? (
            <Group>
              <ButtonLink size="xs" to="/inventory/$provider" params={{ provider: 'automation' }} onClick={close}>
                <Trans>See the inventory</Trans>
              </ButtonLink>
            </Group>
          ) : (
            <Later text={hosts > 0 ? t`As soon as there is a rule.` : t`As soon as there are hosts.`} />
          )}
        </Step>
      </Stack>
      <Button size="compact-sm" variant="subtle" color="gray" style={{ alignSelf: 'start' }} onClick={close}>
        {isWhole ? t`Done, close this` : t`I know my way, close this`}
      </Button>
    </Section>
  );
}

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ReactNode;
}

function Step({ number, title, isDone, children }: StepProps) {
  return (
    <Group component="li" align="flex-start" gap="sm" wrap="nowrap">
      <ThemeIcon
        radius="xl"
        size={26}
        variant={isDone ? 'filled' : 'default'}
        role="img"
        aria-label={isDone ? t`Step ${number}, done` : t`Step ${number}`}
      >
        {isDone ? <IconCheck size={16} aria-hidden /> : <Text size="sm">{number}</Text>}
      </ThemeIcon>
      <Stack gap={6} flex={1} miw={0}>
        <Text fw={600} size="sm" lh="26px">
          {title}
        </Text>
        {children}
      </Stack>
    </Group>
  );
}

function Later({ text }: { readonly text: string }) {
  return (
    <Text size="sm" c="dimmed">
      {text}
    </Text>
  );
}

/** An account of its own, so that it can be removed as easily. */
function LoadSample() {
  const queries = useQueryClient();
  const load = useMutation({
    async mutationFn() {
      await call('accounts/add-account', { name: SAMPLE_ACCOUNT, type: 'api', settings: {} });
      return call('hosts/save-hosts-bulk', { account: SAMPLE_ACCOUNT, objects: SAMPLE_HOSTS });
    },
    onError: showProblem,
    onSettled: () => queries.invalidateQueries(),
  });
  return (
    <Button size="xs" variant="default" loading={load.isPending} onClick={() => load.mutate()}>
      {t`Use ${{ count: SAMPLE_HOSTS.length }} sample hosts`}
    </Button>
  );
}

function TestSource({ name }: { readonly name: string }) {
  const test = useAction('accounts/test-account', { changes: [], showsProblem: true });
  return (
    <>
      <Group gap="xs">
        <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate({ name })}>
          <Trans>Test {name}</Trans>
        </Button>
      </Group>
      {test.isError && <Problem error={test.error} />}
      {test.data !== undefined && (
        <Text size="sm" role="status">
          <Trans>It can be read.</Trans>{' '}
          {test.data.records.length === 0
            ? t`It has no records.`
            : t`Its first hosts: ${{ hostnames: test.data.records.map(({ hostname, name: said }) => hostname ?? said).join(', ') }}.`}
        </Text>
      )}
    </>
  );
}

function ImportSource({ name }: { readonly name: string }) {
  const run = useAction('imports/import-account', { changes: CHANGES, showsProblem: true });
  return (
    <>
      <Group gap="xs">
        <Button size="xs" variant="default" loading={run.isPending} onClick={() => run.mutate({ account: name })}>
          <Trans>Import {name}</Trans>
        </Button>
      </Group>
      {run.isError && <Problem error={run.error} />}
      {run.data !== undefined && (
        <Text size="sm" role="status" c={run.data.status === 'failed' ? 'red' : 'inherit'}>
          {run.data.message}
        </Text>
      )}
    </>
  );
}

/** The simplest rule there is: the same attribute for every host. */
function FirstRule() {
  const [attribute, setAttribute] = useState('managed_by');
  const [value, setValue] = useState('muster');
  const save = useAction('rules/save-rule', { done: t`The rule is saved.`, changes: CHANGES });
  const rule = {
    name: `All hosts: ${attribute}`,
    enabled: true,
    condition_typ: 'anyway',
    conditions: [],
    outcomes: [{ attribute_name: attribute, attribute_value: value }],
  };
  return (
    <Stack gap={4}>
      <Group gap="xs" align="flex-end">
        <TextInput
          size="xs"
          label={t`Every host gets`}
          value={attribute}
          onChange={({ currentTarget }) => setAttribute(currentTarget.value)}
        />
        <TextInput
          size="xs"
          label={t`with the value`}
          value={value}
          onChange={({ currentTarget }) => setValue(currentTarget.value)}
        />
        <Button
          size="xs"
          variant="default"
          loading={save.isPending}
          disabled={attribute.trim() === '' || value === ''}
          onClick={() => save.mutate({ rule_type: RULE_TYPE, document: rule })}
        >
          <Trans>Save the rule</Trans>
        </Button>
      </Group>
      <List size="sm" listStyleType="none">
        <List.Item>
          <Trans>
            Or{' '}
            <TextLink inherit to="/rules/$type/new" params={{ type: RULE_TYPE }}>
              write one with conditions
            </TextLink>
            .
          </Trans>
        </List.Item>
      </List>
    </Stack>
  );
}
