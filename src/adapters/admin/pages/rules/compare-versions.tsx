import { Group, NativeSelect, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { Changes } from '../parts/changes.tsx';

interface CompareVersionsProps {
  readonly type: string;
  readonly rule: string;
  /** Numbers of those that can be compared, the newest first. */
  readonly versions: readonly number[];
}

/** What differs between any two versions of a rule. */
export function CompareVersions({ type, rule, versions }: CompareVersionsProps) {
  const [newest = 1, second = newest] = versions;
  const [from, setFrom] = useState<number>();
  const [to, setTo] = useState<number>();
  const chosen = { rule_type: type, rule, from: from ?? second, to: to ?? newest };
  const isAsked = from !== undefined || to !== undefined;
  const compared = useAnswer('rules/compare-versions', chosen, { enabled: isAsked && chosen.from !== chosen.to });
  const options = versions.map((version) => ({ value: String(version), label: `Version ${version}` }));
  return (
    <Paper withBorder p="sm" component="section" aria-label="Compare two versions">
      <Group gap="xs" align="flex-end" mb={isAsked ? 'xs' : 0}>
        <NativeSelect
          label="Compare"
          size="xs"
          data={options}
          value={String(chosen.from)}
          onChange={(event) => setFrom(Number(event.currentTarget.value))}
        />
        <NativeSelect
          label="with"
          size="xs"
          data={options}
          value={String(chosen.to)}
          onChange={(event) => setTo(Number(event.currentTarget.value))}
        />
      </Group>
      {isAsked &&
        (chosen.from === chosen.to ? (
          <Text size="sm" c="dimmed">
            Choose two different versions.
          </Text>
        ) : (
          <Answer of={compared}>
            {({ changes }) =>
              changes.length === 0 ? (
                <Text size="sm">Nothing that may be seen differs.</Text>
              ) : (
                <Changes
                  caption={`Differences of versions ${chosen.from} and ${chosen.to}`}
                  changes={changes}
                  columns={[`Version ${chosen.from}`, `Version ${chosen.to}`]}
                />
              )
            }
          </Answer>
        ))}
    </Paper>
  );
}
