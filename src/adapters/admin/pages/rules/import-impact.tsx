import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { OfferedInput } from '../../offered-operations.ts';
import { useRun } from '../calls/use-run.ts';
import { numberText } from '../language/numbers.ts';
import { Problem } from '../parts/problem.tsx';
import { impactText } from './impact-words.ts';
import { ImpactedHosts } from './impacted-hosts.tsx';
import { useKnownProjects } from './projects.ts';

const SHOWN_HOSTS = 200;
/** Longest wait for a result that the user did not request; a click compares all hosts. */
const SECONDS = 5;
const AUTOMATION = 'automation';

interface ImportImpactProps {
  /** The file, and how it would be imported. */
  readonly file: Pick<OfferedInput<'rules/rules-impact'>, 'text' | 'override' | 'skip_broken' | 'rule_type'>;
}

/** Shows which hosts an import of the file would change; requested at once. */
export function ImportImpact({ file }: ImportImpactProps) {
  const projects = useKnownProjects() ?? [];
  const [provider, setProvider] = useState(AUTOMATION);
  const run = useRun('rules/rules-impact', []);
  const look = (project: string, seconds?: number): void => {
    const limits = { limit: SHOWN_HOSTS, ...(seconds === undefined ? {} : { seconds }) };
    run.mutate({ ...file, ...(project === AUTOMATION ? {} : { project }), ...limits });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; whoever changes the file takes this away
  useEffect(() => look(provider, SECONDS), []);
  return (
    <section aria-label={t`Hosts that would change`}>
      <Stack gap="xs">
        <Group justify="space-between" align="flex-end">
          <Title order={3} size="h5">
            <Trans>Hosts that would change</Trans>
          </Title>
          {projects.length > 0 && (
            <NativeSelect
              size="xs"
              label={t`Inventory`}
              data={[AUTOMATION, ...projects.map(({ name }) => name)]}
              value={provider}
              onChange={({ currentTarget: { value } }) => {
                setProvider(value);
                look(value, SECONDS);
              }}
            />
          )}
        </Group>
        <div aria-live="polite">
          {run.isPending && (
            <Text size="sm" c="dimmed">
              {run.progress === undefined
                ? t`Comparing all hosts`
                : t`${{ count: numberText(run.progress.done) }} hosts compared`}
            </Text>
          )}
          {run.isError && <Problem error={run.error} />}
          {run.data !== undefined && !run.isPending && (
            <Stack gap="xs">
              <Group gap="sm">
                <Text size="sm">{impactText(run.data, provider)}</Text>
                {!run.data.is_exact && (
                  <Button size="compact-xs" variant="default" onClick={() => look(provider)}>
                    <Trans>Compare all hosts</Trans>
                  </Button>
                )}
              </Group>
              <ImpactedHosts impact={run.data} />
            </Stack>
          )}
        </div>
      </Stack>
    </section>
  );
}
