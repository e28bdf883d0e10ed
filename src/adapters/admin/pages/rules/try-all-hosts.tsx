import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { useRun } from '../calls/use-run.ts';
import { numberText } from '../language/numbers.ts';
import { Problem } from '../parts/problem.tsx';
import { impactText } from './impact-words.ts';
import { ImpactedHosts } from './impacted-hosts.tsx';
import { isCurrent, type Trial } from './trial.ts';
import { Unchanged } from './unchanged.tsx';

const SHOWN_HOSTS = 200;

/** Shows which hosts would change if the rule were saved in its present form. */
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
          <Trans>Effect on hosts</Trans>
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
  return (
    <Stack gap="xs">
      <Text size="sm">{impactText(impact, provider)}</Text>
      {impact.changed === 0 && tried !== undefined && <Unchanged trial={tried} />}
      {isOld && (
        <Text size="sm" c="dimmed">
          <Trans>The rule was changed since. Compare again.</Trans>
        </Text>
      )}
      <ImpactedHosts impact={impact} />
    </Stack>
  );
}
