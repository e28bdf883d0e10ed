import { Alert, Text } from '@mantine/core';
import { useAnswer } from '../calls/use-call.ts';
import { TextLink } from '../parts/links.tsx';
import { Command } from '../parts/value.tsx';

/** Which rules came from another installation and run nothing for what they match at first. */
export function CountedNote({ type }: { readonly type: string }) {
  const ids = useAnswer('rules/list-counted-rules', { rule_type: type }).data?.ids ?? [];
  const [first] = ids;
  if (first === undefined) return null;
  return (
    <Alert
      color="blue"
      title={ids.length === 1 ? '1 rule of another installation' : `${ids.length} rules of another installation`}
    >
      <Text size="sm">
        What {ids.length === 1 ? 'it matches' : 'they match'} when a pass evaluates {ids.length === 1 ? 'it' : 'them'}{' '}
        for the first time counts as fired, and nothing runs for that. <Command>muster playbook fire --dry-run</Command>{' '}
        names the rules and counts their matches before.{' '}
        <TextLink to="/rules/$type/$id" params={{ type, id: first }}>
          {ids.length === 1 ? 'See the rule' : 'See the first of them'}
        </TextLink>
      </Text>
    </Alert>
  );
}
