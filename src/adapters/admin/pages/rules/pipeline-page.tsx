import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Chip, Group, Menu, Stack, Table, Text } from '@mantine/core';
import {
  IconChevronDown,
  IconDots,
  IconDownload,
  IconListSearch,
  IconPlus,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { moreText } from '../language/more-text.ts';
import { numberText } from '../language/numbers.ts';
import { sentence } from '../language/service-texts.ts';
import { Answer } from '../parts/answer.tsx';
import { cell } from '../parts/cells.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { FoldButton } from '../parts/fold-button.tsx';
import { MenuLink, TextLink } from '../parts/links.tsx';
import { NewRuleMenu } from '../parts/new-rule-menu.tsx';
import { Page } from '../parts/page.tsx';
import { PagesOf } from '../parts/pager.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { Section } from '../parts/section.tsx';
import { EnabledSwitch } from './enabled-switch.tsx';
import { CountedSoFar, hitsColumns } from './hits-cells.tsx';
import { isOffered, OWN_PAGES } from './own-pages.ts';
import { type FoundRule, RuleLink } from './rule-columns.tsx';
import { isSwitched, type RuleTypeInfo, useRuleTypes } from './rule-type.ts';
import { RunAutorules } from './run-autorules.tsx';
import { TypesTable } from './types-table.tsx';
import { type Hits, useHits } from './use-hits.ts';

const route = getRouteApi('/rules');

const MOST = 1000;
const ON_PAGE = 100;

/** Shows all rules that run over hosts, in the order in which a host passes them, and the types of all others. */
export function PipelinePage() {
  const session = useSession();
  const types = useRuleTypes();
  return (
    <Page
      title={t`Rules`}
      description={t`A host passes these rules from top to bottom, and consumers get what they make of it. Changes take effect with the next answer.`}
      actions={
        <>
          {may(session, 'rules/run-autorules') && <RunAutorules />}
          <MoreActions />
          {may(session, 'rules/save-rule') && (
            <NewRuleMenu offers={isBegunHere}>
              <Button
                leftSection={<IconPlus size={16} aria-hidden />}
                rightSection={<IconChevronDown size={16} aria-hidden />}
              >
                <Trans>New rule</Trans>
              </Button>
            </NewRuleMenu>
          )}
        </>
      }
    >
      <Answer of={types}>
        {({ types: all }) => (
          <>
            <Pipeline types={all} />
            <Types types={all.filter((type) => isOffered(type, session))} />
          </>
        )}
      </Answer>
    </Page>
  );
}

function isBegunHere({ id, export_group }: RuleTypeInfo): boolean {
  return OWN_PAGES[id] === undefined && export_group !== 'hosts';
}

function MoreActions() {
  const session = useSession();
  return (
    <Menu position="bottom-end" withArrow>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDots size={16} aria-hidden />}>
          <Trans>More</Trans>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <MenuLink to="/rules/uses" leftSection={<IconListSearch size={16} aria-hidden />}>
          <Trans>Uses of an attribute</Trans>
        </MenuLink>
        <MenuLink to="/rules/deleted" leftSection={<IconTrash size={16} aria-hidden />}>
          <Trans>Deleted</Trans>
        </MenuLink>
        <MenuLink to="/rules/export" leftSection={<IconDownload size={16} aria-hidden />}>
          <Trans>Export</Trans>
        </MenuLink>
        {may(session, 'rules/import-rules') && (
          <MenuLink to="/rules/import" leftSection={<IconUpload size={16} aria-hidden />}>
            <Trans>Import</Trans>
          </MenuLink>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** A rule with its place in the list. */
interface PlacedRule extends FoundRule {
  readonly type: RuleTypeInfo;
  /** Set if a stage begins here on the page. */
  readonly stage?: Stage;
}

type Stage = NonNullable<RuleTypeInfo['stage']>;

const STAGES: Readonly<Record<Stage, string>> = {
  attributes: t`Attributes for every consumer`,
  rewrite: t`Rewriting of attributes`,
  filter: t`Filters`,
  variables: t`Variables and groups`,
  target: t`Exports`,
  playbooks: t`Playbooks`,
};

const SHOWN = {
  unmatched: { label: t`Match nothing`, fits: (rule, { of }) => of(rule)?.matches === 0 },
  failing: { label: t`Fail`, fits: (rule, { of }) => (of(rule)?.failing ?? 0) > 0 },
  disabled: { label: t`Disabled`, fits: ({ enabled }) => !enabled },
} as const satisfies Readonly<
  Record<string, { label: string; fits: (rule: FoundRule, hits: Pick<Hits, 'of'>) => boolean }>
>;

function Pipeline({ types }: { readonly types: readonly RuleTypeInfo[] }) {
  const session = useSession();
  const { search: text = '', show } = route.useSearch();
  const navigate = route.useNavigate();
  const found = useAnswer('rules/find-rules', { text, limit: MOST });
  const hits = useHits();
  const isExact = hits.counted?.is_exact === true;
  const byId = useMemo(() => new Map(types.map((type) => [type.id, type])), [types]);
  const mayChange = may(session, 'rules/save-rule');
  const columns = pipelineColumns(hits, mayChange);
  const shown = (rules: readonly FoundRule[]): readonly FoundRule[] =>
    show === undefined ? rules : rules.filter((rule) => SHOWN[show].fits(rule, hits));
  const count = (name: keyof typeof SHOWN): string => {
    const { label, fits } = SHOWN[name];
    if (found.data === undefined || (name === 'unmatched' && !isExact)) return label;
    return `${label} (${numberText(found.data.rules.filter((rule) => fits(rule, hits)).length)})`;
  };
  return (
    <>
      <Group gap="sm" align="flex-end">
        <SearchField
          label={t`Find`}
          placeholder={t`part of a name or of anything in the rule`}
          w={420}
          maw="100%"
          value={text}
          onSearch={(next) =>
            void navigate({ search: (now) => ({ ...now, search: next || undefined }), replace: true })
          }
        />
        <Group gap={6} role="group" aria-label={t`Show`}>
          {(['unmatched', 'failing', 'disabled'] as const).map((name) => (
            <Chip
              key={name}
              size="sm"
              checked={show === name}
              onChange={(isOn) =>
                void navigate({ search: (now) => ({ ...now, show: isOn ? name : undefined }), replace: true })
              }
            >
              {count(name)}
            </Chip>
          ))}
        </Group>
        <CountedSoFar hits={hits} />
      </Group>
      <Answer of={found}>
        {(page) => (
          <Stack gap="xs" aria-busy={found.isPlaceholderData}>
            <PagesOf rows={shown(page.rules)} label={t`rules`} size={ON_PAGE}>
              {(rows) => (
                <DataTable
                  caption={t`Rules in their order`}
                  minWidth={760}
                  columns={columns}
                  rows={placed(rows, byId)}
                  rowKey={({ rule_type, id }) => `${rule_type} ${id}`}
                  rowAs={(rule, cells) => <RowOfStage stage={rule.stage} columns={columns.length} cells={cells} />}
                  empty={text === '' && show === undefined ? <NoRules /> : t`No such rule.`}
                />
              )}
            </PagesOf>
            {page.found > page.rules.length && (
              <Text size="sm" c="dimmed">
                {t`These are the first ${{ shown: numberText(page.rules.length) }} of ${{ found: numberText(page.found) }} rules. Find others by their text.`}
              </Text>
            )}
          </Stack>
        )}
      </Answer>
    </>
  );
}

function NoRules() {
  return <Trans>There are no rules yet. Make the first one with New rule, or import a file.</Trans>;
}

function placed(rules: readonly FoundRule[], types: ReadonlyMap<string, RuleTypeInfo>): readonly PlacedRule[] {
  let before: Stage | null = null;
  return rules.flatMap((rule): PlacedRule[] => {
    const type = types.get(rule.rule_type);
    if (type === undefined || type.stage === null) return [];
    const begins = type.stage !== before;
    before = type.stage;
    return [{ ...rule, type, ...(begins && { stage: type.stage }) }];
  });
}

interface RowOfStageProps {
  readonly stage: Stage | undefined;
  readonly columns: number;
  readonly cells: ReactNode;
}

function RowOfStage({ stage, columns, cells }: RowOfStageProps) {
  return (
    <>
      {stage !== undefined && (
        <Table.Tr role="row" className="stage-row">
          <Table.Td role="rowheader" colSpan={columns}>
            {STAGES[stage]}
          </Table.Td>
        </Table.Tr>
      )}
      <Table.Tr role="row">{cells}</Table.Tr>
    </>
  );
}

function pipelineColumns(hits: Hits, mayChange: boolean): readonly Column<PlacedRule>[] {
  return [
    cell.link('name', t`Name`, (rule) => <RuleLink type={rule.type} rule={rule} />, {
      note: ({ type, project }) => (
        <>
          <TextLink to="/rules/$type" params={{ type: type.id }}>
            {type.title}
          </TextLink>
          {project !== null && t`, project ${project}`}
        </>
      ),
    }),
    cell.text('does', t`Effect`, (rule) => <OneLine text={doesText(rule)} />, {
      note: (rule) => <Reason rule={rule} hits={hits} />,
    }),
    ...hitsColumns<PlacedRule>(hits),
    {
      id: 'enabled',
      header: t`Enabled`,
      cell: (rule) =>
        isSwitched(rule.type) ? (
          <EnabledSwitch type={rule.type} rule={rule} isReadOnly={!mayChange || rule.type.refusal !== null} />
        ) : null,
    },
  ];
}

function OneLine({ text }: { readonly text: string }) {
  return (
    <Text inherit lineClamp={1} title={text}>
      {text}
    </Text>
  );
}

function doesText({ outcome_lines: lines, outcome_count: count, members }: FoundRule): string {
  if (count === 0) return members.map(({ name, text }) => `${name}: ${text}`).join('; ') || t`nothing`;
  const said = lines.map((line) => sentence(line.text, line)).join('; ');
  const more = count - lines.length;
  return more > 0 ? `${said}; ${moreText(more)}` : said;
}

/** Shows the conditions of a rule, and its errors. */
function Reason({ rule, hits }: { readonly rule: PlacedRule; readonly hits: Hits }) {
  const { failing = 0, last_error: error = '' } = hits.of(rule) ?? {};
  return (
    <>
      {rule.condition_typ !== null && <OneLine text={whenText(rule)} />}
      {failing > 0 && (
        <Text inherit c="red" lineClamp={2}>
          {error}
        </Text>
      )}
    </>
  );
}

function whenText({ condition_typ: mode, conditions, condition_count: count }: FoundRule): string {
  if (mode === 'anyway') return t`always`;
  if (count === 0) return mode === 'all' ? t`always (no conditions)` : t`never (no conditions)`;
  const said = conditions.map((condition) => sentence(condition.text, condition)).join(mode === 'all' ? ' · ' : ' | ');
  const all = count > conditions.length ? `${said} …` : said;
  return mode === 'all' || count === 1 ? t`where ${all}` : t`where one of ${all}`;
}

function Types({ types }: { readonly types: readonly RuleTypeInfo[] }) {
  const [isOpen, setOpen] = useState(false);
  const own = types.filter(({ kept }) => kept === null);
  const kept = types.filter((type) => type.kept !== null).reduce((sum, { rules }) => sum + rules, 0);
  return (
    <Section title={t`Types of rules`}>
      <TypesTable caption={t`Rule types`} types={own.filter(({ rules }) => rules > 0)} />
      <Group gap="lg">
        <FoldButton isOpen={isOpen} onToggle={() => setOpen(!isOpen)}>
          <Trans>More types</Trans>
        </FoldButton>
        <Text size="sm">
          <TextLink to="/rules/kept">
            {kept === 0 ? t`Kept for other systems` : t`Kept for other systems (${{ count: numberText(kept) }})`}
          </TextLink>
        </Text>
      </Group>
      {isOpen && <TypesTable caption={t`More types`} types={own.filter(({ rules }) => rules === 0)} />}
    </Section>
  );
}
