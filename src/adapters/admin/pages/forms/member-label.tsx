import { Trans } from '@lingui/react/macro';
import { Badge, Text } from '@mantine/core';

interface MemberLabelProps {
  readonly title: string;
  readonly name: string;
  /** True if the effective value is not the default. */
  readonly differs?: boolean;
}

/** Shows the title of a member and, small after it, its key in documents. */
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
        // Kept out of the name of the field, which would otherwise change during typing.
        <Badge component="span" aria-hidden size="xs" variant="light" ml={6} tt="none" fw={400}>
          <Trans>not the default</Trans>
        </Badge>
      )}
    </>
  );
}
