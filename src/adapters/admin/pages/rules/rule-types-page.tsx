import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Table, Text } from '@mantine/core';
import { IconDownload, IconListSearch, IconTrash, IconUpload } from '@tabler/icons-react';
import { may, useSession } from '../calls/session.ts';
import { numberText } from '../language/numbers.ts';
import { Answer } from '../parts/answer.tsx';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { Words } from '../parts/words.tsx';
import { FailingRules } from './failing-rules.tsx';
import { FailuresNote } from './failures-note.tsx';
import { isOffered, OWN_PAGES } from './own-pages.ts';
import { useRuleFailures } from './rule-failures.ts';
import { grouped, type RuleTypeInfo, useRuleTypes } from './rule-type.ts';
import { RunAutorules } from './run-autorules.tsx';

/** All types of rules with what they are for. */
export function RuleTypesPage() {
  const session = useSession();
  const types = useRuleTypes();
  const failures = useRuleFailures(types.data?.hosts);
  const failing = new Map<string, number>();
  for (const { type } of failures.list ?? []) failing.set(type, (failing.get(type) ?? 0) + 1);
  return (
    <Page
      title={t`Rules`}
      description={t`Rules turn what sources know about a host into what consumers see. Changes take effect with the next answer.`}
      actions={
        <>
          {may(session, 'rules/run-autorules') && <RunAutorules />}
          <ButtonLink to="/rules/uses" variant="default" leftSection={<IconListSearch size={16} aria-hidden />}>
            <Trans>Uses of an attribute</Trans>
          </ButtonLink>
          <ButtonLink to="/rules/deleted" variant="default" leftSection={<IconTrash size={16} aria-hidden />}>
            <Trans>Deleted</Trans>
          </ButtonLink>
          <ButtonLink to="/rules/export" variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
            <Trans>Export</Trans>
          </ButtonLink>
          {may(session, 'rules/import-rules') && (
            <ButtonLink to="/rules/import" variant="default" leftSection={<IconUpload size={16} aria-hidden />}>
              <Trans>Import</Trans>
            </ButtonLink>
          )}
        </>
      }
    >
      <FailuresNote failures={failures} />
      {failures.list !== undefined && failures.list.length > 0 && <FailingRules failures={failures.list} />}
      <Answer of={types}>
        {(data) => (
          <Table.ScrollContainer minWidth={560}>
            <Table aria-label={t`Rule types`} layout="fixed" verticalSpacing={6}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th w="28%">
                    <Trans>Type</Trans>
                  </Table.Th>
                  <Table.Th>
                    <Trans>For</Trans>
                  </Table.Th>
                  <Table.Th w={80} ta="right">
                    <Trans>Rules</Trans>
                  </Table.Th>
                  <Table.Th w={80} ta="right">
                    <Trans>Failing</Trans>
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              {grouped(data.types.filter((type) => isOffered(type, session))).map((group) => (
                <Table.Tbody key={group.title}>
                  <Table.Tr bg="var(--mantine-color-default-hover)">
                    <Table.Th colSpan={4} scope="rowgroup" fz="xs">
                      {group.title}
                    </Table.Th>
                  </Table.Tr>
                  {group.types.map((type) => (
                    <TypeRow key={type.id} type={type} failing={failing.get(type.id) ?? 0} />
                  ))}
                </Table.Tbody>
              ))}
            </Table>
          </Table.ScrollContainer>
        )}
      </Answer>
    </Page>
  );
}

interface TypeRowProps {
  readonly type: RuleTypeInfo;
  /** How many of its rules fail. */
  readonly failing: number;
}

function TypeRow({ type, failing }: TypeRowProps) {
  return (
    <Table.Tr>
      <Table.Td>
        <TypeLink type={type} />
        <Text size="xs" c="dimmed" ff="monospace" className="wrap-anywhere">
          {type.id}
        </Text>
      </Table.Td>
      <Table.Td fz="sm">
        <Words>{type.description}</Words>
      </Table.Td>
      <Table.Td ta="right">{numberText(type.rules)}</Table.Td>
      <Table.Td ta="right" {...(failing > 0 ? { c: 'red' } : {})}>
        {failing > 0 ? numberText(failing) : ''}
      </Table.Td>
    </Table.Tr>
  );
}

/** Hosts are documents too, and there may be too many of them for a list of rules. */
function TypeLink({ type }: { readonly type: RuleTypeInfo }) {
  const own = OWN_PAGES[type.id];
  if (type.export_group === 'hosts' && own !== undefined) return <TextLink to={own.to}>{type.title}</TextLink>;
  return (
    <TextLink to="/rules/$type" params={{ type: type.id }}>
      {type.title}
    </TextLink>
  );
}
