import { t } from '@lingui/core/macro';
import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { MemberLabel } from '../forms/member-label.tsx';
import { type Field, fieldsOf, formSchema } from '../forms/schema.ts';
import { TextLink } from '../parts/links.tsx';
import { idleOptions } from './applying-options.ts';
import { type Account, type AccountType, fieldTitle, withFieldNames } from './option-fields.ts';
import { FoldedSummary } from './option-groups.tsx';

interface AccountSettingsProps {
  readonly account: Account;
  readonly type: AccountType | undefined;
}

/** Shows the settings in force, and folded the defaults of all others. Secrets are not shown. */
export function AccountSettings({ account: stored, type }: AccountSettingsProps) {
  const fields = type === undefined ? [] : [type.options, type.common_options].map(formSchema).flatMap(fieldsOf);
  const account = withFieldNames(stored, fields);
  const known = new Set(fields.map(({ name }) => name));
  const elsewhere = account.secrets_from;
  const others = Object.keys({ ...account.options, ...elsewhere }).filter(
    (name) => !known.has(name) && name !== 'password',
  );
  const isSecret = (name: string): boolean => account.secret_options.includes(name);
  const given = (name: string) => (Object.hasOwn(account.options, name) ? account.options[name] : undefined);
  const fallbacks = new Map(fields.map(({ name, fallback }) => [name, fallback]));
  const idle = idleOptions(fields, {
    current: (name) => given(name) || (fallbacks.get(name) ?? ''),
    // Settings of the parent are not known here.
    isKept: (name) => account.parent !== '' || (given(name) ?? elsewhere[name] ?? '') !== '' || isSecret(name),
  });
  const isSet = ({ name, fallback }: Field): boolean => {
    const value = elsewhere[name] ?? given(name) ?? '';
    return isSecret(name) || (value !== '' && value !== fallback);
  };
  const applying = fields.filter(({ name }) => !idle.has(name));
  const folded = applying.filter((field) => !isSet(field));
  const rows = (some: readonly Field[]): ReactNode =>
    some.map(({ name, title, fallback, description }) => (
      <Row key={name} name={<MemberLabel title={title} name={name} />} description={description}>
        <Value value={elsewhere[name] ?? (isSecret(name) ? SECRET : given(name))} fallback={fallback} />
      </Row>
    ));
  const hasPassword = elsewhere.password !== undefined || account.has_password;
  return (
    <>
      <Table variant="vertical" layout="fixed" aria-label={t`Settings`}>
        <Table.Tbody>
          {account.address !== '' && <Row name={fieldTitle(type, 'address')}>{account.address}</Row>}
          {account.username !== '' && <Row name={fieldTitle(type, 'username')}>{account.username}</Row>}
          {(hasPassword || type?.unused_fields.includes('password') === false) && (
            <Row name={fieldTitle(type, 'password')}>
              <Value value={elsewhere.password ?? (account.has_password ? SECRET : undefined)} fallback="" />
            </Row>
          )}
          {rows(applying.filter(isSet))}
          {others.map((name) => (
            <Row key={name} name={name} description={type?.kind === 'api' ? '' : t`This type does not know it`}>
              <Value value={elsewhere[name] ?? (isSecret(name) ? SECRET : given(name))} fallback="" />
            </Row>
          ))}
          {account.parent !== '' && (
            <Row name={t`Parent`} description={t`Provides what is not set here`}>
              <TextLink to="/accounts/$name" params={{ name: account.parent }} inherit>
                {account.parent}
              </TextLink>
            </Row>
          )}
          {account.is_master && (
            <Row
              name={<MemberLabel title={t`Master`} name="is_master" />}
              description={t`Imports take hosts over from other accounts`}
            >
              true
            </Row>
          )}
        </Table.Tbody>
      </Table>
      {folded.length > 0 && (
        <details>
          <FoldedSummary fields={folded} />
          <Table variant="vertical" layout="fixed" aria-label={t`Settings that are as by default`} mt="xs">
            <Table.Tbody>{rows(folded)}</Table.Tbody>
          </Table>
        </details>
      )}
    </>
  );
}

const SECRET = t`stored, not shown`;

interface RowProps {
  readonly name: ReactNode;
  readonly description?: string;
  readonly children: ReactNode;
}

function Row({ name, description = '', children }: RowProps) {
  return (
    <Table.Tr>
      <Table.Th scope="row" w={{ base: '50%', sm: 340 }} className="wrap-anywhere" title={description}>
        {name}
      </Table.Th>
      <Table.Td className="wrap-anywhere">{children}</Table.Td>
    </Table.Tr>
  );
}

function Value({ value, fallback }: { readonly value: string | undefined; readonly fallback: string }) {
  if (value !== undefined && value !== '') return value;
  return (
    <Text span size="sm" c="dimmed">
      {fallback === '' ? t`not set` : t`${fallback} (default)`}
    </Text>
  );
}
