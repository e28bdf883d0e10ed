import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, NativeSelect, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { Changes } from '../parts/changes.tsx';
import { pathWords } from '../parts/path-words.ts';

interface CompareVersionsProps {
  readonly type: string;
  readonly rule: string;
  /** Numbers of those that can be compared, the newest first. */
  readonly versions: readonly number[];
}

/** Shows the differences between any two versions of a rule. */
export function CompareVersions({ type, rule, versions }: CompareVersionsProps) {
  const [newest = 1, second = newest] = versions;
  const [from, setFrom] = useState<number>();
  const [to, setTo] = useState<number>();
  const chosen = { rule_type: type, rule, from: from ?? second, to: to ?? newest };
  const isAsked = from !== undefined || to !== undefined;
  const compared = useAnswer('rules/compare-versions', chosen, { enabled: isAsked && chosen.from !== chosen.to });
  const options = versions.map((version) => ({ value: String(version), label: t`Version ${version}` }));
  return (
    <Paper withBorder p="sm" component="section" aria-label={t`Compare two versions`}>
      <Group gap="xs" align="flex-end" mb={isAsked ? 'xs' : 0}>
        <NativeSelect
          label={t`Compare`}
          size="xs"
          data={options}
          value={String(chosen.from)}
          onChange={(event) => setFrom(Number(event.currentTarget.value))}
        />
        <NativeSelect
          label={t`with`}
          size="xs"
          data={options}
          value={String(chosen.to)}
          onChange={(event) => setTo(Number(event.currentTarget.value))}
        />
      </Group>
      {isAsked &&
        (chosen.from === chosen.to ? (
          <Text size="sm" c="dimmed">
            <Trans>Choose two different versions.</Trans>
          </Text>
        ) : (
          <Answer of={compared}>
            {({ changes }) =>
              changes.length === 0 ? (
                <Text size="sm">
                  <Trans>Nothing that may be seen differs.</Trans>
                </Text>
              ) : (
                <Changes
                  caption={t`Differences of versions ${{ from: chosen.from }} and ${{ to: chosen.to }}`}
                  changes={changes}
                  columns={[t`Version ${{ version: chosen.from }}`, t`Version ${{ version: chosen.to }}`]}
                  place={pathWords}
                />
              )
            }
          </Answer>
        ))}
    </Paper>
  );
}
