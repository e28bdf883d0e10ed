import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox, Fieldset, MultiSelect, Radio, Stack, TagsInput, Text } from '@mantine/core';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { TextLink } from '../parts/links.tsx';
import { TickBox } from '../parts/tick-box.tsx';
import { isRole, type Rights, ROLES } from './rights.ts';

interface RightsFieldsProps {
  readonly rights: Rights;
  readonly onChange: (rights: Rights) => void;
  /** Problems by field. */
  readonly problems: ReadonlyMap<string, string>;
}

/** Roles and restrictions of a user. */
export function RightsFields({ rights, onChange, problems }: RightsFieldsProps) {
  const known = useAnswer('accounts/show-accounts', {});
  const { roles, admin, read_only, accounts, templates } = rights;
  const session = useSession();
  const named = useAnswer(
    'rules/find-rules',
    { rule_type: 'cmdb_templates', limit: 1000 },
    { enabled: templates !== null && may(session, 'rules/find-rules') },
  );
  const names = new Set([...(known.data?.accounts ?? []).map(({ name }) => name), ...(accounts ?? [])]);
  return (
    <>
      <Fieldset legend={t`Rights`}>
        <Stack gap="md">
          <Checkbox.Group
            label={t`Roles`}
            description={t`Calls that the user may make over the API, and pages that the user sees here`}
            value={[...roles]}
            onChange={(chosen) => onChange({ ...rights, roles: chosen.filter(isRole) })}
            error={problems.get('roles')}
          >
            <Stack gap={6} mt="xs">
              {Object.entries(ROLES).map(([role, what]) => (
                <Checkbox
                  key={role}
                  value={role}
                  size="sm"
                  label={
                    <>
                      {role}{' '}
                      <Text span size="sm" c="dimmed">
                        {what}
                      </Text>
                    </>
                  }
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <TickBox
            label={t`Administrator`}
            description={t`Accounts, users, configuration and maintenance, in addition to the roles`}
            checked={admin}
            onChange={({ currentTarget }) => onChange({ ...rights, admin: currentTarget.checked })}
            error={problems.get('admin')}
          />
          <TickBox
            label={t`Read-only`}
            description={t`Sees what the roles allow and cannot change anything, at any entrance`}
            checked={read_only}
            onChange={({ currentTarget }) => onChange({ ...rights, read_only: currentTarget.checked })}
            error={problems.get('read_only')}
          />
        </Stack>
      </Fieldset>
      <Fieldset legend={t`Accounts`}>
        <Stack gap="sm">
          <Radio.Group
            label={t`Whose hosts the user reaches`}
            value={accounts === null ? 'all' : 'some'}
            onChange={(which) => onChange({ ...rights, accounts: which === 'all' ? null : [] })}
            error={accounts === null ? problems.get('accounts') : undefined}
          >
            <Stack gap={6} mt="xs">
              <Radio value="all" label={t`All accounts`} />
              <Radio value="some" label={t`Only these`} />
            </Stack>
          </Radio.Group>
          {accounts !== null && (
            <MultiSelect
              label={t`Reachable accounts`}
              data={[...names]}
              value={[...accounts]}
              onChange={(chosen) => onChange({ ...rights, accounts: chosen })}
              error={problems.get('accounts')}
              searchable
              clearable
              nothingFoundMessage={t`No account of that name`}
            />
          )}
        </Stack>
      </Fieldset>
      <Fieldset legend={t`Templates`}>
        <Stack gap="sm">
          <Radio.Group
            label={t`Which hosts of these accounts`}
            value={templates === null ? 'all' : 'some'}
            onChange={(which) => onChange({ ...rights, templates: which === 'all' ? null : [] })}
            error={templates === null ? problems.get('templates') : undefined}
          >
            <Stack gap={6} mt="xs">
              <Radio value="all" label={t`All hosts`} />
              <Radio value="some" label={t`Only hosts that name one of these templates`} />
            </Stack>
          </Radio.Group>
          {templates !== null && (
            <TagsInput
              label={t`Reachable templates`}
              data={(named.data?.rules ?? []).map(({ name }) => name)}
              value={[...templates]}
              onChange={(chosen) => onChange({ ...rights, templates: chosen })}
              error={problems.get('templates')}
              clearable
            />
          )}
          {templates !== null && (
            <Text size="sm" c="dimmed">
              {may(session, 'rules/find-rules') ? (
                <Trans>
                  Templates are made in{' '}
                  <TextLink inherit to="/rules/$type" params={{ type: 'cmdb_templates' }}>
                    Rules, Host templates
                  </TextLink>
                  . A host is of one when its record names it in cmdb_templates.
                </Trans>
              ) : (
                <Trans>
                  Templates are made in Rules, Host templates, by someone with the role rules. A host is of one when its
                  record names it in cmdb_templates.
                </Trans>
              )}
            </Text>
          )}
        </Stack>
      </Fieldset>
    </>
  );
}
