import { Trans } from '@lingui/react/macro';
import { Alert, Text } from '@mantine/core';
import { IconArchive } from '@tabler/icons-react';
import { Words } from '../parts/words.tsx';
import type { RuleTypeInfo } from './rule-type.ts';

/** Explains what documents of a type that are only stored are waiting for. */
export function KeptNote({ type }: { readonly type: RuleTypeInfo }) {
  if (type.kept === null) return null;
  const reason = `they ${type.kept.reason}.`;
  return (
    <Alert color="yellow" icon={<IconArchive />} p="xs">
      <Text size="sm">
        <Trans>
          Documents of this type are stored without effect: <Words>{reason}</Words>
        </Trans>
      </Text>
    </Alert>
  );
}
