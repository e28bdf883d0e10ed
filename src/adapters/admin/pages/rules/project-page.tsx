import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { CallError, call } from '../calls/call.ts';
import { may, useSession } from '../calls/session.ts';
import { isChanged, showProblem, useAnswer } from '../calls/use-call.ts';
import { numberText } from '../language/numbers.ts';
import { AccountLink } from '../parts/account-link.tsx';
import { Answer } from '../parts/answer.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { NewRuleMenu } from '../parts/new-rule-menu.tsx';
import { Page } from '../parts/page.tsx';
import { reportWithUndo } from '../parts/report-with-undo.tsx';
import { EnabledSwitch } from './enabled-switch.tsx';
import { SeveralImpact } from './order/several-impact.tsx';
import { CHANGED_BY_RULES, hasProject, type RuleTypeInfo, useRuleTypes } from './rule-type.ts';

const route = getRouteApi('/rules/projects/$project');

/** Seconds of counting hosts; the rules are shown before. */
const SECONDS = 4;

type Project = OfferedOutput<'rules/show-project'>;
type Rule = Project['rules'][number];

/** A project with its rules of all types, in the order in which a host passes them. */
export function ProjectPage() {
  const { project: name } = route.useParams();
  const project = useAnswer('rules/show-project', { project: name, seconds: 0 });
  const counts = useAnswer('rules/show-project', { project: name, seconds: SECONDS }, { freshSeconds: 30 });
  const types = useRuleTypes();
  const above = [
    { to: '/rules', label: t`Rules` },
    { to: '/rules/automation_projects', label: t`Projects` },
  ];
  if (project.error instanceof CallError && project.error.code === 'not_found') {
    return (
      <Page title={t`There is no such project`} above={above}>
        <Text>
          <Trans>There is no project {name}.</Trans>
        </Text>
      </Page>
    );
  }
  if (project.data === undefined || types.data === undefined) {
    return (
      <Page title={name} above={above}>
        {project.data === undefined ? (
          <Answer of={project}>{() => null}</Answer>
        ) : (
          <Answer of={types}>{() => null}</Answer>
        )}
      </Page>
    );
  }
  return (
    <ShownProject
      project={project.data}
      counts={counts.data}
      types={types.data.types}
      above={above}
      isCounting={counts.isFetching}
    />
  );
}

interface ShownProjectProps {
  readonly project: Project;
  /** Absent until the hosts are counted. */
  readonly counts: Project | undefined;
  readonly isCounting: boolean;
  readonly types: readonly RuleTypeInfo[];
  readonly above: readonly { readonly to: string; readonly label: string }[];
}

function ShownProject({ project, counts, isCounting, types, above }: ShownProjectProps) {
  const session = useSession();
  const mayChange = may(session, 'rules/switch-project');
  const byId = new Map(types.map((type) => [type.id, type]));
  const { id, name, enabled, rules } = project;
  const matches = new Map(counts?.rules.map((rule) => [`${rule.rule_type} ${rule.id}`, rule.matches]));
  return (
    <Page
      title={name}
      above={above}
      description={
        <Group gap="xs">
          <Badge size="sm" variant="light" color={enabled ? 'green' : 'gray'}>
            {enabled ? t`enabled` : t`disabled`}
          </Badge>
          <Text span size="sm" c="dimmed">
            <Trans>Its rules of all types, in the order in which a host passes them</Trans>
          </Text>
        </Group>
      }
      actions={
        <>
          <ButtonLink to="/rules/$type/$id" params={{ type: 'automation_projects', id }} variant="default">
            <Trans>Settings of the project</Trans>
          </ButtonLink>
          {mayChange && <SwitchAll project={project} types={byId} />}
          {may(session, 'rules/save-rule') && (
            <NewRuleMenu offers={hasProject} search={{ project: name }}>
              <Button rightSection={<IconChevronDown size={16} aria-hidden />}>
                <Trans>New rule for this project</Trans>
              </Button>
            </NewRuleMenu>
          )}
        </>
      }
    >
      <Stack gap="xs">
        <UsedBy project={project} />
        <Text size="sm" c="dimmed" role="status">
          {countedText(project, counts, isCounting)}
        </Text>
        <DataTable
          caption={t`Rules of ${name}`}
          minWidth={720}
          columns={columns(byId, matches, !mayChange)}
          rows={rules.map((rule, index) => ({ ...rule, place: index + 1 }))}
          rowKey={(rule) => `${rule.rule_type} ${rule.id}`}
          empty={t`No rule belongs to this project yet.`}
        />
      </Stack>
    </Page>
  );
}

function countedText(project: Project, counts: Project | undefined, isCounting: boolean): string {
  const all = plural({ count: project.rules.length }, { one: '# rule', other: '# rules' });
  if (!project.enabled && project.inventory === null) return t`${all}; none runs while the project is disabled`;
  if (counts === undefined) return isCounting ? t`${all}; counting hosts…` : all;
  const looked = numberText(counts.counted);
  const hosts = numberText(counts.hosts);
  return counts.is_exact
    ? t`${all}; matches counted over all ${hosts} hosts`
    : t`${all}; matches counted over the first ${looked} of ${hosts} hosts`;
}

/** Shows which inventory serves the project's hosts, and where they are exported to. */
function UsedBy({ project: { inventory, exports } }: { readonly project: Project }) {
  const session = useSession();
  return (
    <Group gap="lg" role="group" aria-label={t`Used by`}>
      <Text size="sm">
        {inventory === null ? (
          <Trans>In no inventory while it is disabled</Trans>
        ) : (
          <Trans>
            Inventory{' '}
            {may(session, 'inventory/browse-inventory') ? (
              <TextLink inherit to="/inventory/$provider" params={{ provider: inventory }}>
                {inventory}
              </TextLink>
            ) : (
              inventory
            )}
          </Trans>
        )}
      </Text>
      <Text size="sm">
        {exports.length === 0 ? (
          <Trans>No account exports it</Trans>
        ) : (
          <Trans>
            Exported to{' '}
            {exports.map((account, index) => (
              <span key={account}>
                {index > 0 && ', '}
                <AccountLink name={account} />
              </span>
            ))}
          </Trans>
        )}
      </Text>
    </Group>
  );
}

type PlacedRule = Rule & { readonly place: number };

function columns(
  types: ReadonlyMap<string, RuleTypeInfo>,
  matches: ReadonlyMap<string, number | null>,
  isReadOnly: boolean,
): readonly Column<PlacedRule>[] {
  return [
    { id: 'place', header: t`Order`, alignRight: true, cell: ({ place }) => numberText(place) },
    {
      id: 'name',
      header: t`Name`,
      cell: ({ rule_type: type, id, name, enabled, last_match: isLast }) => (
        <>
          <TextLink
            to="/rules/$type/$id"
            params={{ type, id }}
            size="sm"
            className="wrap-anywhere"
            {...(enabled ? {} : { c: 'dimmed' })}
          >
            {name || id}
          </TextLink>{' '}
          {isLast && (
            <Badge size="xs" variant="light" color="gray" title={t`After a hit, no later rule of the type runs`}>
              <Trans>last match</Trans>
            </Badge>
          )}
        </>
      ),
    },
    {
      id: 'type',
      header: t`Type`,
      cell: ({ rule_type: type, title }) => (
        <TextLink to="/rules/$type" params={{ type }} size="sm">
          {types.get(type)?.title ?? title}
        </TextLink>
      ),
    },
    { id: 'position', header: t`Position`, alignRight: true, cell: (rule) => numberText(rule.sort_field) },
    {
      id: 'enabled',
      header: t`Enabled`,
      cell: (rule) => {
        const type = types.get(rule.rule_type);
        return type === undefined ? null : (
          <EnabledSwitch type={type} rule={rule} isReadOnly={isReadOnly || type.refusal !== null} />
        );
      },
    },
    {
      id: 'matches',
      header: t`Hosts`,
      alignRight: true,
      cell: ({ rule_type: type, id }) => {
        const count = matches.get(`${type} ${id}`);
        return count === undefined || count === null ? <None /> : numberText(count);
      },
    },
  ];
}

function None() {
  return (
    <Text span size="sm" c="dimmed">
      –
    </Text>
  );
}

interface SwitchAllProps {
  readonly project: Project;
  readonly types: ReadonlyMap<string, RuleTypeInfo>;
}

type ChangedRules = OfferedOutput<'rules/switch-project'>['changed'];

/** Switches all rules of the project at once, after showing the effect. */
function SwitchAll({ project: { name, rules }, types }: SwitchAllProps) {
  const [asked, setAsked] = useState<boolean>();
  const queries = useQueryClient();
  const refresh = () =>
    queries.invalidateQueries({ predicate: ({ queryKey }) => isChanged(CHANGED_BY_RULES, queryKey[0]) });
  const back = useMutation<void, CallError, { readonly rules: ChangedRules; readonly enabled: boolean }>({
    async mutationFn({ rules: changed, enabled }) {
      for (const [type, ids] of byType(changed)) {
        await call('rules/switch-rules', { rule_type: type, rules: ids, enabled });
      }
    },
    onError: showProblem,
    onSettled: refresh,
  });
  const run = useMutation<OfferedOutput<'rules/switch-project'>, CallError, boolean>({
    mutationFn: (enabled) => call('rules/switch-project', { project: name, enabled }),
    onSuccess({ changed }, enabled) {
      const count = changed.length;
      const said = enabled
        ? t`Enabled ${plural(count, { one: '# rule', other: '# rules' })}`
        : t`Disabled ${plural(count, { one: '# rule', other: '# rules' })}`;
      reportWithUndo(said, () => back.mutate({ rules: changed, enabled: !enabled }));
    },
    onError: showProblem,
    onSettled: refresh,
  });
  const isPending = run.isPending || back.isPending;
  const others = asked === undefined ? [] : rules.filter(({ enabled }) => enabled !== asked);
  const count = others.length;
  return (
    <>
      <Button
        variant="default"
        loading={isPending}
        disabled={rules.every(({ enabled }) => enabled)}
        onClick={() => setAsked(true)}
      >
        <Trans>Enable all…</Trans>
      </Button>
      <Button
        variant="default"
        loading={isPending}
        disabled={rules.every(({ enabled }) => !enabled)}
        onClick={() => setAsked(false)}
      >
        <Trans>Disable all…</Trans>
      </Button>
      <Modal
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={
          asked === true
            ? t`Enable ${plural(count, { one: '# rule', other: '# rules' })}?`
            : t`Disable ${plural(count, { one: '# rule', other: '# rules' })}?`
        }
      >
        {asked !== undefined && (
          <Stack>
            <Text size="sm">
              {asked
                ? t`They have their effect at once.`
                : t`They stop having any effect at once, and stay as they are.`}
            </Text>
            <SeveralImpact
              of={[...byType(others.map(({ rule_type, id }) => ({ rule_type, id })))].flatMap(([id, ids]) => {
                const type = types.get(id);
                return type === undefined ? [] : [{ type, rules: ids }];
              })}
              enabled={asked}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setAsked(undefined)}>
                <Trans>Cancel</Trans>
              </Button>
              <Button
                onClick={() => {
                  setAsked(undefined);
                  run.mutate(asked);
                }}
              >
                {asked
                  ? t`Enable ${plural(count, { one: '# rule', other: '# rules' })}`
                  : t`Disable ${plural(count, { one: '# rule', other: '# rules' })}`}
              </Button>
            </Group>
          </Stack>
        )}
      </Modal>
    </>
  );
}

/** Ids by rule type. */
function byType(rules: ChangedRules): ReadonlyMap<string, string[]> {
  const types = new Map<string, string[]>();
  for (const { rule_type: type, id } of rules) types.set(type, [...(types.get(type) ?? []), id]);
  return types;
}
