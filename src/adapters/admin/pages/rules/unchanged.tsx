import { List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { counted } from '../../../../app/words/amounts.ts';
import type { OfferedOutput } from '../../offered-operations.ts';
import { type CallError, call } from '../calls/call.ts';
import { HostLink } from '../hosts/host-link.tsx';
import type { Trial } from './trial.ts';

type Answered = OfferedOutput<'rules/explain-no-change'>;

/** Why no host changes: the rule hits none, or what it does is not seen. */
export function Unchanged({ trial: { type, document, provider } }: { readonly trial: Trial }) {
  const input = { rule_type: type.id, document, project: provider };
  const why = useQuery<Answered, CallError>({
    queryKey: ['rules/explain-no-change', JSON.stringify(input)],
    queryFn: ({ signal }) => call('rules/explain-no-change', input, signal),
    retry: false,
    staleTime: 30_000,
  });
  if (why.isError) return null;
  if (why.data === undefined) {
    return (
      <Text size="sm" c="dimmed">
        Looking why…
      </Text>
    );
  }
  const { matches, hosts, is_exact, unknown_attributes: unknown, reasons } = why.data;
  const looked = is_exact ? counted(hosts, 'host') : `the first ${counted(hosts, 'host')}`;
  if (matches === 0) {
    return (
      <Text size="sm">
        The rule matches none of {looked}
        {unknown.length === 0 ? '; look at its conditions, and at the rules before it' : `: ${noHostHas(unknown)}`}.
      </Text>
    );
  }
  return (
    <>
      <Text size="sm">
        The rule hits {matches.toLocaleString('en')} of {looked}. {reasons.length > 0 && 'Nothing changes because'}
      </Text>
      <List size="sm">
        {reasons.map(({ text, hosts: affected, first }) => (
          <List.Item key={text} className="wrap-anywhere">
            {text} (
            {affected === 1 ? (
              <HostLink hostname={first} />
            ) : (
              <>
                {counted(affected, 'host')}, such as <HostLink hostname={first} />
              </>
            )}
            )
          </List.Item>
        ))}
      </List>
    </>
  );
}

/** `attribute sitee is on no host`. */
export function noHostHas(attributes: readonly string[]): string {
  return attributes.length === 1
    ? `the attribute ${attributes[0]} is on no host`
    : `the attributes ${attributes.join(', ')} are on no host`;
}
