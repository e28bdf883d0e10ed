import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Badge, Button, Group, Modal, Stack, Tabs, Text } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { CallError } from '../calls/call.ts';
import { may, useSession } from '../calls/session.ts';
import { isAbout, useAction, useAnswer } from '../calls/use-call.ts';
import { flagOf, referenceOf } from '../forms/document.ts';
import { Answer } from '../parts/answer.tsx';
import { confirm } from '../parts/confirm.ts';
import { DeleteButton } from '../parts/delete-button.tsx';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { reportWithUndo } from '../parts/report-with-undo.tsx';
import { Command } from '../parts/value.tsx';
import { WaitingNote } from '../parts/waiting.tsx';
import { When } from '../parts/when.tsx';
import { BeyondReach } from './beyond-reach.tsx';
import { FailingHosts } from './failing-hosts.tsx';
import { SeveralImpact } from './order/several-impact.tsx';
import { ProjectLink } from './project-link.tsx';
import { useProjects } from './projects.ts';
import { RuleEditor } from './rule-editor.tsx';
import { RuleHistory } from './rule-history.tsx';
import {
  AUTORULES,
  CHANGED_BY_RULES,
  hasProject,
  isRemovable,
  isSwitched,
  type RuleTypeInfo,
  useRuleTypes,
} from './rule-type.ts';
import { NoSuchType } from './rules-page.tsx';
import { RunAutorules } from './run-autorules.tsx';
import { CannotWork } from './unworkable-note.tsx';

const route = getRouteApi('/rules/$type/$id');

const PROJECTS = 'automation_projects';

/** One rule, to be edited, with its history. */
export function RulePage() {
  const { type: typeId, id } = route.useParams();
  const types = useRuleTypes();
  return (
    <Answer of={types}>
      {({ types: all }) => {
        const type = all.find((candidate) => candidate.id === typeId);
        return type === undefined ? <NoSuchType id={typeId} /> : <Rule key={`${typeId} ${id}`} type={type} id={id} />;
      }}
    </Answer>
  );
}

interface RuleProps {
  readonly type: RuleTypeInfo;
  readonly id: string;
}

function Rule({ type, id }: RuleProps) {
  // Two who edit the same rule learn it of each other before they save.
  const [isDeleted, setDeleted] = useState(false);
  const rule = useAnswer(
    'rules/show-rule',
    { rule_type: type.id, rule: id },
    { everySeconds: 15, enabled: !isDeleted },
  );
  const above = [
    { to: '/rules', label: t`Rules` },
    { to: `/rules/${type.id}`, label: type.title },
  ];
  if (isDeleted || (rule.error instanceof CallError && rule.error.code === 'not_found')) {
    return <RemovedRule type={type} id={id} above={above} onBack={() => setDeleted(false)} />;
  }
  if (rule.data === undefined) {
    return (
      <Page title={type.title} above={above}>
        <Answer of={rule}>{() => null}</Answer>
      </Page>
    );
  }
  return <StoredRule type={type} rule={rule.data} above={above} onDeleted={() => setDeleted(true)} />;
}

type Above = readonly { readonly to: string; readonly label: string }[];

interface StoredRuleProps extends Omit<RuleProps, 'id'> {
  readonly rule: OfferedOutput<'rules/show-rule'>;
  readonly above: Above;
  readonly onDeleted: () => void;
}

function StoredRule({ type, rule, above, onDeleted }: StoredRuleProps) {
  const session = useSession();
  const { tab = 'rule' } = route.useSearch();
  const navigate = route.useNavigate();
  const isOn = flagOf(rule.document.enabled);
  const { version } = rule;
  return (
    <Page
      title={rule.name || rule.id}
      above={above}
      description={
        <Group gap="xs">
          {isSwitched(type) && (
            <Badge size="sm" variant="light" color={isOn ? 'green' : 'gray'}>
              {isOn ? t`enabled` : t`disabled`}
            </Badge>
          )}
          <Text span size="sm" c="dimmed">
            <Trans>
              version {version}, changed <When at={rule.changed_at} />
            </Trans>
          </Text>
          <OfProject type={type} rule={rule} />
          <MadeBy rule={rule} />
        </Group>
      }
      actions={
        may(session, 'rules/save-rule') &&
        type.refusal === null && (
          <>
            {type.id === AUTORULES && may(session, 'rules/run-autorules') && (
              <RunAutorules autorule={{ id: rule.id, isEnabled: isOn }} />
            )}
            <ButtonLink
              to="/rules/$type/new"
              params={{ type: type.id }}
              search={{ copy: rule.id }}
              variant="default"
              leftSection={<IconCopy size={16} aria-hidden />}
            >
              <Trans>Copy</Trans>
            </ButtonLink>
            {isRemovable(type) && <DeleteRule type={type} rule={rule} onDeleted={onDeleted} />}
          </>
        )
      }
    >
      <Tabs
        value={tab}
        onChange={(next) =>
          void navigate({ search: next === 'history' ? { tab: 'history' } : {}, replace: true, resetScroll: false })
        }
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="rule">
            <Trans>Rule</Trans>
          </Tabs.Tab>
          <Tabs.Tab value="history">
            <Trans>History</Trans>
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="rule">
          {may(session, 'rules/save-rule') && <BeyondReach type={type} />}
          {rule.waits.length > 0 && <WaitingNote rule_type={type.id} name={rule.name} />}
          {rule.counts_as_fired && <CountsAsFired rule={rule} />}
          <CannotWork problems={rule.problems} />
          {type.stage !== null && <FailingHosts type={type.id} id={rule.id} version={version} />}
          <RuleEditor type={type} id={rule.id} document={rule.document} version={rule.version} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          {tab === 'history' && <RuleHistory type={type} id={rule.id} current={rule.version} />}
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

/** Links to all rules of its project, or of the project itself. */
function OfProject({ type, rule }: Pick<StoredRuleProps, 'type' | 'rule'>) {
  const projects = useProjects();
  const reference = hasProject(type) ? referenceOf(rule.document.project) : '';
  const name =
    type.id === PROJECTS ? rule.name : projects.find(({ id, name: called }) => [id, called].includes(reference))?.name;
  if (name === undefined) return null;
  return (
    <ProjectLink name={name}>
      {type.id === PROJECTS ? t`All rules of this project` : t`All rules of project ${name}`}
    </ProjectLink>
  );
}

/** Shows the autorule that made it; only its name if it was deleted. */
function MadeBy({ rule: { made_by: madeBy } }: Pick<StoredRuleProps, 'rule'>) {
  if (madeBy === null) return null;
  const { autorule, id, hostname } = madeBy;
  if (id === null) {
    return (
      <Text span size="sm" c="dimmed" className="wrap-anywhere">
        {t`made by autorule ${autorule} for ${hostname}; the autorule is gone`}
      </Text>
    );
  }
  return (
    <Text span size="sm" c="dimmed" className="wrap-anywhere">
      <Trans>
        made by autorule{' '}
        <TextLink inherit to="/rules/$type/$id" params={{ type: AUTORULES, id }}>
          {autorule}
        </TextLink>{' '}
        for {hostname}
      </Trans>
    </Text>
  );
}

/** Explains a rule that ran its playbooks in the installation it comes from. */
function CountsAsFired({ rule }: Pick<StoredRuleProps, 'rule'>) {
  const session = useSession();
  const fire = useAction('playbooks/fire-existing', {
    done: t`The next pass runs its playbooks for what it matches already.`,
    changes: CHANGED_BY_RULES,
  });
  return (
    <Alert color="blue" mb="md" title={t`Hosts matched at first count as fired`}>
      <Text size="sm">
        <Trans>
          This rule comes from another installation, which has run its playbooks. What it matches when it is first
          evaluated here counts as fired, and nothing runs for that. <Command>muster playbook fire --dry-run</Command>{' '}
          counts it before.
        </Trans>
      </Text>
      {may(session, 'playbooks/fire-existing') && (
        <Button
          mt="sm"
          size="xs"
          variant="default"
          loading={fire.isPending}
          onClick={() =>
            confirm({
              title: t`Run the playbooks of ${{ rule: rule.name }} for existing matches?`,
              text: t`The next pass runs its playbooks for every host that it matches by then, within the limits of a pass.`,
              yes: t`Let it fire`,
              onYes: () => fire.mutate({ rule: rule.id }),
            })
          }
        >
          <Trans>Let it fire for them</Trans>
        </Button>
      )}
    </Alert>
  );
}

function DeleteRule({ type, rule, onDeleted }: Pick<StoredRuleProps, 'type' | 'rule' | 'onDeleted'>) {
  const [isAsked, setAsked] = useState(false);
  const { id, name, version } = rule;
  const back = useAction('rules/revert-rule', { done: t`${name} is back.`, changes: CHANGED_BY_RULES });
  const remove = useAction('rules/remove-rule', {
    changes: CHANGED_BY_RULES,
    onDone() {
      onDeleted();
      reportWithUndo(t`${name} is deleted.`, () => back.mutate({ rule_type: type.id, rule: id, version }));
    },
    gone: (query) => query[0] !== 'rules/rule-history' && isAbout(query, ['rule'], id),
  });
  return (
    <>
      <DeleteButton isPending={remove.isPending} onClick={() => setAsked(true)} />
      <Modal opened={isAsked} onClose={() => setAsked(false)} title={t`Delete ${name}?`}>
        <Stack>
          <Text size="sm">
            <Trans>
              It stops applying immediately. Its history stays: the next page and the list Deleted can restore it, and
              so can "muster rules revert".
            </Trans>
          </Text>
          {flagOf(rule.document.enabled) && <SeveralImpact of={[{ type, rules: [id] }]} enabled={false} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setAsked(false)}>
              <Trans>Cancel</Trans>
            </Button>
            <Button
              color="red"
              onClick={() => {
                setAsked(false);
                remove.mutate({ rule_type: type.id, rule: id });
              }}
            >
              <Trans>Delete rule</Trans>
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

interface RemovedRuleProps {
  readonly type: RuleTypeInfo;
  readonly id: string;
  readonly above: Above;
  /** Called when it has been restored. */
  readonly onBack: () => void;
}

/** A rule that is no more: its history may bring it back. */
function RemovedRule({ type, id, above, onBack }: RemovedRuleProps) {
  const history = useAnswer('rules/rule-history', { rule_type: type.id, rule: id, limit: 1 });
  const last = history.data?.versions[0]?.change;
  const wasThere = last === 'removed';
  const isBack = !history.isFetching && last !== undefined && !wasThere;
  useEffect(() => {
    if (isBack) onBack();
  });
  return (
    <Page title={wasThere ? (history.data?.name ?? '') : t`There is no such rule`} above={above}>
      {history.isPending ? (
        <Answer of={history}>{() => null}</Answer>
      ) : wasThere ? (
        <>
          <Alert color="yellow" title={t`This rule was deleted`}>
            <Trans>Each version below can be stored again.</Trans>
          </Alert>
          <RuleHistory type={type} id={id} current={undefined} />
        </>
      ) : (
        <Text>{t`There is no rule ${{ rule: id }} of type ${{ type: type.id }}.`}</Text>
      )}
    </Page>
  );
}
