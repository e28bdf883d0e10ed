import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Code, List, Stack, Text } from '@mantine/core';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { numberText } from '../language/numbers.ts';
import { sentence } from '../language/service-texts.ts';
import { Answer } from '../parts/answer.tsx';
import { confirm } from '../parts/confirm.ts';
import { Done } from '../parts/done.tsx';

type Deeds = OfferedOutput<'system/run-maintenance'>;

/** Shows what maintenance does with the present configuration, and a button to run it. */
export function MaintenanceTab() {
  const session = useSession();
  const config = useAnswer('system/show-config', {});
  const run = useAction('system/run-maintenance', {
    done: t`Maintenance is done`,
    changes: ['hosts', 'syncer', 'accounts', 'rules'],
  });
  return (
    <Answer of={config}>
      {(data) => {
        const days = daysOf(data);
        const steps = stepsOf(days);
        return (
          <Stack gap="sm" maw={720}>
            <Text size="sm">
              <Trans>
                The job <Code>Maintenance</Code> of a cron group does this regularly, and so does the command{' '}
                <Code>muster maintenance</Code>. With the current configuration it
              </Trans>
            </Text>
            <List size="sm">
              {steps.map((step) => (
                <List.Item key={step}>{step}</List.Item>
              ))}
            </List>
            {!may(session, 'system/run-maintenance') ? (
              <Text size="sm" c="dimmed">
                <Trans>You may only read, so you cannot run it.</Trans>
              </Text>
            ) : (
              <Button
                variant="default"
                style={{ alignSelf: 'flex-start' }}
                loading={run.isPending}
                onClick={() =>
                  confirm({
                    title: t`Run maintenance now?`,
                    text: [
                      `${steps.map((step, index) => (index === 0 ? t`It ${step}` : t`it ${step}`)).join('; ')}.`,
                      t`Archived hosts can be restored; what is permanently deleted can only be restored from a backup.`,
                    ].join(' '),
                    yes: t`Run maintenance`,
                    onYes: () => run.mutate({}),
                  })
                }
              >
                <Trans>Run maintenance now</Trans>
              </Button>
            )}
            {run.data !== undefined && <Outcome done={run.data} />}
          </Stack>
        );
      }}
    </Answer>
  );
}

function Outcome({ done }: { readonly done: Deeds }) {
  return (
    <Done title={t`Maintenance is done`}>
      <List size="sm">
        {doneTexts(done).map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
      </List>
    </Done>
  );
}

/** Removing ended sessions affects no user, so it is not reported. */
function doneTexts(done: Deeds): readonly string[] {
  const count = (name: 'stale' | 'purged' | 'changes' | 'versions' | 'logs' | 'audit'): string =>
    numberText(done[name]);
  return [
    t`${{ count: count('stale') }} hosts archived as stale`,
    t`${{ count: count('purged') }} archived hosts permanently deleted`,
    t`${{ count: count('changes') }} changes of hosts pruned`,
    t`${{ count: count('versions') }} versions of rules pruned`,
    t`${{ count: count('logs') }} log entries pruned`,
    t`${{ count: count('audit') }} audit entries pruned`,
    ...done.by_features.map((row) => `${numberText(row.count)} ${sentence(row.what, undefined)}`),
  ];
}

type Days = (key: string) => number;

function daysOf({ config }: OfferedOutput<'system/show-config'>): Days {
  const values = new Map(config.map(({ key, value }) => [key, Number(value)]));
  return (key) => values.get(key) ?? 0;
}

function stepsOf(days: Days): readonly string[] {
  const stale = days('STALE_DAYS');
  const archive = days('ARCHIVE_DAYS');
  return [
    stale === 0
      ? t`archives no host as stale (STALE_DAYS is 0)`
      : t`archives hosts not seen for ${stale} days (STALE_DAYS)`,
    archive === 0
      ? t`permanently deletes no archived host (ARCHIVE_DAYS is 0)`
      : t`permanently deletes hosts that have been archived for more than ${archive} days (ARCHIVE_DAYS)`,
    t`deletes host history older than ${{ days: days('HISTORY_DAYS') }} days (HISTORY_DAYS)`,
    t`deletes rule versions older than ${{ days: days('RULE_HISTORY_DAYS') }} days (RULE_HISTORY_DAYS)`,
    t`deletes log entries older than ${{ days: days('LOG_DAYS') }} days (LOG_DAYS)`,
    t`deletes audit entries older than ${{ days: days('AUDIT_DAYS') }} days (AUDIT_DAYS)`,
    t`deletes playbook runs older than ${{ days: days('PLAYBOOK_RUN_DAYS') }} days (PLAYBOOK_RUN_DAYS)`,
    t`deletes plans of exports older than ${{ days: days('PLAN_DAYS') }} days (PLAN_DAYS)`,
  ];
}
