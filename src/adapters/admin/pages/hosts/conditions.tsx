import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { IconX } from '@tabler/icons-react';

interface ConditionsProps {
  readonly conditions: readonly string[];
  readonly onChange: (conditions: readonly string[]) => void;
}

/** Shows the conditions of the search, each removable by itself. */
export function Conditions({ conditions, onChange }: ConditionsProps) {
  if (conditions.length === 0) return null;
  return (
    <Group component="ul" gap={6} m={0} p={0} aria-label={t`Conditions`} style={{ listStyle: 'none' }}>
      {conditions.map((condition) => (
        <li key={condition}>
          <Button
            variant="default"
            size="compact-sm"
            fw={400}
            maw={360}
            rightSection={<IconX size={14} aria-hidden />}
            aria-label={t`Remove ${condition}`}
            onClick={() => onChange(conditions.filter((other) => other !== condition))}
          >
            {condition}
          </Button>
        </li>
      ))}
      {conditions.length > 1 && (
        <li>
          <Button variant="subtle" size="compact-sm" onClick={() => onChange([])}>
            <Trans>Remove all</Trans>
          </Button>
        </li>
      )}
    </Group>
  );
}
