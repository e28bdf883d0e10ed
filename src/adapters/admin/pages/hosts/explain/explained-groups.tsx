import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { RulePageLink } from '../../rules/rule-page-link.tsx';
import { PanelTitle } from '../panel-title.tsx';
import { type Explained, placeOf, type RuleName } from './explained.ts';
import { originText } from './origin-text.ts';
import { RuleLink } from './rule-link.tsx';

interface ExplainedGroupsProps {
  readonly explained: Explained;
  readonly onRule: (rule: RuleName) => void;
}

/** Shows the origin of each group of the host, and the parents of these groups. */
export function ExplainedGroups({ explained: { groups, account, explanation }, onRule }: ExplainedGroupsProps) {
  if (groups.length === 0) return null;
  const onPage = new Set(explanation.rules.map(placeOf));
  const giver = ({ origin }: Explained['groups'][number]) => {
    if (origin === null) return null;
    if (origin.kind !== 'rule') return originText(origin, account);
    if (onPage.has(placeOf(origin))) return <RuleLink rule={origin} onRule={onRule} />;
    // Rules about groups do not change the host itself, so the list below has no entry for them.
    const { name } = origin;
    return <RulePageLink rule={origin}>{t`rule “${name}”`}</RulePageLink>;
  };
  return (
    <section aria-label={t`Groups`}>
      <PanelTitle title={t`Groups`} count={new Set(groups.map(({ group }) => group)).size} />
      <List size="sm" listStyleType="none" className="wrap-anywhere">
        {groups.map((member) => (
          <List.Item key={JSON.stringify([member.group, member.above])}>
            <Text span inherit fw={500}>
              {member.group}
            </Text>
            {member.above !== null && ` ${aboveText(member.above)}`}
            {member.origin !== null && <By giver={giver(member)} />}
          </List.Item>
        ))}
      </List>
    </section>
  );
}

function aboveText(group: string): string {
  return t`above ${group}`;
}

function By({ giver }: { readonly giver: ReactNode }) {
  return (
    <Text span inherit c="dimmed">
      {' '}
      <Trans>by {giver}</Trans>
    </Text>
  );
}
