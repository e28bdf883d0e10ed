import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { OfferedOutput } from '../../offered-operations.ts';
import { type CallError, call } from '../calls/call.ts';
import { HostLink } from '../hosts/host-link.tsx';
import { numberText } from '../language/numbers.ts';
import type { Trial } from './trial.ts';

type Answered = OfferedOutput<'rules/explain-no-change'>;

/** Explains why no host changes: the rule hits none, or its effect is not visible. */
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
        <Trans>Looking why…</Trans>
      </Text>
    );
  }
  const { matches, hosts, is_exact, unknown_attributes: unknown, reasons } = why.data;
  if (matches === 0) {
    const none = is_exact
      ? t`The rule matches none of ${plural(hosts, { one: '# host', other: '# hosts' })}`
      : t`The rule matches none of the first ${plural(hosts, { one: '# host', other: '# hosts' })}`;
    return (
      <Text size="sm">
        {unknown.length === 0
          ? `${none}; ${t`look at its conditions, and at the rules before it`}.`
          : `${none}: ${noHostHas(unknown)}.`}
      </Text>
    );
  }
  const found = numberText(matches);
  const hits = is_exact
    ? t`The rule hits ${found} of ${plural(hosts, { one: '# host', other: '# hosts' })}.`
    : t`The rule hits ${found} of the first ${plural(hosts, { one: '# host', other: '# hosts' })}.`;
  return (
    <>
      <Text size="sm">
        {hits} {reasons.length > 0 && t`Nothing changes because`}
      </Text>
      <List size="sm">
        {reasons.map(({ text, hosts: affected, first }) => (
          <List.Item key={text} className="wrap-anywhere">
            {text} (
            {affected === 1 ? (
              <HostLink hostname={first} />
            ) : (
              <Trans>
                <Plural value={affected} one="# host" other="# hosts" />, such as <HostLink hostname={first} />
              </Trans>
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
  const names = attributes.join(', ');
  return plural(
    { count: attributes.length },
    {
      one: `the attribute ${names} is on no host`,
      other: `the attributes ${names} are on no host`,
    },
  );
}
