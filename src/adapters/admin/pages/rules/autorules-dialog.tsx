import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Alert, Box, Button, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { call } from '../calls/call.ts';
import { showProblem, useAnswer } from '../calls/use-call.ts';
import { useRun } from '../calls/use-run.ts';
import { numberText } from '../language/numbers.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { Problem } from '../parts/problem.tsx';
import { tellWithUndo } from '../parts/tell-with-undo.tsx';
import { When } from '../parts/when.tsx';
import { CHANGED_BY_RULES, useRuleTypes } from './rule-type.ts';

type Preview = OfferedOutput<'rules/preview-autorules'>;
type Made = Preview['first'][number];

const AUTORULES = 'syncer_rule_automation';
const CHANGES = [...CHANGED_BY_RULES, 'syncer'];

/** What autorules would make, then the run; and what earlier runs made, to take it away again. */
export function AutorulesDialog({ onDone }: { readonly onDone: () => void }) {
  const preview = useRun('rules/preview-autorules', []);
  const run = useRun('rules/run-autorules', CHANGES);
  const undo = useRun('rules/undo-autorules', CHANGES);
  const { mutate: look } = preview;
  useEffect(() => look({}), [look]);

  function start(planned: Preview): void {
    run.mutate(
      {},
      {
        onError: showProblem,
        async onSuccess() {
          onDone();
          const { passes } = await call('rules/list-autorules-passes', {});
          const newest = passes[0];
          if (newest === undefined) return;
          const made = t`Autorules made ${plural({ count: newest.rules }, { one: '# rule', other: '# rules' })}`;
          const more = newest.rules === planned.rules ? stateWords(planned) : t`the log says more`;
          tellWithUndo(`${made}: ${more}`, () => undo.mutate({ began_at: newest.began_at }, { onError: showProblem }));
        },
      },
    );
  }

  const hasNone = useRuleTypes().data?.types.some(({ id, rules }) => id === AUTORULES && rules === 0) ?? false;
  const isLooking = preview.isPending;
  const looked = numberText(preview.progress?.done ?? 0);
  return (
    <Stack>
      <div aria-live="polite">
        {preview.isError && <Problem error={preview.error} />}
        {isLooking && (
          <Text size="sm" c="dimmed">
            <Trans>Working out what they would make… {looked}</Trans>
          </Text>
        )}
        {preview.data !== undefined && (hasNone ? <NoAutorules /> : <Outcome preview={preview.data} />)}
      </div>
      {run.isPending && <Progress value={100} animated aria-label={t`Autorules run`} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          <Trans>Close</Trans>
        </Button>
        <Button
          loading={run.isPending}
          disabled={preview.data === undefined || preview.data.rules === 0}
          onClick={() => preview.data !== undefined && start(preview.data)}
        >
          {preview.data === undefined
            ? t`Make rules`
            : t`Make ${plural({ count: preview.data.rules }, { one: '# rule', other: '# rules' })}`}
        </Button>
      </Group>
      <Earlier onDeleted={() => look({})} />
    </Stack>
  );
}

function NoAutorules() {
  return (
    <Text size="sm">
      <Trans>
        There are no autorules yet, so a run makes nothing.{' '}
        <TextLink inherit to="/rules/$type/new" params={{ type: AUTORULES }}>
          Create the first one
        </TextLink>
      </Trans>
    </Text>
  );
}

function Outcome({ preview }: { readonly preview: Preview }) {
  const { hosts, rules, enabled, errors, first, problems } = preview;
  const count = first.length;
  return (
    <Stack gap="xs">
      <Text size="sm">
        {rules === 0
          ? t`They would make no new rule for ${plural(hosts, { one: '# host', other: '# hosts' })}. Rules that exist stay as they are.`
          : t`They would make ${plural(rules, { one: '# rule', other: '# rules' })} for ${plural(hosts, { one: '# host', other: '# hosts' })}. Rules that exist stay as they are.`}
      </Text>
      {rules > 0 && (
        <Text size="sm">
          {enabled === rules
            ? t`As the body says: ${{ state: stateWords(preview) }}.`
            : t`As the body says: ${{ state: stateWords(preview) }}. A disabled rule has no effect until it is enabled.`}
        </Text>
      )}
      {errors > 0 && (
        <Alert color="orange" title={plural(errors, { one: '# error', other: '# errors' })}>
          {problems.slice(0, 5).map((problem) => (
            <Text key={problem} size="sm" className="wrap-anywhere">
              {problem}
            </Text>
          ))}
        </Alert>
      )}
      {first.length > 0 && (
        <Box component="section" className="autorules-list" aria-label={t`Rules that would be made`} tabIndex={0}>
          <DataTable
            caption={t`Rules that would be made`}
            columns={COLUMNS}
            rows={first}
            rowKey={({ rule_type, name }) => `${rule_type} ${name}`}
            empty=""
          />
        </Box>
      )}
      {rules > first.length && first.length > 0 && (
        <Text size="sm" c="dimmed">
          <Trans>These are the first {count} of them.</Trans>
        </Text>
      )}
    </Stack>
  );
}

const COLUMNS: readonly Column<Made>[] = [
  { id: 'name', header: t`Rule`, cell: ({ name }) => <span className="wrap-anywhere">{name}</span> },
  { id: 'type', header: t`Type`, cell: ({ rule_type }) => rule_type },
  { id: 'host', header: t`Host`, cell: ({ hostname }) => <span className="wrap-anywhere">{hostname}</span> },
  { id: 'position', header: t`Position`, alignRight: true, cell: (rule) => numberText(rule.sort_field) },
  { id: 'enabled', header: t`Enabled`, cell: (rule) => (rule.enabled ? t`enabled` : t`disabled`) },
];

/** Whether the rules are enabled, and where they run. */
function stateWords({ rules, enabled, positions }: Preview): string {
  const on = numberText(enabled);
  const off = numberText(rules - enabled);
  const state =
    enabled === rules ? t`all enabled` : enabled === 0 ? t`all disabled` : t`${on} enabled and ${off} disabled`;
  if (positions === null) return state;
  const lowest = numberText(positions.lowest);
  const highest = numberText(positions.highest);
  return lowest === highest ? t`${state}, at position ${lowest}` : t`${state}, at positions ${lowest} to ${highest}`;
}

/** Earlier runs of which rules are left as they were made. */
function Earlier({ onDeleted }: { readonly onDeleted: () => void }) {
  const { data } = useAnswer('rules/list-autorules-passes', {});
  const undo = useRun('rules/undo-autorules', CHANGES);
  if (data === undefined || data.passes.length === 0) return null;
  return (
    <section aria-labelledby="earlier-autorules">
      <Title order={3} size="h5" id="earlier-autorules" mb="xs">
        <Trans>Earlier runs</Trans>
      </Title>
      <Stack gap="xs">
        {data.passes.map(({ began_at, rules }) => (
          <Group key={began_at} justify="space-between">
            <Text size="sm">
              <Trans>
                <When at={began_at} />: <Plural value={rules} one="# rule" other="# rules" /> left as they were made
              </Trans>
            </Text>
            <Button
              size="compact-sm"
              variant="default"
              c="red"
              loading={undo.isPending && undo.variables?.began_at === began_at}
              onClick={() =>
                undo.mutate(
                  { began_at },
                  {
                    onError: showProblem,
                    onSuccess({ removed }) {
                      const message = t`Deleted ${plural({ count: removed }, { one: '# rule', other: '# rules' })}`;
                      notifications.show({ message, color: 'green' });
                      onDeleted();
                    },
                  },
                )
              }
            >
              <Trans>
                Delete <Plural value={rules} one="# rule" other="# rules" />
              </Trans>
            </Button>
          </Group>
        ))}
      </Stack>
      <Text size="xs" c="dimmed" mt="xs">
        <Trans>Rules that someone changed since are kept. Deleted ones can be restored from the list Deleted.</Trans>
      </Text>
    </section>
  );
}
