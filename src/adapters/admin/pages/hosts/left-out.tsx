import { plural } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { OfferedOutput } from '../../offered-operations.ts';
import { numberText } from '../language/numbers.ts';

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

interface NotFoundProps {
  readonly found: OfferedOutput<'search/search-hosts'>['not_found'];
}

/** Values of a list, such as pasted names, that no host has. If none has a host, nothing was found: other conditions may be the reason. */
export function NotFound({ found }: NotFoundProps) {
  if (found === undefined || found.values.length === found.of) return null;
  const names = found.values.join(', ');
  const count = numberText(found.values.length);
  return (
    <Text size="sm" role="status" mt="xs" className="wrap-anywhere">
      {plural(found.of, {
        one: `${count} of # value was not found: ${names}`,
        other: `${count} of # values were not found: ${names}`,
      })}
    </Text>
  );
}
