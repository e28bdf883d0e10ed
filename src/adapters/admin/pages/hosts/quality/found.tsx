import { Text } from '@mantine/core';
import { numberText } from '../../language/numbers.ts';
import { TextLink } from '../../parts/links.tsx';

interface FoundProps {
  readonly of: { readonly hosts: number; readonly where: string };
  /** How many hosts it is and which, for screen readers. */
  readonly label: (count: number) => string;
}

/** A number that leads to the hosts that it counts. */
export function Found({ of: { hosts, where }, label }: FoundProps) {
  if (hosts === 0) {
    return (
      <Text span inherit c="dimmed">
        0
      </Text>
    );
  }
  return (
    <TextLink inherit to="/hosts" search={{ where, kind: 'hosts' }} aria-label={label(hosts)}>
      {numberText(hosts)}
    </TextLink>
  );
}
