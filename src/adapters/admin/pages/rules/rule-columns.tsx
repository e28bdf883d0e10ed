import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, List, Text } from '@mantine/core';
import type { OfferedOutput } from '../../offered-operations.ts';
import { moreText } from '../language/more-text.ts';
import { sentence } from '../language/service-texts.ts';
import { cell } from '../parts/cells.tsx';
import type { Column } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { EnabledSwitch } from './enabled-switch.tsx';
import { hitsColumns } from './hits-cells.tsx';
import { ProjectLink } from './project-link.tsx';
import { hasProject, isSwitched, type RuleTypeInfo } from './rule-type.ts';
import type { Hits } from './use-hits.ts';

export type FoundRule = OfferedOutput<'rules/find-rules'>['rules'][number];

/** Returns the columns of a list of rules. */
export function ruleColumns(type: RuleTypeInfo, hits: Hits, isReadOnly: boolean): readonly Column<FoundRule>[] {
  const columns: (Column<FoundRule> | false)[] = [
    cell.link('name', t`Name`, (rule) => <RuleLink type={type} rule={rule} />, {
      note: ({ documentation }) =>
        documentation !== '' && (
          <Text inherit lineClamp={2} maw={340}>
            {documentation}
          </Text>
        ),
    }),
    { id: 'position', header: t`Position`, alignRight: true, cell: (rule) => rule.sort_field },
    isSwitched(type) && {
      id: 'enabled',
      header: t`Enabled`,
      cell: (rule) => <EnabledSwitch type={type} rule={rule} isReadOnly={isReadOnly} />,
    },
    hasProject(type) && {
      id: 'project',
      header: t`Project`,
      cell: ({ project }) => (project === null ? <None /> : <ProjectLink name={project} />),
    },
    type.id === 'automation_projects' && {
      id: 'rules',
      header: t`Rules`,
      cell: ({ name }) => (
        <ProjectLink name={name}>
          <Trans>All its rules</Trans>
        </ProjectLink>
      ),
    },
    type.conditional && { id: 'conditions', header: t`Hits when`, cell: (rule) => <Conditions rule={rule} /> },
    type.conditional && {
      id: 'outcomes',
      header: t`Outcomes`,
      cell: (rule) => (
        <Lines
          lines={rule.outcome_lines.map((line) => sentence(line.text, line))}
          count={rule.outcome_count}
          none={t`nothing`}
        />
      ),
    },
    !type.conditional && {
      id: 'members',
      header: t`Settings`,
      cell: ({ members }) => (
        <Lines lines={members.map(({ name, text }) => `${name}: ${text}`)} count={members.length} none="" />
      ),
    },
    ...(type.stage === null ? [] : hitsColumns<FoundRule>(hits)),
  ];
  return columns.filter((column) => column !== false);
}

interface RuleLinkProps {
  readonly type: RuleTypeInfo;
  readonly rule: FoundRule;
}

export function RuleLink({ type, rule }: RuleLinkProps) {
  return (
    <>
      <TextLink
        to="/rules/$type/$id"
        params={{ type: type.id, id: rule.id }}
        display="block"
        miw={140}
        maw={340}
        className="wrap-anywhere"
        title={rule.documentation}
        {...(rule.enabled || !isSwitched(type) ? {} : { c: 'dimmed' })}
      >
        {rule.name || rule.id}
      </TextLink>
      {rule.waits && (
        <StatusBadge
          tone="warning"
          title={t`Its effects on the machine wait until an administrator confirms it`}
        >{t`waits`}</StatusBadge>
      )}
    </>
  );
}

function Conditions({ rule }: { readonly rule: FoundRule }) {
  const { condition_typ: mode, conditions, condition_count: count } = rule;
  return (
    <>
      {mode === 'anyway' && (
        <Text size="sm">
          <Trans>always</Trans>
        </Text>
      )}
      {mode === null && (
        <Text size="sm" c="red">
          <Trans>condition_typ is missing</Trans>
        </Text>
      )}
      {mode !== 'anyway' && mode !== null && (
        <>
          {count > 1 && (
            <Text size="xs" c="dimmed">
              {mode === 'all' ? t`all of` : t`one of`}
            </Text>
          )}
          <Lines
            lines={conditions.map((condition) => sentence(condition.text, condition))}
            count={count}
            none={mode === 'all' ? t`always (no conditions)` : t`never (no conditions)`}
          />
        </>
      )}
      {rule.last_match && (
        <Badge size="xs" variant="light" color="gray" title={t`After a hit, no later rule of the type runs`}>
          <Trans>last match</Trans>
        </Badge>
      )}
    </>
  );
}

interface LinesProps {
  readonly lines: readonly string[];
  /** Total number; only the first of them are included. */
  readonly count: number;
  readonly none: string;
}

function Lines({ lines, count, none }: LinesProps) {
  if (count === 0) return <Text size="sm">{none}</Text>;
  return (
    <List size="sm" listStyleType={count > 1 ? 'disc' : 'none'} spacing={2} miw={180}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
        <List.Item key={index} className="wrap-anywhere">
          <Text size="sm" lineClamp={3}>
            {line}
          </Text>
        </List.Item>
      ))}
      {count > lines.length && (
        <List.Item>
          <Text size="xs" c="dimmed">
            {moreText(count - lines.length)}
          </Text>
        </List.Item>
      )}
    </List>
  );
}

function None() {
  return (
    <Text span c="dimmed" size="sm">
      <Trans>none</Trans>
    </Text>
  );
}
