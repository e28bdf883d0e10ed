import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Group, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { cell } from '../parts/cells.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { pathWords } from '../parts/path-words.ts';
import { SearchField } from '../parts/search-field.tsx';
import { type RuleTypeInfo, useRuleTypes } from './rule-type.ts';

const route = getRouteApi('/rules/uses');

/** Shows which rules of all types read, set or show an attribute. */
export function UsesPage() {
  const { attribute = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const found = useAnswer('rules/find-attribute-uses', { attribute }, { enabled: attribute !== '' });
  return (
    <Page
      title={attribute === '' ? t`Uses of an attribute` : t`Uses of ${attribute}`}
      above={[{ to: '/rules', label: t`Rules` }]}
      description={t`The rules of all types that read, set or show an attribute, by their conditions, templates and outcomes.`}
    >
      <SearchField
        label={t`Attribute`}
        placeholder={t`name of the attribute`}
        maw={420}
        // The page is empty so far, and letters are shortcuts outside of a field.
        {...(attribute === '' && { autoFocus: true })}
        value={attribute}
        onSearch={(next) => void navigate({ search: { attribute: next.trim() || undefined }, replace: true })}
      />
      {attribute !== '' && <Answer of={found}>{(answer) => <Uses answer={answer} />}</Answer>}
    </Page>
  );
}

type UsingRule = OfferedOutput<'rules/find-attribute-uses'>['rules'][number];
type Used = UsingRule['uses'][number];

function Use({ use, place }: { readonly use: Used['use']; readonly place: string }) {
  switch (use) {
    case 'reads':
      return (
        <Trans>
          reads it <Dimmed>in {place}</Dimmed>
        </Trans>
      );
    case 'sets':
      return (
        <Trans>
          sets it <Dimmed>in {place}</Dimmed>
        </Trans>
      );
    case 'shows':
      return (
        <Trans>
          shows it <Dimmed>in {place}</Dimmed>
        </Trans>
      );
  }
}

function Dimmed({ children }: { readonly children: ReactNode }) {
  return (
    <Text span inherit c="dimmed">
      {children}
    </Text>
  );
}

function Uses({ answer: { attribute, rules, more } }: { readonly answer: OfferedOutput<'rules/find-attribute-uses'> }) {
  const types = useRuleTypes().data?.types;
  const searches = may(useSession(), 'search/search-hosts');
  const labelled = useAnswer(
    'search/search-hosts',
    { where: `${attribute}:*`, limit: 1, inventory: false },
    { enabled: searches },
  );
  const isSet = rules.some(({ uses }) => uses.some(({ use }) => use === 'sets'));
  const columns = useMemo(() => columnsOf(types ?? []), [types]);
  return (
    <>
      <Group my="sm" gap="md">
        <Text size="sm" role="status">
          {rules.length === 0
            ? t`No rule names this attribute.`
            : more
              ? plural({ count: rules.length }, { one: '# rule, and more', other: '# rules, and more' })
              : plural({ count: rules.length }, { one: '# rule', other: '# rules' })}
        </Text>
        {(labelled.data?.hosts.length ?? 0) > 0 && (
          <TextLink to="/hosts" search={{ where: `${attribute}:*` }} size="sm">
            <Trans>Hosts with this label</Trans>
          </TextLink>
        )}
        {searches && isSet && (
          <TextLink to="/hosts" search={{ where: `served.${attribute}:*` }} size="sm">
            <Trans>Hosts that rules give it to</Trans>
          </TextLink>
        )}
      </Group>
      {rules.length > 0 && (
        <DataTable
          caption={t`Uses of ${attribute}`}
          columns={columns}
          rows={rules}
          rowKey={({ rule_type, id }) => `${rule_type} ${id}`}
          empty=""
          minWidth={560}
        />
      )}
    </>
  );
}

/** Returns columns with the titles that other pages show for the types. */
function columnsOf(types: readonly RuleTypeInfo[]): readonly Column<UsingRule>[] {
  return [
    cell.link('rule', t`Rule`, ({ rule_type: type, id, name, enabled }) => (
      <>
        <TextLink to="/rules/$type/$id" params={{ type, id }}>
          {name || id}
        </TextLink>{' '}
        {!enabled && (
          <Badge size="xs" variant="light" color="gray">
            <Trans>disabled</Trans>
          </Badge>
        )}
      </>
    )),
    cell.text('type', t`Type`, ({ rule_type, title }) => types.find(({ id }) => id === rule_type)?.title ?? title),
    {
      id: 'uses',
      header: t`Uses`,
      cell: ({ uses }) => (
        <div>
          {uses.map(({ use, path }) => (
            <Text key={`${use} ${path}`} size="sm">
              <Use use={use} place={pathWords(path)} />
            </Text>
          ))}
        </div>
      ),
    },
  ];
}
