import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Fieldset, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { may, useSession } from '../calls/session.ts';
import { useAction } from '../calls/use-call.ts';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { problemsByField } from '../parts/problems-by-field.ts';
import { useLeaveGuard } from '../parts/use-leave-guard.ts';
import { useProblemFocus } from '../parts/use-problem-focus.ts';
import { NewPassword } from './new-password.tsx';
import { NO_PROBLEMS, NO_RIGHTS, type Rights, rightsFieldOf, rightsProblems } from './rights.ts';
import { RightsFields } from './rights-fields.tsx';

const ABOVE = [{ to: '/users', label: t`Users` }];
const FIELDS = ['name', 'email', 'password', 'roles', 'accounts', 'templates', 'admin', 'read_only'];

export function NewUserPage() {
  const session = useSession();
  return (
    <Page title={t`New user`} above={ABOVE} isNarrow>
      {may(session, 'users/add-user') ? (
        <NewUser />
      ) : (
        <Text>
          <Trans>You may only read, so you cannot create users.</Trans>
        </Text>
      )}
    </Page>
  );
}

function NewUser() {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [rights, setRights] = useState<Rights>(NO_RIGHTS);
  const [own, setOwn] = useState(NO_PROBLEMS);
  const add = useAction('users/add-user', {
    done: t`User ${name} is created.`,
    changes: ['users'],
    showsProblem: true,
  });
  const { at, elsewhere } = problemsByField(add.error, FIELDS, rightsFieldOf);
  const form = useProblemFocus([...own.values()][0] ?? add.error);
  const problems = new Map([...at, ...own]);
  const mayLeave = useLeaveGuard(name !== '' || email !== '' || password !== '' || rights !== NO_RIGHTS);

  function submit(event: FormEvent): void {
    event.preventDefault();
    const found = rightsProblems(rights);
    setOwn(found);
    if (found.size > 0) return;
    const { roles, admin, read_only, accounts, templates } = rights;
    add.mutate(
      {
        name,
        email,
        password,
        roles: [...roles],
        admin,
        read_only,
        accounts: [...(accounts ?? [])],
        templates: [...(templates ?? [])],
      },
      {
        onSuccess() {
          mayLeave();
          void navigate({ to: '/users/$name', params: { name } });
        },
      },
    );
  }

  return (
    <form ref={form} onSubmit={submit} aria-label={t`New user`}>
      <Stack>
        {elsewhere !== undefined && <Problem error={elsewhere} />}
        <Fieldset legend={t`User`}>
          <Stack gap="sm">
            <TextInput
              label={t`Name`}
              description={t`Without spaces and colons`}
              required
              maxLength={100}
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
              error={at.get('name')}
              autoComplete="off"
            />
            <TextInput
              label={t`E-mail`}
              value={email}
              onChange={({ currentTarget }) => setEmail(currentTarget.value)}
              error={at.get('email')}
              autoComplete="off"
            />
            <NewPassword label={t`Password`} value={password} onChange={setPassword} error={at.get('password')} />
          </Stack>
        </Fieldset>
        <RightsFields rights={rights} onChange={setRights} problems={problems} />
        <div>
          <Button type="submit" loading={add.isPending}>
            <Trans>Add user</Trans>
          </Button>
        </div>
      </Stack>
    </form>
  );
}
