import { Text } from '@mantine/core';
import { numberText } from '../../language/numbers.ts';
import { TextLink } from '../../parts/links.tsx';

interface FoundProps {
  readonly of: { readonly hosts: number; readonly where: string };
  /** What the hosts are, for screen readers. */
  readonly what: string;
}

/** A number that leads to the hosts that it counts. */
export function Found({ of: { hosts, where }, what }: FoundProps) {
  const number = numberText(hosts);
  if (hosts === 0) {
    return (
      <Text span inherit c="dimmed">
        0
      </Text>
    );
  }
  return (
    <TextLink inherit to="/hosts" search={{ where, kind: 'hosts' }} aria-label={`${number} ${what}`}>
      {number}
    </TextLink>
  );
}
