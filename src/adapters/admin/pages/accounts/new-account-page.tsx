import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Fieldset, Group, Radio, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { may, useSession } from '../calls/session.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { problemsByField } from '../parts/problems-by-field.ts';
import { type AccountChanges, AccountForm } from './account-form.tsx';
import { Assistant } from './assistant/assistant.tsx';
import { type AccountType, typeNamed } from './option-fields.ts';
import { TryAccount } from './try-account.tsx';

interface NewAccountPageProps {
  readonly type: string | undefined;
  /** One form with everything, for who knows what they want. */
  readonly isPlain: boolean;
  readonly onType: (type: string) => void;
  readonly onPlain: (isPlain: boolean) => void;
}

const ABOVE = [{ to: '/accounts', label: t`Accounts` }];

export function NewAccountPage({ type, isPlain, onType, onPlain }: NewAccountPageProps) {
  const session = useSession();
  const types = useAnswer('accounts/list-account-types', {});
  if (!may(session, 'accounts/add-account')) {
    return (
      <Page title={t`New account`} above={ABOVE}>
        <Text>
          <Trans>You may only read, so you cannot create accounts.</Trans>
        </Text>
      </Page>
    );
  }
  const mayTry = may(session, 'accounts/try-account');
  return (
    <Page title={t`New account`} above={ABOVE}>
      <Answer of={types}>
        {({ types: all }) => {
          const chosen = type === undefined ? undefined : typeNamed(all, type);
          return (
            <Stack maw={900}>
              <TypeChoice types={all} value={chosen?.id ?? null} onChange={onType} />
              {chosen !== undefined && mayTry && isSource(chosen) && (
                <Switch
                  label={t`One form with all options`}
                  checked={isPlain}
                  onChange={({ currentTarget }) => onPlain(currentTarget.checked)}
                />
              )}
              {chosen !== undefined &&
                (mayTry && isSource(chosen) && !isPlain ? (
                  <Assistant key={chosen.id} type={chosen} />
                ) : (
                  <NewAccount key={chosen.id} type={chosen} />
                ))}
            </Stack>
          );
        }}
      </Answer>
    </Page>
  );
}

/** What has records to look at before it is saved. */
function isSource({ kind }: AccountType): boolean {
  return kind === 'source' || kind === 'both';
}

interface TypeChoiceProps {
  readonly types: readonly AccountType[];
  readonly value: string | null;
  readonly onChange: (type: string) => void;
}

const KINDS = {
  source: t`hosts come from it`,
  target: t`hosts are exported to it`,
  both: t`hosts come from it and are exported to it`,
  channel: t`notifications are sent through it`,
  sign_in: t`people log in with it`,
  api: t`hosts are written to it`,
} as const;

/** All types; the chosen one alone where somebody came for it, or picked it by pointer. Who walks by arrow keys needs the list. */
function TypeChoice({ types, value, onChange }: TypeChoiceProps) {
  const [isFolded, setFolded] = useState(value !== null);
  const chosen = types.find(({ id }) => id === value);
  if (isFolded && chosen !== undefined) {
    const { id, title } = chosen;
    const kindText = KINDS[chosen.kind];
    return (
      <Group gap="sm">
        <Text size="sm">
          <Trans>
            Type{' '}
            <Text span inherit fw={600}>
              {title}
            </Text>{' '}
            <Text span inherit c="dimmed">
              {id} · {kindText}
            </Text>
          </Trans>
        </Text>
        <Button size="compact-sm" variant="default" onClick={() => setFolded(false)}>
          <Trans>Another type</Trans>
        </Button>
      </Group>
    );
  }
  return (
    <Radio.Group label={t`Type`} description={t`It cannot be changed later.`} value={value} onChange={onChange}>
      <SimpleGrid
        cols={{ base: 1, sm: 2 }}
        mt="xs"
        spacing="xs"
        onClick={({ detail }) => {
          if (detail > 0) setFolded(true);
        }}
      >
        {types.map(({ id, title, description, kind }) => (
          <Radio.Card key={id} value={id} p="sm" display="flex" style={{ alignItems: 'flex-start' }}>
            <Group wrap="nowrap" align="flex-start">
              <Radio.Indicator mt={2} />
              <div>
                <Text size="sm" fw={600}>
                  {title}{' '}
                  <Text span size="sm" c="dimmed" fw={400}>
                    {id} · {KINDS[kind]}
                  </Text>
                </Text>
                <Text size="sm" c="dimmed">
                  {description}
                </Text>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </SimpleGrid>
    </Radio.Group>
  );
}

function NewAccount({ type }: { readonly type: AccountType }) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [object, setObject] = useState(false);
  const [objectType, setObjectType] = useState('');
  const accounts = useAnswer('accounts/show-accounts', {});
  const add = useAction('accounts/add-account', {
    done: () => t`Account ${name} is created.`,
    changes: ['accounts'],
    showsProblem: true,
  });
  const { at } = problemsByField(add.error, ['name', 'object_type']);
  const ofObjects = object && objectType !== '' && { object_type: objectType };
  const tryOut = ({ settings, ...secrets }: AccountChanges) => (
    <TryAccount
      of={{ ...(name !== '' && { name }), type: type.id, settings: { ...settings, ...ofObjects }, object, ...secrets }}
    />
  );
  return (
    <AccountForm
      type={type}
      others={(accounts.data?.accounts ?? []).map((account) => account.name)}
      drawn={['name', 'object_type']}
      error={add.error}
      isBusy={add.isPending}
      submit={t`Add account`}
      {...(isSource(type) && { before: tryOut })}
      onSubmit={({ settings, ...secrets }, mayLeave) =>
        add.mutate(
          {
            name,
            type: type.id,
            settings: { ...settings, ...ofObjects },
            object,
            ...secrets,
          },
          {
            onSuccess() {
              mayLeave();
              void navigate({ to: '/accounts/$name', params: { name } });
            },
          },
        )
      }
    >
      <Fieldset legend={t`Account`}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" verticalSpacing="sm">
          <TextInput
            label={t`Name`}
            description={t`Rules, cron groups and the API refer to the account by it`}
            required
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            error={at.get('name')}
            autoComplete="off"
          />
          {type.kind !== 'target' && (
            <Stack gap="xs">
              <Checkbox
                label={t`Has objects instead of hosts`}
                description={t`Networks, contacts and the like; they are not listed as hosts`}
                checked={object}
                onChange={({ currentTarget }) => setObject(currentTarget.checked)}
              />
              {object && (
                <TextInput
                  label={t`Kind of object`}
                  placeholder="object"
                  value={objectType}
                  onChange={({ currentTarget }) => setObjectType(currentTarget.value)}
                  error={at.get('object_type')}
                />
              )}
            </Stack>
          )}
        </SimpleGrid>
      </Fieldset>
    </AccountForm>
  );
}
