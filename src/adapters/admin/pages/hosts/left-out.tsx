import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';

/** Hosts that a search could not look at, which are neither found nor counted. */
export function LeftOut({ hosts = [] }: { readonly hosts: readonly string[] | undefined }) {
  if (hosts.length === 0) return null;
  const names = hosts.join(', ');
  return (
    <Text size="sm" role="status" mt="xs" className="wrap-anywhere">
      <Trans>Left out, because a text of theirs is too long for a pattern of the search: {names}</Trans>
    </Text>
  );
}
