import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { has, SESSION_KEY, type Session, useEnter, useLogin, useSession } from '../calls/session.ts';
import { useAction } from '../calls/use-call.ts';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { problemsByField } from '../parts/problems-by-field.ts';
import { Section } from '../parts/section.tsx';
import { useProblemFocus } from '../parts/use-problem-focus.ts';
import { Command } from '../parts/value.tsx';
import { OwnSecondFactor } from './own-second-factor.tsx';
import { PreferenceFields } from './preference-fields.tsx';
import { OwnSessions } from './sessions.tsx';
import { OwnTokens } from './tokens.tsx';
import { UserFacts } from './user-facts.tsx';

/** Shows the user's own rights, preferences and ways to log in. */
export function ProfilePage() {
  const session = useSession();
  return (
    <Page title={t`Your profile`} description={t`You are ${{ user: session.user }}.`} isNarrow>
      <Stack>
        <UserFacts
          caption={t`Your permissions`}
          roles={session.roles}
          admin={session.admin}
          accounts={session.accounts}
          templates={session.templates}
          readOnly={session.read_only}
        />
        <Section title={t`This browser`}>
          <PreferenceFields />
        </Section>
        <Section title={t`API tokens`}>
          <OwnTokens />
        </Section>
        <Section title={t`Password`}>
          {session.read_only ? <ReadOnly session={session} /> : <PasswordForm session={session} />}
        </Section>
        {has(session, 'users/show-own-second-factor') && (
          <Section title={t`Second factor`}>
            <OwnSecondFactor />
          </Section>
        )}
        <Section title={t`Sessions`}>
          <OwnSessions />
        </Section>
      </Stack>
    </Page>
  );
}

function ReadOnly({ session: { user } }: { readonly session: Session }) {
  return (
    <Text size="sm">
      <Trans>
        You may only read, and a new password is a change. An administrator sets one for you under Users, or with{' '}
        <Command>{`muster user passwd ${user}`}</Command>.
      </Trans>
    </Text>
  );
}

function PasswordForm({ session: { user } }: { readonly session: Session }) {
  const [present, setPresent] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const [isDifferent, setDifferent] = useState(false);
  const login = useLogin();
  const enter = useEnter();
  const queries = useQueryClient();
  const change = useAction('users/change-own-password', {
    done: t`You have a new password. Your other sessions have ended.`,
    changes: [],
    showsProblem: true,
  });
  const { at, elsewhere } = problemsByField(change.error, ['present_password', 'new_password']);

  const form = useProblemFocus(change.error ?? (isDifferent || null));

  function submit(event: FormEvent): void {
    event.preventDefault();
    setDifferent(next !== again);
    if (next !== again) return;
    change.mutate(
      { present_password: present, new_password: next },
      {
        onSuccess() {
          for (const clear of [setPresent, setNext, setAgain]) clear('');
          // A new password ends every session of the user, this one too.
          login.mutate(
            { name: user, password: next },
            {
              onSuccess: (answer) => {
                // A user with a second factor has to present it again.
                if ('second_step' in answer) void queries.invalidateQueries({ queryKey: SESSION_KEY });
                else enter(answer);
              },
            },
          );
        },
      },
    );
  }

  return (
    <form ref={form} onSubmit={submit} aria-label={t`Password`}>
      <Stack gap="sm">
        {elsewhere !== undefined && <Problem error={elsewhere} />}
        <input type="text" name="username" autoComplete="username" value={user} readOnly hidden />
        <PasswordInput
          label={t`Current password`}
          required
          value={present}
          onChange={({ currentTarget }) => setPresent(currentTarget.value)}
          error={at.get('present_password')}
          autoComplete="current-password"
        />
        <PasswordInput
          label={t`New password`}
          required
          value={next}
          onChange={({ currentTarget }) => setNext(currentTarget.value)}
          error={at.get('new_password')}
          autoComplete="new-password"
        />
        <PasswordInput
          label={t`New password again`}
          required
          value={again}
          onChange={({ currentTarget }) => setAgain(currentTarget.value)}
          error={isDifferent ? t`is not the same as the new password` : undefined}
          autoComplete="new-password"
        />
        <Text size="sm" c="dimmed">
          <Trans>It ends your sessions in other browsers. API tokens stay.</Trans>
        </Text>
        <div>
          <Button type="submit" loading={change.isPending}>
            <Trans>Change password</Trans>
          </Button>
        </div>
      </Stack>
    </form>
  );
}
