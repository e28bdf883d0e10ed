import { Trans } from '@lingui/react/macro';
import { Badge, Text } from '@mantine/core';

interface MemberLabelProps {
  readonly title: string;
  readonly name: string;
  /** Whether something else counts than where nothing is set. */
  readonly differs?: boolean;
}

/** What a member is called in words, and small behind it the key that documents have for it. */
export function MemberLabel({ title, name, differs = false }: MemberLabelProps) {
  const isNamed = title !== '' && title !== name;
  if (!isNamed && !differs) return name;
  return (
    <>
      {isNamed ? title : name}{' '}
      {isNamed && (
        <Text span inherit fz="0.85em" fw={400} c="dimmed" ff="monospace">
          {name}
        </Text>
      )}
      {differs && (
        // No part of the name of the field, which would change while somebody types.
        <Badge component="span" aria-hidden size="xs" variant="light" ml={6} tt="none" fw={400}>
          <Trans>not the default</Trans>
        </Badge>
      )}
    </>
  );
}
