import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Accordion, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { useRun } from '../calls/use-run.ts';
import { numberText } from '../language/numbers.ts';
import { Changes } from '../parts/changes.tsx';
import { PagesOf } from '../parts/pages-of.tsx';
import { Problem } from '../parts/problem.tsx';
import { impactText } from './impact-words.ts';
import { isCurrent, type Trial } from './trial.ts';
import { Unchanged } from './unchanged.tsx';

const SHOWN_HOSTS = 200;

/** Which hosts would change if the rule were saved as it is. */
export function TryAllHosts({ trial }: { readonly trial: Trial }) {
  const run = useRun('rules/rules-impact', []);
  const [tried, setTried] = useState<Trial>();
  const { type, document, provider } = trial;

  function look(): void {
    setTried(trial);
    const input = { rules: { [type.id]: [document] }, project: provider, limit: SHOWN_HOSTS };
    run.mutate(input, { onError: (error) => trial.onProblem(error, `${type.id}.0`) });
  }

  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        <Title order={3} size="h5">
          <Trans>What it would change</Trans>
        </Title>
        <Group gap="sm">
          <Button size="xs" variant="default" loading={run.isPending} disabled={!trial.isReady} onClick={look}>
            <Trans>Compare all hosts</Trans>
          </Button>
          {run.isPending && run.progress !== undefined && (
            <Text size="sm" c="dimmed">
              {t`${{ count: numberText(run.progress.done) }} hosts`}
            </Text>
          )}
        </Group>
        <div aria-live="polite">
          {run.isError && isCurrent(tried, trial) && <Problem error={run.error} />}
          {run.data !== undefined && !run.isPending && (
            <Impact
              impact={run.data}
              provider={tried?.provider ?? provider}
              isOld={!isCurrent(tried, trial)}
              tried={tried}
            />
          )}
        </div>
      </Stack>
    </Paper>
  );
}

interface ImpactProps {
  readonly impact: OfferedOutput<'rules/rules-impact'>;
  readonly provider: string;
  readonly isOld: boolean;
  readonly tried: Trial | undefined;
}

function Impact({ impact, provider, isOld, tried }: ImpactProps) {
  const { changed, details, target } = impact;
  const words = target === undefined ? IN_INVENTORY : IN_EXPORTS;
  const count = details.length;
  return (
    <Stack gap="xs">
      <Text size="sm">{impactText(impact, provider)}</Text>
      {changed === 0 && tried !== undefined && <Unchanged trial={tried} />}
      {isOld && (
        <Text size="sm" c="dimmed">
          <Trans>The rule was changed since. Compare again.</Trans>
        </Text>
      )}
      {details.length > 0 && (
        <PagesOf rows={details} label={t`hosts that change`} size={10}>
          {(shown) => (
            <Accordion variant="contained" chevronPosition="left" multiple>
              {shown.map(({ hostname, change, changes }) => (
                <Accordion.Item key={hostname} value={hostname}>
                  <Accordion.Control>
                    <Text size="sm" className="wrap-anywhere">
                      {hostname}
                      <Text span size="sm" c="dimmed">
                        {' '}
                        {words[change].one}
                        {change === 'changed' && `: ${changes.map(({ path }) => path).join(', ')}`}
                      </Text>
                    </Text>
                  </Accordion.Control>
                  <Accordion.Panel>
                    {change === 'changed' ? (
                      <Changes caption={t`Changes of ${hostname}`} changes={changes} />
                    ) : (
                      <Text size="sm">{words[change].whole}</Text>
                    )}
                  </Accordion.Panel>
                </Accordion.Item>
              ))}
            </Accordion>
          )}
        </PagesOf>
      )}
      {changed > details.length && (
        <Text size="sm" c="dimmed">
          <Trans>These are the first {count} of them.</Trans>
        </Text>
      )}
    </Stack>
  );
}

/** Behind the name of a host; and what is said of one that comes or goes. */
const CHANGED = { one: t({ message: 'changes', context: 'what something does' }), whole: '' };

const IN_INVENTORY = {
  changed: CHANGED,
  appears: { one: t`enters the inventory`, whole: t`The whole host enters the inventory.` },
  disappears: { one: t`leaves the inventory`, whole: t`The whole host leaves the inventory.` },
} as const;

const IN_EXPORTS = {
  changed: CHANGED,
  appears: { one: t`is exported too`, whole: t`The whole host is exported too.` },
  disappears: { one: t`is no longer exported`, whole: t`The whole host is no longer exported.` },
} as const;
