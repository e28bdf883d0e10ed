import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Table, Text, Title } from '@mantine/core';
import { useAnswer } from '../../calls/use-call.ts';
import { Answer } from '../../parts/answer.tsx';
import { Value } from '../../parts/value.tsx';
import { RulePageLink } from '../../rules/rule-page-link.tsx';
import type { Explained } from '../explain/explained.ts';
import { ruledDifferences, type ServedValue } from './served-differences.ts';

interface ByRulesProps {
  readonly left: string;
  readonly right: string;
}

/** Shows the effect of rules on two hosts in inventory automation, if it differs. */
export function ByRules({ left, right }: ByRulesProps) {
  const one = useAnswer('hosts/explain-host', { hostname: left });
  const other = useAnswer('hosts/explain-host', { hostname: right });
  return (
    <section aria-label={t`Results of the rules`}>
      <Title order={2} size="h4" mb={4}>
        <Trans>Results of the rules</Trans>
      </Title>
      <Answer of={one}>
        {(before) => <Answer of={other}>{(after) => <Differences left={before} right={after} />}</Answer>}
      </Answer>
    </section>
  );
}

function Differences({ left, right }: { readonly left: Explained; readonly right: Explained }) {
  const { values, onlyLeft, onlyRight, isGrouped, isApart, count } = ruledDifferences(left, right);
  const isIncluded = [left, right].map(({ explanation }) => explanation.included);
  if (count === 0) {
    return (
      <Text size="sm">
        <Trans>Rules make the same of both: attributes, variables and groups.</Trans>
      </Text>
    );
  }
  return (
    <Table.ScrollContainer minWidth={280} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={t`Results of the rules`} verticalSpacing={2} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="28%">
              <Trans>Value</Trans>
            </Table.Th>
            <Table.Th className="wrap-anywhere">{left.hostname}</Table.Th>
            <Table.Th className="wrap-anywhere">{right.hostname}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {isApart && (
            <Table.Tr>
              <Table.Td fz="sm">{t`inventory ${{ provider: left.provider }}`}</Table.Td>
              {isIncluded.map((included, side) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: there are two sides
                <Table.Td key={side} fz="sm">
                  {included ? t`is in it` : t`is not in it`}
                </Table.Td>
              ))}
            </Table.Tr>
          )}
          {isGrouped && (
            <Table.Tr>
              <Table.Td fz="sm">
                <Trans>groups</Trans>
              </Table.Td>
              <Groups names={onlyLeft} />
              <Groups names={onlyRight} />
            </Table.Tr>
          )}
          {values.map(({ name, left: one, right: other }) => (
            <Table.Tr key={name}>
              <Table.Td className="wrap-anywhere" fz="sm">
                {name}
              </Table.Td>
              <Served of={one} />
              <Served of={other} />
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface GroupsProps {
  readonly names: readonly string[];
}

function Groups({ names }: GroupsProps) {
  if (names.length === 0) return <Missing />;
  return (
    <Table.Td className="wrap-anywhere" fz="sm">
      {names.join(', ')}
    </Table.Td>
  );
}

interface ServedProps {
  readonly of: ServedValue | undefined;
}

function Served({ of: served }: ServedProps) {
  if (served === undefined) return <Missing />;
  const { value, rule } = served;
  return (
    <Table.Td>
      <Value value={value} />
      {rule !== undefined && (
        <Text size="xs" c="dimmed">
          <RulePageLink rule={rule}>{t`rule “${{ name: rule.name }}”`}</RulePageLink>
        </Text>
      )}
    </Table.Td>
  );
}

function Missing() {
  return (
    <Table.Td>
      <Text span c="dimmed" size="sm">
        <Trans>nothing</Trans>
      </Text>
    </Table.Td>
  );
}
