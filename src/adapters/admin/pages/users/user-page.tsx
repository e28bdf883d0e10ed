import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { has, useSession } from '../calls/session.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { confirm } from '../parts/confirm.ts';
import { DeleteButton } from '../parts/delete-button.tsx';
import { TextLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { problemsByField } from '../parts/problems-by-field.ts';
import { Section } from '../parts/section.tsx';
import { useLeaveGuard } from '../parts/use-leave-guard.ts';
import { useProblemFocus } from '../parts/use-problem-focus.ts';
import { WaitingNote } from '../parts/waiting.tsx';
import { NewPassword } from './new-password.tsx';
import {
  changeDenial,
  isRole,
  NO_PROBLEMS,
  type Rights,
  rightsFieldOf,
  rightsOf,
  rightsProblems,
  type User,
} from './rights.ts';
import { RightsFields } from './rights-fields.tsx';
import { UserSessions } from './sessions.tsx';
import { Tokens } from './tokens.tsx';
import { UserFacts } from './user-facts.tsx';
import { UserSecondFactor } from './user-second-factor.tsx';

const ABOVE = [{ to: '/users', label: t`Users` }];

export function UserPage({ name }: { readonly name: string }) {
  const user = useAnswer('users/show-user', { name });
  if (user.data === undefined) {
    return (
      <Page title={name} above={ABOVE}>
        <Answer of={user} whereMissing={<TextLink size="sm" to="/users">{t`All users`}</TextLink>}>
          {() => null}
        </Answer>
      </Page>
    );
  }
  return <ShownUser user={user.data} />;
}

function ShownUser({ user }: { readonly user: User }) {
  const session = useSession();
  const denial = changeDenial(session);
  const isSelf = user.name === session.user;
  return (
    <Page
      isNarrow
      title={user.name}
      above={ABOVE}
      description={
        <Group gap="xs">
          {isSelf && (
            <span>
              <Trans>This is you.</Trans>
            </span>
          )}
          {user.email !== '' && <span className="wrap-anywhere">{user.email}</span>}
          {user.disabled && (
            <Badge size="sm" variant="light" color="red">
              <Trans>disabled</Trans>
            </Badge>
          )}
        </Group>
      }
      actions={
        denial === undefined && (
          <>
            <Switched user={user} isSelf={isSelf} />
            {!isSelf && <Deleted user={user} />}
          </>
        )
      }
    >
      {user.waits && <WaitingNote rule_type="users" name={user.name} />}
      {denial !== undefined && <Text size="sm">{denial}</Text>}
      <Stack>
        {denial === undefined ? (
          <RightsForm key={JSON.stringify([user.email, rightsOf(user)])} user={user} isSelf={isSelf} />
        ) : (
          <UserFacts
            roles={user.roles}
            admin={user.global_admin}
            accounts={user.accounts}
            templates={user.templates}
            readOnly={user.read_only}
            caption={t`Rights`}
          />
        )}
        {denial === undefined && (
          <Section title={t`Password`}>{isSelf ? <OwnPassword /> : <PasswordForm name={user.name} />}</Section>
        )}
      </Stack>
      {!isSelf && has(session, 'users/reset-second-factor') && (
        <Section title={t`Second factor`}>
          <UserSecondFactor user={user} mayChange={denial === undefined} />
        </Section>
      )}
      <Section title={t`API tokens`}>
        <Tokens user={user} mayChange={denial === undefined} />
      </Section>
      <Section title={t`Sessions`}>
        <UserSessions name={user.name} mayChange={denial === undefined} />
      </Section>
    </Page>
  );
}

/** Disables or enables a user; who is disabled is out at once, and in again by the same button. */
function Switched({ user: { name, disabled }, isSelf }: { readonly user: User; readonly isSelf: boolean }) {
  const change = useAction('users/change-user', {
    done: disabled ? t`User ${name} is enabled.` : t`User ${name} is disabled.`,
    changes: ['users', 'session'],
  });
  const set = () => change.mutate({ name, disabled: !disabled });
  const text = isSelf
    ? t`Password, sessions and tokens of ${name} stop working at once, until the user is enabled again. This is you: another administrator, or the operator with "muster user enable", can let you in again.`
    : t`Password, sessions and tokens of ${name} stop working at once, until the user is enabled again.`;
  return (
    <Button
      variant="default"
      loading={change.isPending}
      onClick={() =>
        disabled
          ? set()
          : confirm({
              title: t`Disable user ${name}?`,
              text,
              yes: t`Disable`,
              onYes: set,
            })
      }
    >
      {disabled ? t`Enable` : t`Disable`}
    </Button>
  );
}

function Deleted({ user: { name } }: { readonly user: User }) {
  const navigate = useNavigate();
  const remove = useAction('users/delete-user', { done: t`User ${name} is deleted.`, changes: ['users'] });
  const ask = () =>
    confirm({
      title: t`Delete user ${name}?`,
      text: t`Password, sessions and tokens of ${name} stop working at once and permanently. History and audit log keep the name; a later user with that name is a different one.`,
      yes: t`Delete`,
      onYes: () => remove.mutate({ name }, { onSuccess: () => void navigate({ to: '/users' }) }),
    });
  return <DeleteButton isPending={remove.isPending} onClick={ask} />;
}

interface RightsFormProps {
  readonly user: User;
  readonly isSelf: boolean;
}

function RightsForm({ user, isSelf }: RightsFormProps) {
  const before = rightsOf(user);
  const [rights, setRights] = useState<Rights>(before);
  const [email, setEmail] = useState(user.email);
  const [own, setOwn] = useState(NO_PROBLEMS);
  const save = useAction('users/change-user', {
    done: t`User ${{ name: user.name }} is saved.`,
    changes: ['users', 'session'],
    showsProblem: true,
  });
  const { at, elsewhere } = problemsByField(
    save.error,
    ['email', 'roles', 'accounts', 'templates', 'admin', 'read_only'],
    rightsFieldOf,
  );
  const form = useProblemFocus([...own.values()][0] ?? save.error);
  const problems = new Map([...at, ...own]);
  useLeaveGuard(email !== user.email || JSON.stringify(rights) !== JSON.stringify(before));
  const unknownRoles = user.roles.filter((role) => !isRole(role) && role !== 'ansible').join(', ');

  function submit(event: FormEvent): void {
    event.preventDefault();
    const found = rightsProblems(rights);
    setOwn(found);
    if (found.size > 0) return;
    // Sends only the differences: changes of another administrator in the meantime are kept.
    const { roles, admin, read_only, accounts, templates } = rights;
    const changes = {
      ...(email !== user.email && { email }),
      ...(roles.join() !== before.roles.join() && { roles: [...roles] }),
      ...(admin !== before.admin && { admin }),
      ...(read_only !== before.read_only && { read_only }),
      ...(accounts?.join() !== before.accounts?.join() && { accounts: [...(accounts ?? [])] }),
      ...(templates?.join() !== before.templates?.join() && { templates: [...(templates ?? [])] }),
    };
    const put = () => save.mutate({ name: user.name, ...changes });
    const losesRights = isSelf && ((before.admin && !admin) || (!before.read_only && read_only));
    if (!losesRights) {
      put();
      return;
    }
    confirm({
      title: t`Remove your own rights?`,
      text: t`You cannot give them back to yourself: another administrator can, or the operator with "muster user".`,
      yes: t`Remove them`,
      onYes: put,
    });
  }

  return (
    <form ref={form} onSubmit={submit} aria-label={t`Rights`}>
      <Stack>
        {elsewhere !== undefined && <Problem error={elsewhere} />}
        <TextInput
          label={t`E-mail`}
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          error={at.get('email')}
          autoComplete="off"
        />
        {unknownRoles !== '' && (
          <Text size="sm" c="dimmed">
            <Trans>
              The user also has the roles {unknownRoles}, which are unknown here and grant nothing; changing the roles
              removes them.
            </Trans>
          </Text>
        )}
        <RightsFields rights={rights} onChange={setRights} problems={problems} />
        <div>
          <Button type="submit" loading={save.isPending}>
            <Trans>Save</Trans>
          </Button>
        </div>
      </Stack>
    </form>
  );
}

function OwnPassword() {
  return (
    <Text size="sm">
      <Trans>
        Change your own password in <TextLink to="/profile">your profile</TextLink>.
      </Trans>
    </Text>
  );
}

function PasswordForm({ name }: { readonly name: string }) {
  const [password, setPassword] = useState('');
  const change = useAction('users/change-user', {
    done: t`User ${name} has a new password.`,
    changes: ['users'],
    showsProblem: true,
  });
  const { at, elsewhere } = problemsByField(change.error, ['password']);
  return (
    <form
      aria-label={t`Password`}
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ name, password }, { onSuccess: () => setPassword('') });
      }}
    >
      <Stack gap="sm">
        {elsewhere !== undefined && <Problem error={elsewhere} />}
        <NewPassword
          label={t`New password`}
          value={password}
          onChange={(next) => {
            setPassword(next);
            if (change.isError) change.reset();
          }}
          error={at.get('password')}
        />
        <div>
          <Button type="submit" variant="default" loading={change.isPending}>
            <Trans>Set password</Trans>
          </Button>
        </div>
      </Stack>
    </form>
  );
}
