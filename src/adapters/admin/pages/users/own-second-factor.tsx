import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { type CallError, call } from '../calls/call.ts';
import { useSession } from '../calls/session.ts';
import { isChanged, useAction, useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { AuthenticatorSetup } from '../parts/authenticator-setup.tsx';
import { cell } from '../parts/cells.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Problem } from '../parts/problem.tsx';
import { problemsByField } from '../parts/problems-by-field.ts';
import { NewRecoveryCodes } from '../parts/recovery-codes.tsx';
import { useProblemFocus } from '../parts/use-problem-focus.ts';
import { browserName } from './browser-name.ts';
import { secondFactorText } from './reach-words.ts';

type Factor = OfferedOutput<'users/show-own-second-factor'>;
type Passkey = Factor['passkeys'][number];

/** Shows the user's second factor, and ways to change it. */
export function OwnSecondFactor() {
  const factor = useAnswer('users/show-own-second-factor', {});
  const { read_only } = useSession();
  return (
    <Answer of={factor}>
      {(shown) => {
        if (shown.elsewhere)
          return (
            <Text size="sm">
              <Trans>You log in through another system, which handles the second factor.</Trans>
            </Text>
          );
        return (
          <>
            <Text size="sm">{stateText(shown)}</Text>
            {read_only ? (
              <Text size="sm" c="dimmed">
                <Trans>You may only read, so an administrator changes how you log in.</Trans>
              </Text>
            ) : (
              <FactorForm factor={shown} />
            )}
          </>
        );
      }}
    </Answer>
  );
}

function stateText({ authenticator, passkeys, recovery_codes }: Factor): string {
  const ways = secondFactorText({ authenticator, passkeys: passkeys.length, recovery_codes });
  if (ways !== undefined) return t`You log in with: ${ways}.`;
  return t`None yet: you log in with your password alone. With a second factor, a stolen password is not enough to log in; programs use API tokens.`;
}

/** Every change wants the password: a session that was left open is not enough. */
function FactorForm({ factor }: { readonly factor: Factor }) {
  const [password, setPassword] = useState('');
  const [codes, setCodes] = useState<readonly string[]>([]);
  const [setup, setSetup] = useState<OfferedOutput<'users/begin-own-authenticator'>>();
  const options = { changes: ['users'], showsProblem: true } as const;
  const begin = useAction('users/begin-own-authenticator', { changes: [], showsProblem: true });
  const remove = useAction('users/remove-own-authenticator', {
    ...options,
    done: t`Codes of the app are not asked for any more.`,
  });
  const renew = useAction('users/create-own-recovery-codes', options);
  const removePasskey = useAction('users/remove-own-passkey', { ...options, done: t`The passkey is removed.` });
  const add = useAddPasskey();
  const all = [begin, remove, renew, removePasskey, add];
  const error = all.find((action) => action.isError)?.error ?? null;
  const { at, elsewhere } = problemsByField(error, ['present_password']);
  const form = useProblemFocus(error);
  const given = { present_password: password };
  const [start, drop] = [begin.mutate, removePasskey.mutate];
  const columns = useMemo(
    () => [...COLUMNS, removeColumn((id) => drop({ present_password: password, id }))],
    [drop, password],
  );

  function clear(): void {
    for (const action of all) action.reset();
  }

  function finish(fresh: readonly string[]): void {
    setPassword('');
    setSetup(undefined);
    setCodes(fresh);
  }

  return (
    <form ref={form} aria-label={t`Second factor`} onSubmit={(event) => event.preventDefault()}>
      <Stack gap="sm">
        {elsewhere !== undefined && <Problem error={elsewhere} />}
        {factor.passkeys.length > 0 && (
          <DataTable
            caption={t`Passkeys`}
            columns={columns}
            rows={factor.passkeys}
            rowKey={({ id }) => id}
            empty=""
            minWidth={300}
          />
        )}
        <PasswordInput
          label={t`Current password`}
          description={t`To change any of this`}
          autoComplete="current-password"
          value={password}
          onChange={({ currentTarget }) => {
            setPassword(currentTarget.value);
            clear();
          }}
          error={at.get('present_password')}
        />
        <Group gap="sm">
          <Button
            variant="default"
            loading={begin.isPending}
            onClick={() => {
              clear();
              start(given, { onSuccess: setSetup });
            }}
          >
            {factor.authenticator ? t`Set up another authenticator app` : t`Set up authenticator app`}
          </Button>
          {factor.authenticator && (
            <Button
              variant="default"
              loading={remove.isPending}
              onClick={() => {
                clear();
                remove.mutate(given, { onSuccess: () => finish([]) });
              }}
            >
              <Trans>Remove authenticator app</Trans>
            </Button>
          )}
          <Button
            variant="default"
            loading={add.isPending}
            onClick={() => {
              clear();
              add.mutate(password, { onSuccess: finish });
            }}
          >
            <Trans>Add a passkey</Trans>
          </Button>
          {(factor.authenticator || factor.passkeys.length > 0) && (
            <Button
              variant="default"
              loading={renew.isPending}
              onClick={() => {
                clear();
                renew.mutate(given, { onSuccess: ({ recovery_codes }) => finish(recovery_codes) });
              }}
            >
              <Trans>New recovery codes</Trans>
            </Button>
          )}
        </Group>
      </Stack>
      <Modal
        opened={setup !== undefined}
        onClose={() => setSetup(undefined)}
        title={t`Set up an authenticator app`}
        closeOnClickOutside={false}
      >
        {setup !== undefined && <ConfirmApp setup={setup} onDone={finish} />}
      </Modal>
      <Modal
        opened={codes.length > 0}
        onClose={() => undefined}
        title={t`Your recovery codes`}
        withCloseButton={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
      >
        <NewRecoveryCodes codes={codes} onDone={() => setCodes([])} />
      </Modal>
    </form>
  );
}

interface ConfirmAppProps {
  readonly setup: OfferedOutput<'users/begin-own-authenticator'>;
  readonly onDone: (codes: readonly string[]) => void;
}

function ConfirmApp({ setup: { ticket, secret, address }, onDone }: ConfirmAppProps) {
  const [code, setCode] = useState('');
  const confirmApp = useAction('users/confirm-own-authenticator', {
    done: t`From now on you log in with a code of the app too.`,
    changes: ['users'],
    showsProblem: true,
  });
  const { at, elsewhere } = problemsByField(confirmApp.error, ['code']);

  function submit(event: FormEvent): void {
    event.preventDefault();
    // A form around this one, through the tree of components, is another form.
    event.stopPropagation();
    confirmApp.mutate({ ticket, code }, { onSuccess: ({ recovery_codes }) => onDone(recovery_codes) });
  }

  return (
    <form aria-label={t`Authenticator app`} onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">
          <Trans>Scan this with the app, then enter the code that it shows.</Trans>
        </Text>
        <AuthenticatorSetup secret={secret} address={address} />
        {elsewhere !== undefined && <Problem error={elsewhere} />}
        <TextInput
          label={t`Code`}
          required
          data-autofocus
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
          error={at.get('code')}
        />
        <Button type="submit" loading={confirmApp.isPending}>
          <Trans>Use this app</Trans>
        </Button>
      </Stack>
    </form>
  );
}

/** Has the browser make a passkey, and keeps it. Answers new recovery codes. */
function useAddPasskey() {
  const queries = useQueryClient();
  return useMutation<readonly string[], CallError, string>({
    mutationFn: async (present_password) => {
      const { ticket, options } = await call('users/begin-own-passkey', {
        present_password,
        origin: window.location.origin,
      });
      const { makePasskey } = await import('../calls/passkeys.ts');
      const answer = await makePasskey(options as unknown as PublicKeyCredentialCreationOptionsJSON);
      const label = browserName(navigator.userAgent);
      return (
        await call('users/add-own-passkey', { ticket, label, answer: { ...answer, response: { ...answer.response } } })
      ).recovery_codes;
    },
    onSuccess: () => queries.invalidateQueries({ predicate: ({ queryKey }) => isChanged(['users'], queryKey[0]) }),
  });
}

const COLUMNS: readonly Column<Passkey>[] = [
  cell.text('label', t`Passkey`, ({ label, id }) => label || id.slice(0, 12)),
  cell.when('created', t`Added`, ({ created }) => created ?? undefined, { sortBy: ({ created }) => created ?? '' }),
];

function removeColumn(onRemove: (id: string) => void): Column<Passkey> {
  return cell.act('remove', t`Remove`, ({ id, label }) => (
    <Button variant="default" size="compact-xs" onClick={() => onRemove(id)} aria-label={t`Remove passkey ${label}`}>
      <Trans>Remove</Trans>
    </Button>
  ));
}
