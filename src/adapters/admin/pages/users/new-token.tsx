import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Group, MultiSelect, NumberInput, Stack, TagsInput, TextInput, Title } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { OfferedInput, OfferedOutput } from '../../offered-operations.ts';
import { addressBelow } from '../calls/below.ts';
import type { CallError } from '../calls/call.ts';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { Problem } from '../parts/problem.tsx';
import { problemsByField } from '../parts/problems-by-field.ts';
import { showOnce } from '../parts/show-once.tsx';
import { TickBox } from '../parts/tick-box.tsx';
import { useProblemFocus } from '../parts/use-problem-focus.ts';
import { isRole, ROLES, type Role, rightsFieldOf, rightsOf, type TokenHolder } from './rights.ts';

interface NewTokenProps {
  readonly user: TokenHolder;
  /** Default lifetime of a token, in days. */
  readonly defaultDays: number;
  readonly create: UseMutationResult<IssuedToken, CallError, TokenRequest>;
}

type IssuedToken = OfferedOutput<'users/create-own-token'>;
export type TokenRequest = OfferedInput<'users/create-own-token'>;

/** Restrictions of a token compared with its user; empty lists remove nothing. */
interface Scope {
  readonly roles: readonly Role[];
  readonly accounts: readonly string[];
  readonly templates: readonly string[];
  readonly readOnly: boolean;
}

const WHOLE: Scope = { roles: [], accounts: [], templates: [], readOnly: false };

export function NewToken({ user, defaultDays, create }: NewTokenProps) {
  const { name } = user;
  const [label, setLabel] = useState('');
  const [days, setDays] = useState<string | number>(defaultDays);
  const [scope, setScope] = useState<Scope>(WHOLE);
  const { at, elsewhere } = problemsByField(
    create.error,
    ['label', 'expires_days', 'roles', 'accounts', 'templates', 'read_only'],
    rightsFieldOf,
  );
  const form = useProblemFocus(create.error);

  function submit(event: FormEvent): void {
    event.preventDefault();
    const { roles, accounts, templates, readOnly: read_only } = scope;
    const end = days === '' ? {} : { expires_days: Number(days) };
    create.mutate(
      { label, ...end, roles: [...roles], accounts: [...accounts], templates: [...templates], read_only },
      {
        onSuccess({ token }) {
          setLabel('');
          setScope(WHOLE);
          showOnce({
            title: t`Token of ${name} for ${label}`,
            label: t`token`,
            value: token,
            ...exampleOf(roles.length > 0 ? roles : rightsOf(user).roles),
            text: t`Programs send it as "Authorization: Bearer <token>". It is shown only once; only its hash is stored.`,
          });
        },
      },
    );
  }

  return (
    <form ref={form} onSubmit={submit} aria-label={t`New token`}>
      <Stack gap="sm" maw={640}>
        <Title order={3} size="h5">
          <Trans>New token</Trans>
        </Title>
        {elsewhere !== undefined && <Problem error={elsewhere} />}
        <Group align="flex-start" gap="sm">
          <TextInput
            label={t`Label`}
            description={t`Purpose of the token`}
            required
            maxLength={100}
            value={label}
            onChange={({ currentTarget }) => setLabel(currentTarget.value)}
            error={at.get('label')}
            autoComplete="off"
            style={{ flex: '1 1 240px' }}
          />
          <NumberInput
            label={t`Days`}
            description={t`Until it expires; 0: never`}
            value={days}
            onChange={setDays}
            min={0}
            max={3650}
            allowDecimal={false}
            clampBehavior="none"
            error={at.get('expires_days')}
            w={180}
          />
        </Group>
        <ScopeFields user={user} scope={scope} onChange={setScope} problems={at} />
        <div>
          <Button type="submit" variant="default" loading={create.isPending}>
            <Trans>Create token</Trans>
          </Button>
        </div>
      </Stack>
    </form>
  );
}

interface ScopeFieldsProps {
  readonly user: TokenHolder;
  readonly scope: Scope;
  readonly onChange: (scope: Scope) => void;
  readonly problems: ReadonlyMap<string, string>;
}

/** Offers only the user's own rights. */
function ScopeFields({ user, scope, onChange, problems }: ScopeFieldsProps) {
  const { name } = user;
  const session = useSession();
  const known = useAnswer(
    'accounts/show-accounts',
    {},
    { enabled: user.accounts === null && may(session, 'accounts/show-accounts') },
  );
  const reachable = user.accounts ?? (known.data?.accounts ?? []).map((one) => one.name);
  const named = useAnswer(
    'rules/find-rules',
    { rule_type: 'cmdb_templates', limit: 1000 },
    { enabled: user.templates === null && may(session, 'rules/find-rules') },
  );
  const templates = user.templates ?? (named.data?.rules ?? []).map((one) => one.name);
  const roles = rolesOf(user);
  return (
    <>
      {roles.length > 0 && (
        <Checkbox.Group
          label={t`Roles of the token`}
          description={
            user.global_admin
              ? t`None chosen: all that ${name} has. A token with chosen roles or accounts is not an administrator`
              : t`None chosen: all that ${name} has`
          }
          value={[...scope.roles]}
          onChange={(chosen) => onChange({ ...scope, roles: chosen.filter(isRole) })}
          error={problems.get('roles')}
        >
          <Group gap="md" mt="xs">
            {roles.map((role) => (
              <Checkbox key={role} value={role} label={role} size="sm" />
            ))}
          </Group>
        </Checkbox.Group>
      )}
      <MultiSelect
        label={t`Accounts of the token`}
        description={t`None chosen: all that ${name} reaches`}
        data={[...new Set([...reachable, ...scope.accounts])]}
        value={[...scope.accounts]}
        onChange={(chosen) => onChange({ ...scope, accounts: chosen })}
        error={problems.get('accounts')}
        searchable
        clearable
        nothingFoundMessage={t`No account of that name`}
      />
      {(templates.length > 0 || scope.templates.length > 0) && (
        <TagsInput
          label={t`Templates of the token`}
          description={t`None named: hosts of all that the user reaches`}
          data={[...templates]}
          value={[...scope.templates]}
          onChange={(chosen) => onChange({ ...scope, templates: chosen })}
          error={problems.get('templates')}
          clearable
        />
      )}
      <TickBox
        label={t`Read-only token`}
        description={user.read_only ? t`Like ${name}` : t`It cannot change anything, at any entrance`}
        checked={user.read_only || scope.readOnly}
        disabled={user.read_only}
        onChange={({ currentTarget }) => onChange({ ...scope, readOnly: currentTarget.checked })}
        error={problems.get('read_only')}
      />
    </>
  );
}

/** Address that a token of the role may read, to check that it works. */
const READ_BY: Readonly<Partial<Record<Role, string>>> = {
  all: '/api/v1/objects/all?start=0&limit=1',
  objects: '/api/v1/objects/all?start=0&limit=1',
  automation: '/api/v1/inventory/automation/automation',
  rules: '/api/v1/rules/custom_attributes',
  syncer: '/api/v1/syncer/logs',
  metrics: '/metrics',
};

function exampleOf(roles: readonly Role[]): { readonly example?: string } {
  const path = roles.map((role) => READ_BY[role]).find((one) => one !== undefined);
  return path === undefined ? {} : { example: `curl -H "Authorization: Bearer $TOKEN" "${addressBelow(path)}"` };
}

/** A user with all roles may give each of them. */
function rolesOf(user: TokenHolder): readonly Role[] {
  const { roles } = rightsOf(user);
  return roles.includes('all') ? Object.keys(ROLES).filter(isRole) : roles;
}
