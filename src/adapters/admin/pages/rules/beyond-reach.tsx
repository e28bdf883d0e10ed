import { Trans } from '@lingui/react/macro';
import { Alert, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { RuleTypeInfo } from './rule-type.ts';

/** For restricted users: explains why documents of the type are read-only. */
export function BeyondReach({ type }: { readonly type: RuleTypeInfo }) {
  const { refusal } = type;
  if (refusal === null) return null;
  return (
    <Alert color="gray" icon={<IconLock />} p="xs" mb="sm">
      <Text size="sm">
        <Trans>You can look at these rules, and not change them. {refusal}.</Trans>
      </Text>
    </Alert>
  );
}
