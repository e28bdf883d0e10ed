import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { may, useSession } from '../calls/session.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { problemsByField } from '../parts/problems-by-field.ts';
import { Section } from '../parts/section.tsx';
import { TickBox } from '../parts/tick-box.tsx';
import { type AccountChanges, AccountForm } from './account-form.tsx';
import { Assistant } from './assistant/assistant.tsx';
import { type KeptDraft, NO_DRAFT } from './new-draft.ts';
import { type AccountType, typeNamed } from './option-fields.ts';
import { TryAccount } from './try-account.tsx';
import { type Purpose, TypeChoice } from './type-choice.tsx';

interface NewAccountPageProps {
  readonly type: string | undefined;
  /** One form with everything, for users who know what they want. */
  readonly isPlain: boolean;
  /** Set if the user wanted a source or a receiver; other types are shown on request. */
  readonly purpose: Purpose | undefined;
  /** True if the user came from a new host that has no account yet, and will return to it. */
  readonly isForHost: boolean;
  readonly onType: (type: string) => void;
  readonly onPlain: (isPlain: boolean) => void;
}

const ABOVE = [{ to: '/accounts', label: t`Accounts` }];
const ABOVE_RECEIVERS = [{ to: '/notifications', label: t`Notifications` }];

export function NewAccountPage({ type, isPlain, purpose, isForHost, onType, onPlain }: NewAccountPageProps) {
  const session = useSession();
  const types = useAnswer('accounts/list-account-types', {});
  // biome-ignore lint/correctness/useExhaustiveDependencies: another type has other settings
  const kept = useMemo((): KeptDraft => ({ current: NO_DRAFT }), [type]);
  // A user who walks through the types by arrow keys stays in the list.
  const [isPicked, setPicked] = useState(type !== undefined);
  const box = useRef<HTMLDivElement>(null);
  const shownType = types.data === undefined ? undefined : type;
  useEffect(() => {
    if (!isPicked || shownType === undefined) return;
    window.scrollTo(0, 0);
    box.current?.querySelector<HTMLElement>('form input')?.focus({ preventScroll: true });
  }, [isPicked, shownType]);
  if (!may(session, 'accounts/add-account')) {
    return (
      <Page title={titleOf(undefined, purpose)} above={ABOVE} isNarrow>
        <Text>
          <Trans>You may only read, so you cannot create accounts.</Trans>
        </Text>
      </Page>
    );
  }
  const mayTry = may(session, 'accounts/try-account');
  const kind = type === undefined ? undefined : typeNamed(types.data?.types ?? [], type)?.kind;
  return (
    <Page title={titleOf(kind, purpose)} above={purpose === 'receiver' ? ABOVE_RECEIVERS : ABOVE} isNarrow>
      <Answer of={types}>
        {({ types: all }) => {
          const chosen = type === undefined ? undefined : typeNamed(all, type);
          return (
            <Stack ref={box}>
              <TypeChoice
                types={all}
                value={chosen?.id ?? null}
                purpose={purpose}
                onChange={(next) => {
                  setPicked(false);
                  onType(next);
                }}
                onPick={() => setPicked(true)}
              />
              {chosen !== undefined && mayTry && isSource(chosen) && (
                <Switch
                  label={t`One form with all options`}
                  checked={isPlain}
                  onChange={({ currentTarget }) => onPlain(currentTarget.checked)}
                />
              )}
              {chosen !== undefined &&
                (mayTry && isSource(chosen) && !isPlain ? (
                  <Assistant key={chosen.id} type={chosen} kept={kept} />
                ) : (
                  <NewAccount key={chosen.id} type={chosen} kept={kept} isForHost={isForHost} />
                ))}
            </Stack>
          );
        }}
      </Answer>
    </Page>
  );
}

/** Returns the common name for an account of the kind. */
function titleOf(kind: AccountType['kind'] | undefined, purpose: Purpose | undefined): string {
  switch (kind) {
    case 'source':
    case 'both':
      return t`New source`;
    case 'target':
      return t`New target`;
    case 'channel':
      return t`New receiver`;
    case 'sign_in':
      return t`New login`;
    default:
      if (kind !== undefined || purpose === undefined) return t`New account`;
      return purpose === 'source' ? t`Add a source` : t`Add a receiver`;
  }
}

/** Whether the type has records to look at before the account is saved. */
function isSource({ kind }: AccountType): boolean {
  return kind === 'source' || kind === 'both';
}

interface NewAccountProps {
  readonly type: AccountType;
  readonly kept: KeptDraft;
  readonly isForHost: boolean;
}

function NewAccount({ type, kept, isForHost }: NewAccountProps) {
  const session = useSession();
  const navigate = useNavigate();
  const isSentTo = type.kind === 'channel';
  const [name, setName] = useState(kept.current.name);
  const [object, setObject] = useState(kept.current.object);
  const [objectType, setObjectType] = useState(kept.current.objectType);
  useEffect(() => {
    kept.current = { ...kept.current, name, object, objectType };
  });
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
      kept={kept}
      others={(accounts.data?.accounts ?? []).map((account) => account.name)}
      drawn={['name', 'object_type']}
      error={add.error}
      isBusy={add.isPending}
      submit={isSentTo ? t`Add receiver` : t`Add account`}
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
              if (isForHost && type.kind === 'api') void navigate({ to: '/hosts/new', search: { account: name } });
              else if (isSentTo && may(session, 'notifications/list-notifications'))
                void navigate({ to: '/notifications' });
              else void navigate({ to: '/accounts/$name', params: { name } });
            },
          },
        )
      }
    >
      <Section title={t`Account`}>
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
          {(isSource(type) || type.kind === 'api') && (
            <Stack gap="xs">
              <TickBox
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
      </Section>
    </AccountForm>
  );
}
