import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { SecondStep } from '../../../../app/logins/second-factor/log-in.ts';
import type { LoginAnswer } from '../../routes.ts';
import { useLogin } from '../calls/session.ts';
import { AuthenticatorSetup } from '../parts/authenticator-setup.tsx';
import { PasskeyButton } from './passkey-button.tsx';

interface SecondStepFormProps {
  readonly step: SecondStep;
  readonly onAnswer: (answer: LoginAnswer) => void;
  readonly onBack: () => void;
}

type Way = SecondStep['ways'][number];

/** Asks for the proof after the password. */
export function SecondStepForm({ step, onAnswer, onBack }: SecondStepFormProps) {
  const { ways, setup } = step;
  const [way, setWay] = useState<Way>(ways[0] ?? 'code');
  return (
    <Stack>
      {setup !== null && (
        <>
          <Text size="sm">
            <Trans>
              Your user needs a second factor. Scan this with an authenticator app, then enter the code that it shows.
            </Trans>
          </Text>
          <AuthenticatorSetup {...setup} />
        </>
      )}
      {way === 'passkey' ? (
        <PasskeyButton onAnswer={onAnswer} />
      ) : (
        <CodeForm key={way} ticket={step.ticket} way={way} onAnswer={onAnswer} />
      )}
      <Group gap="md">
        {ways
          .filter((other) => other !== way)
          .map((other) => (
            <Anchor key={other} component="button" type="button" size="sm" onClick={() => setWay(other)}>
              {LINKS[other]}
            </Anchor>
          ))}
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          <Trans>Back</Trans>
        </Anchor>
      </Group>
    </Stack>
  );
}

const LINKS: Readonly<Record<Way, string>> = {
  code: t`Use a code of the app`,
  passkey: t`Use a passkey`,
  recovery_code: t`Use a recovery code`,
};

interface CodeFormProps {
  readonly ticket: string;
  readonly way: 'code' | 'recovery_code';
  readonly onAnswer: (answer: LoginAnswer) => void;
}

function CodeForm({ ticket, way, onAnswer }: CodeFormProps) {
  const login = useLogin();
  const [text, setText] = useState('');
  const isCode = way === 'code';

  function submit(event: FormEvent): void {
    event.preventDefault();
    login.mutate(isCode ? { ticket, code: text } : { ticket, recovery_code: text }, { onSuccess: onAnswer });
  }

  return (
    <form aria-label={t`Second factor`} onSubmit={submit}>
      <Stack>
        {login.isError && (
          <Alert color="red" role="alert">
            {sentence(login.error.message)}
          </Alert>
        )}
        <TextInput
          label={isCode ? t`Code of your authenticator app` : t`Recovery code`}
          required
          autoFocus
          autoComplete={isCode ? 'one-time-code' : 'off'}
          inputMode={isCode ? 'numeric' : 'text'}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button type="submit" loading={login.isPending} fullWidth>
          <Trans>Log in</Trans>
        </Button>
      </Stack>
    </form>
  );
}

function sentence(message: string): string {
  return `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`;
}
