import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, PasswordInput, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { LoginAnswer } from '../../routes.ts';
import { type Session, useEnter, useLogin, useSignIn } from '../calls/session.ts';
import { NewRecoveryCodes } from '../parts/recovery-codes.tsx';
import { OtherDoors } from './other-doors.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { SecondStepForm } from './second-step-form.tsx';

/** Passwords of this service. No account has this name. */
const HERE = '';

interface LoginFormProps {
  /** The name that it begins with. */
  readonly user?: string;
  readonly onDone?: (session: Session) => void;
}

/** A login in one step or two: the first proof may not be enough. */
export function LoginForm({ user = '', onDone }: LoginFormProps) {
  const enter = useEnter();
  const [answer, setAnswer] = useState<LoginAnswer>();

  function goOn(next: LoginAnswer): void {
    if ('second_step' in next || next.recovery_codes !== undefined) setAnswer(next);
    else finish(next);
  }

  function finish(session: Session): void {
    enter(session);
    onDone?.(session);
  }

  if (answer === undefined) return <FirstStep user={user} onAnswer={goOn} />;
  if ('second_step' in answer) {
    return <SecondStepForm step={answer.second_step} onAnswer={goOn} onBack={() => setAnswer(undefined)} />;
  }
  return <NewRecoveryCodes codes={answer.recovery_codes ?? []} onDone={() => finish(answer)} />;
}

interface FirstStepProps {
  readonly user: string;
  readonly onAnswer: (answer: LoginAnswer) => void;
}

function FirstStep({ user, onAnswer }: FirstStepProps) {
  const login = useLogin();
  const [name, setName] = useState(user);
  const [password, setPassword] = useState('');
  const [method, setMethod] = useState(HERE);
  const signIn = useSignIn().data;
  const elsewhere = (signIn?.methods ?? []).filter(({ kind }) => kind === 'password');

  function submit(event: FormEvent): void {
    event.preventDefault();
    login.mutate({ name, password, ...(method === HERE ? {} : { method }) }, { onSuccess: onAnswer });
  }

  return (
    <form aria-label={t`Log in`} onSubmit={submit}>
      <Stack>
        {login.isError && (
          <Alert color="red" role="alert">
            {login.error.code === 'unauthenticated' ? t`The user name or password is wrong.` : login.error.message}
          </Alert>
        )}
        {signIn !== undefined && signIn.problem !== '' && (
          <Alert color="red" role="alert">
            {signIn.problem}
          </Alert>
        )}
        {signIn?.no_users === true && (
          <Alert color="yellow" role="status" title={t`There are no users yet`}>
            <Trans>
              The service showed a link for the first user when it started: on its terminal, or in its log with
              FIRST_USER_LINK=log. Or create the user on its machine: muster user add NAME --role all --admin
            </Trans>
          </Alert>
        )}
        {elsewhere.length > 0 && (
          <SegmentedControl
            aria-label={t`Log in by`}
            fullWidth
            value={method}
            onChange={setMethod}
            data={[{ value: HERE, label: 'Muster' }, ...elsewhere.map(({ name: value, label }) => ({ value, label }))]}
          />
        )}
        <TextInput
          label={t`User`}
          autoComplete="username"
          required
          autoFocus={user === ''}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <PasswordInput
          label={t`Password`}
          autoComplete="current-password"
          required
          autoFocus={user !== ''}
          data-autofocus={user !== '' || undefined}
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <Button type="submit" loading={login.isPending} fullWidth>
          <Trans>Log in</Trans>
        </Button>
        {signIn?.passkeys === true && <PasskeyButton onAnswer={onAnswer} />}
        <OtherDoors methods={signIn?.methods ?? []} />
      </Stack>
    </form>
  );
}
