import { Button, Fieldset, Group, PasswordInput, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { CallError } from '../calls/call.ts';
import { Problem } from '../parts/problem.tsx';
import { problemsByField } from '../parts/problems-by-field.ts';
import { useProblemFocus } from '../parts/use-problem-focus.ts';
import { type FreeValue, FreeValues, freeChanges, freeValues } from './free-values.tsx';
import { type Account, type AccountType, type OptionField, optionFields, withFieldNames } from './option-fields.ts';
import { OptionInput } from './option-input.tsx';

/** What changes: texts by name of setting, empty ones taken away. */
interface AccountChanges {
  readonly settings: Readonly<Record<string, string>>;
  readonly password?: string;
}

interface AccountFormProps {
  /** `undefined` when no plugin provides the type. */
  readonly type: AccountType | undefined;
  /** As it is stored; absent for a new one. */
  readonly account?: Account;
  /** Names that it can take settings from. */
  readonly others: readonly string[];
  /** Stands above the options: name and type of a new account. */
  readonly children?: ReactNode;
  /** Names of the fields that `children` draw, whose problems they show themselves. */
  readonly drawn?: readonly string[];
  readonly error: CallError | null;
  readonly isBusy: boolean;
  readonly submit: string;
  readonly onSubmit: (changes: AccountChanges) => void;
}

/** The settings of an account: the options of its type as the service describes them, and what all accounts have. */
export function AccountForm(props: AccountFormProps) {
  const { type, account: stored, others, children, drawn = [], error, isBusy, submit, onSubmit } = props;
  const own = optionFields(type?.options ?? {});
  const common = optionFields(type?.common_options ?? {});
  const known = new Set([...own, ...common].map(({ name }) => name));
  const account = stored && withFieldNames(stored, [...own, ...common]);
  const before = storedSettings(account);
  const [values, setValues] = useState<Readonly<Record<string, string>>>(before);
  const [free, setFree] = useState<readonly FreeValue[]>(() => freeValues(account, known));
  const [password, setPassword] = useState('');
  const fields = [...known, 'address', 'username', 'password', 'parent', ...drawn];
  const { at, elsewhere } = problemsByField(error, fields, (path) => path.replace(/^settings\./, ''));

  const form = useProblemFocus(error);

  function set(name: string, value: string): void {
    setValues({ ...values, [name]: value });
  }

  function submitForm(event: FormEvent): void {
    event.preventDefault();
    const changed = Object.entries(values).filter(([name, value]) => value !== (before[name] ?? ''));
    onSubmit({
      settings: { ...Object.fromEntries(changed), ...freeChanges(account, free, known) },
      ...(password === '' ? {} : { password }),
    });
  }

  // What a child does not say, its parent may.
  const isChild = (values.parent ?? '') !== '';
  const option = (field: OptionField) => (
    <OptionInput
      key={field.name}
      field={{ ...field, required: field.required && !isChild }}
      value={values[field.name] ?? ''}
      onChange={(value) => set(field.name, value)}
      error={at.get(field.name)}
      stored={account?.secret_options.includes(field.name) === true}
    />
  );
  const text = (name: string) => ({
    value: values[name] ?? '',
    onChange: ({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) => set(name, value),
    error: at.get(name),
    name,
    autoComplete: 'off',
  });
  const hasFreeValues = type === undefined || type.kind === 'api' || free.length > 0;

  return (
    <form ref={form} onSubmit={submitForm} aria-label="Account">
      <Stack maw={900}>
        {elsewhere !== undefined && <Problem error={elsewhere} />}
        {children}
        {own.length > 0 && (
          <Fieldset legend={`Options of ${type?.title ?? ''}`}>
            <Options fields={own} draw={option} />
          </Fieldset>
        )}
        {common.length > 0 && (
          <Fieldset legend={type?.kind === 'target' ? 'Export' : 'Import'}>
            <Options fields={common} draw={option} />
          </Fieldset>
        )}
        {hasFreeValues && (
          <FreeValues
            values={free}
            onChange={setFree}
            hint={
              type?.kind === 'api' || type === undefined
                ? 'Rules use them as {{ACCOUNT:<account>:<name>}}. Values named like token or password are stored encrypted.'
                : 'This type does not know them; the account works again once they are removed.'
            }
          />
        )}
        <Fieldset legend="Access to the system">
          <Fields>
            <TextInput
              label="Address"
              description="For types that access a system over the network"
              {...text('address')}
            />
            <TextInput label="User name" description="At that system" {...text('username')} />
            <PasswordInput
              label="Password"
              description="Stored encrypted and never shown"
              placeholder={account?.has_password ? 'stored; enter a new one to replace it' : ''}
              value={password}
              onChange={({ currentTarget: { value } }) => setPassword(value)}
              error={at.get('password')}
              autoComplete="new-password"
            />
            {(others.length > 0 || account?.parent) && (
              <Select
                label="Parent"
                description="The account that provides what is not set here"
                placeholder="none"
                data={[...new Set([...others, ...(account?.parent ? [account.parent] : [])])]}
                value={values.parent || null}
                onChange={(parent) =>
                  setValues({ ...values, parent: parent ?? '', is_child: parent === null ? '' : 'true' })
                }
                error={at.get('parent')}
                clearable
                searchable
              />
            )}
            {type?.kind === 'source' && (
              <OptionInput
                field={MASTER}
                value={values.is_master ?? ''}
                onChange={(value) => set('is_master', value)}
                error={at.get('is_master')}
                stored={false}
              />
            )}
          </Fields>
        </Fieldset>
        <Group>
          <Button type="submit" loading={isBusy}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const MASTER: OptionField = {
  name: 'is_master',
  aliases: [],
  kind: 'flag',
  description: 'Imports take hosts over from other accounts',
  required: false,
  fallback: 'false',
  choices: [],
  min: undefined,
  max: undefined,
};

interface OptionsProps {
  readonly fields: readonly OptionField[];
  readonly draw: (field: OptionField) => ReactNode;
}

/** Switches stand below the others, so that the rows have no holes. */
function Options({ fields, draw }: OptionsProps) {
  const flags = fields.filter(({ kind }) => kind === 'flag');
  return (
    <Stack gap="md">
      <Fields>{fields.filter(({ kind }) => kind !== 'flag').map(draw)}</Fields>
      {flags.length > 0 && <Fields>{flags.map(draw)}</Fields>}
    </Stack>
  );
}

function Fields({ children }: { readonly children: ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" verticalSpacing="sm">
      {children}
    </SimpleGrid>
  );
}

/** What the form begins with; secrets are not among it. */
function storedSettings(account: Account | undefined): Readonly<Record<string, string>> {
  if (account === undefined) return {};
  const { options, secret_options, address, username, parent, is_master } = account;
  return {
    ...Object.fromEntries(Object.entries(options).filter(([name]) => !secret_options.includes(name))),
    address,
    username,
    parent,
    is_master: is_master ? 'true' : '',
  };
}
