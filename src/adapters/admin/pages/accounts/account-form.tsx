import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import type { CallError } from '../calls/call.ts';
import { MASK } from '../forms/document.ts';
import { DraftProvider } from '../forms/draft.ts';
import { MemberLabel } from '../forms/member-label.tsx';
import { type Field, type FormSchema, fieldsOf, formSchema } from '../forms/schema.ts';
import { FlagField } from '../forms/text-fields.tsx';
import { Problem } from '../parts/problem.tsx';
import { problemsByField } from '../parts/problems-by-field.ts';
import { Section } from '../parts/section.tsx';
import { useLeaveGuard } from '../parts/use-leave-guard.ts';
import { useProblemFocus } from '../parts/use-problem-focus.ts';
import { optionGroups } from './applying-options.ts';
import { endOf, isAskedFirst } from './assistant/columns.ts';
import { FileThere } from './assistant/file-there.tsx';
import { GiveFile } from './assistant/give-file.tsx';
import { type FreeValue, FreeValues, freeChanges, freeValues } from './free-values.tsx';
import type { KeptDraft } from './new-draft.ts';
import { optionDraft } from './option-draft.ts';
import { type Account, type AccountType, fieldTitle, optionForAddress, withFieldNames } from './option-fields.ts';
import { FieldPairs, OptionFields } from './option-groups.tsx';
import { SecretReferences } from './secret-references.tsx';
import { WrittenBelow } from './written-below.tsx';

/** The changed settings, as texts by name; empty ones are removed. */
export interface AccountChanges {
  readonly settings: Readonly<Record<string, string>>;
  readonly password?: string;
  /** References by name, without empty ones. */
  readonly secrets_from: Readonly<Record<string, string>>;
}

interface AccountFormProps {
  /** `undefined` when no plugin provides the type. */
  readonly type: AccountType | undefined;
  /** The stored account; absent for a new one. */
  readonly account?: Account;
  /** Names that it can take settings from. */
  readonly others: readonly string[];
  /** Shown above the options: name and type of a new account. */
  readonly children?: ReactNode;
  /** Names of the fields that `children` draw, whose problems they show themselves. */
  readonly drawn?: readonly string[];
  readonly error: CallError | null;
  readonly isBusy: boolean;
  readonly submit: string;
  /** `mayLeave` is called when they are stored and another page comes next. */
  readonly onSubmit: (changes: AccountChanges, mayLeave: () => void) => void;
  /** For a new account: the input of the other form, and the input here for that form. */
  readonly kept?: KeptDraft;
  /** Shown above the button that saves: actions on the settings before they are stored. */
  readonly before?: (changes: AccountChanges) => ReactNode;
}

/**
 * Form for the settings of an account: the options of its type as the service describes them, and those common to all accounts.
 */
export function AccountForm(props: AccountFormProps) {
  const {
    type,
    account: stored,
    others,
    children,
    drawn = [],
    error,
    isBusy,
    submit,
    onSubmit,
    kept,
    before: beforeSaving,
  } = props;
  const own = formSchema(type?.options ?? {});
  const common = formSchema(type?.common_options ?? {});
  const schema: FormSchema = {
    properties: { ...own.properties, ...common.properties },
    required: [...(own.required ?? []), ...(common.required ?? [])],
  };
  const options = new Map(fieldsOf(schema).map((field) => [field.name, field]));
  const known = new Set(options.keys());
  const account = stored && withFieldNames(stored, [...options.values()]);
  const before = storedSettings(account, known);
  const [begun] = useState<Readonly<Record<string, string>>>({ ...before, ...kept?.current.values });
  const [values, setValues] = useState(begun);
  const [storedFree] = useState<readonly FreeValue[]>(() => freeValues(account, known));
  const [free, setFree] = useState(storedFree);
  const [password, setPassword] = useState(kept?.current.password ?? '');
  const storedReferences = account?.secrets_from ?? {};
  const [references, setReferences] = useState<Readonly<Record<string, string>>>({
    ...storedReferences,
    ...kept?.current.references,
  });
  const isSet = { address: !!values.address, username: !!values.username, password: account?.has_password === true };
  // Fields that the type does not use are behind a button, as rules may read them; those with a value are shown anyway.
  const [showsAll, setShowsAll] = useState(false);
  const changedReferences = Object.entries(references).filter(
    ([name, from]) => from !== (storedReferences[name] ?? ''),
  );
  const changed = Object.entries(values).filter(([name, value]) => value !== (before[name] ?? ''));
  const mayLeave = useLeaveGuard(
    changed.length + changedReferences.length > 0 || free !== storedFree || password !== '',
    'type',
  );
  const secretNames = [...new Set(['password', ...secretOptions(options), ...Object.keys(references)])];
  const referenced = secretNames.map((name) => `secrets_from.${name}`);
  const fields = [...known, ...referenced, 'address', 'username', 'password', 'parent', ...drawn];
  const { at, elsewhere } = problemsByField(error, fields, (path) => path.replace(/^settings\./, ''));

  const unused = (type?.unused_fields ?? []).filter((name) => !showsAll && !isSet[name] && !at.has(name));
  // The address has only one field: the one that stores it, else the one of the type.
  const addressOption = optionForAddress([...options.values()])?.name;
  const hasAddress = (begun.address ?? '') !== '' || at.has('address');
  const hidden = hasAddress && addressOption !== undefined && !begun[addressOption] ? addressOption : undefined;
  const shows = (name: AccountType['unused_fields'][number]): boolean =>
    !unused.includes(name) && (name !== 'address' || hasAddress || addressOption === undefined);
  const shownSecrets = secretNames.filter(
    (name) => name !== 'password' || shows('password') || at.has('secrets_from.password') || references.password,
  );
  const needed = type?.fields.find(({ name }) => name === 'address')?.needed ?? '';
  const isSent = type?.kind === 'channel';
  const hasParent = (others.length > 0 && !isSent) || Boolean(account?.parent);
  const isMaster = type?.kind === 'source' || type?.kind === 'both';
  const form = useProblemFocus(error);

  function set(name: string, value: string): void {
    setValues((now) => ({ ...now, [name]: value }));
  }

  const changes: AccountChanges = {
    settings: { ...Object.fromEntries(changed), ...freeChanges(account, free, known) },
    ...(password === '' ? {} : { password }),
    secrets_from: Object.fromEntries(changedReferences),
  };

  useEffect(() => {
    if (kept !== undefined) kept.current = { ...kept.current, values: changes.settings, password, references };
  });

  function submitForm(event: FormEvent): void {
    event.preventDefault();
    onSubmit(changes, mayLeave);
  }

  const end = type === undefined ? undefined : endOf(type.id);
  const isChild = (values.parent ?? '') !== '';
  const isElsewhere = (name: string): boolean => (references[name] ?? '') !== '';
  const draft = optionDraft({ options, values, set, problems: at });
  const text = (name: string) => ({
    value: values[name] ?? '',
    onChange: ({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) => set(name, value),
    error: at.get(name),
    name,
    autoComplete: 'off',
  });
  const wasSet = (name: string): boolean => (begun[name] ?? '') !== '' || at.has(name) || isElsewhere(name);
  const groups = optionGroups(
    [...options.values()].filter(({ name }) => name !== hidden),
    {
      current: (name) => values[name] || (options.get(name)?.fallback ?? ''),
      isKept: (name) => isChild || (values[name] ?? '') !== '' || wasSet(name),
      wasSet,
      isAsked: (field) =>
        (account === undefined ? isAskedFirst(field) : field.required) || field.name === addressOption,
    },
  );
  const [first] = groups;
  const access = unused.length < 3 && (
    <FieldPairs>
      {shows('address') && (
        <TextInput
          label={fieldTitle(type, 'address')}
          required={needed !== ''}
          placeholder={needed}
          {...text('address')}
        />
      )}
      {shows('username') && <TextInput label={fieldTitle(type, 'username')} {...text('username')} />}
      {shows('password') && (
        <PasswordInput
          label={fieldTitle(type, 'password')}
          description={t`Stored encrypted and never shown`}
          placeholder={account?.has_password ? t`stored; enter a new one to replace it` : ''}
          value={password}
          onChange={({ currentTarget: { value } }) => setPassword(value)}
          error={at.get('password')}
          autoComplete="new-password"
        />
      )}
    </FieldPairs>
  );
  const hasFreeValues = type === undefined || type.kind === 'api' || free.length > 0;

  return (
    <DraftProvider value={draft}>
      <form ref={form} onSubmit={submitForm} aria-label={t`Account`}>
        <Stack>
          {elsewhere !== undefined && <Problem error={elsewhere} />}
          {children}
          {groups.map((group) => (
            <OptionFields
              key={group.title}
              group={group}
              title={t`Options`}
              schema={schema}
              isOptional={(name) => isChild || isElsewhere(name)}
              value={(name) => values[name] ?? ''}
              before={group === first && shows('address') && access}
            >
              {group === first && !shows('address') && access}
              {group === first && end !== undefined && options.has('path') && (
                <>
                  <GiveFile
                    end={end}
                    name={account?.name ?? ''}
                    path={values.path ?? ''}
                    onPath={(path) => set('path', path)}
                  />
                  <FileThere end={end} path={values.path ?? ''} onPath={(path) => set('path', path)} />
                </>
              )}
              {group === first && type?.kind === 'target' && options.has('path') && <WrittenBelow />}
            </OptionFields>
          ))}
          {first === undefined && access !== false && <Section title={t`Access to the system`}>{access}</Section>}
          {hasFreeValues && (
            <FreeValues
              values={free}
              onChange={setFree}
              hint={
                type?.kind === 'api' || type === undefined
                  ? t`Rules use them as ${{ reference: '{{ACCOUNT:<account>:<name>}}' }}. Values named like token or password are stored encrypted.`
                  : t`This type does not know them; the account works again once they are removed.`
              }
            />
          )}
          {(hasParent || isMaster) && (
            <Section title={t`Relation to other accounts`}>
              <FieldPairs>
                {hasParent && (
                  <Select
                    label={t`Parent`}
                    description={t`The account that provides what is not set here`}
                    placeholder={t({ message: 'none', context: 'account' })}
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
                {isMaster && (
                  <FlagField
                    path={['is_master']}
                    label={<MemberLabel title={t`Master`} name="is_master" />}
                    description={t`Imports take hosts over from other accounts`}
                  />
                )}
              </FieldPairs>
            </Section>
          )}
          {shownSecrets.length > 0 && (
            <SecretReferences
              names={shownSecrets}
              title={(name) => (name === 'password' ? fieldTitle(type, name) : options.get(name)?.title || name)}
              values={references}
              onChange={(name, reference) => setReferences({ ...references, [name]: reference })}
              problem={(name) => at.get(`secrets_from.${name}`)}
            />
          )}
          {unused.length > 0 && !isSent && (
            <Group gap="xs">
              <Button
                className="wrapping-button"
                size="compact-sm"
                variant="subtle"
                aria-expanded={false}
                onClick={() => setShowsAll(true)}
              >
                <Trans>Fields that this type does not use</Trans>
              </Button>
              <Text size="xs" c="dimmed">
                <Trans>Only rules can read them.</Trans>
              </Text>
            </Group>
          )}
          {beforeSaving?.(changes)}
          <Group>
            <Button type="submit" loading={isBusy}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </DraftProvider>
  );
}

function secretOptions(options: ReadonlyMap<string, Field>): readonly string[] {
  return [...options.values()].flatMap(({ name, isSecret }) => (isSecret ? [name] : []));
}

/** Returns the initial values of the form; a mask stands for stored secrets. */
function storedSettings(account: Account | undefined, known: ReadonlySet<string>): Readonly<Record<string, string>> {
  if (account === undefined) return {};
  const { options, secret_options, address, username, parent, is_master } = account;
  const shown = Object.entries(options).flatMap(([name, value]): [string, string][] => {
    if (!secret_options.includes(name)) return [[name, value]];
    return known.has(name) ? [[name, MASK]] : [];
  });
  return { ...Object.fromEntries(shown), address, username, parent, is_master: is_master ? 'true' : '' };
}
