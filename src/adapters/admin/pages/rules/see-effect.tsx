import { plural, t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { type CallError, call } from '../calls/call.ts';
import { may, useSession } from '../calls/session.ts';
import { TextLink } from '../parts/links.tsx';

/** A message is read for a while and then gone; a count that comes later is not waited for. */
const MOST_MS = 10_000;

interface SeeEffectProps {
  /** When the rules were not changed yet. */
  readonly since: Date;
  /** The inventory whose rules they are. */
  readonly provider: string;
  /** The saved rule, whose failures are reported too. */
  readonly rule?: { readonly type: string; readonly id: string };
  /** Called when it is known to fail on hosts. */
  readonly onFailing?: () => void;
}

/** How many hosts an inventory serves differently since rules were changed, and the way to them. */
export function SeeEffect({ since, provider, rule, onFailing }: SeeEffectProps) {
  return (
    <>
      {rule !== undefined && <Failures {...rule} onFailing={onFailing} />}{' '}
      <Difference since={since} provider={provider} />
    </>
  );
}

/** Shows how many hosts a rule fails on, if any: it changes nothing on them. */
function Failures({
  type,
  id,
  onFailing,
}: NonNullable<SeeEffectProps['rule']> & { readonly onFailing: (() => void) | undefined }) {
  const session = useSession();
  const input = { rule_type: type, rule: id, seconds: MOST_MS / 1000, limit: 1 };
  const { data } = useQuery<OfferedOutput<'rules/failing-hosts'>, CallError>({
    queryKey: ['failures-of-saved-rule', input],
    enabled: may(session, 'rules/failing-hosts'),
    queryFn: ({ signal }) => call('rules/failing-hosts', input, signal),
    retry: false,
    staleTime: 0,
  });
  const isFailing = data !== undefined && data.failing > 0;
  useEffect(() => {
    if (isFailing) onFailing?.();
  }, [isFailing, onFailing]);
  if (!isFailing) return null;
  return (
    <Text span inherit c="red" fw={600} role="alert">
      {plural(data.failing, {
        one: 'It fails on # host, and changes nothing there.',
        other: 'It fails on # hosts, and changes nothing there.',
      })}
    </Text>
  );
}

function Difference({ since, provider }: Omit<SeeEffectProps, 'rule'>) {
  const from = `${since.toISOString().slice(0, 19)}Z`;
  const input = { provider, since: from, limit: 1 };
  const difference = useQuery<OfferedOutput<'inventory/compare-times'>, CallError>({
    queryKey: ['effect-of-rules', input],
    queryFn: ({ signal }) =>
      call('inventory/compare-times', input, AbortSignal.any([signal, AbortSignal.timeout(MOST_MS)])),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (difference.isPending) return t`Counting the hosts that are served differently…`;
  if (difference.data !== undefined && countOf(difference.data) === 0) return t`No host is served differently.`;
  return (
    <>
      {difference.data !== undefined &&
        plural(countOf(difference.data), {
          one: '# host is served differently.',
          other: '# hosts are served differently.',
        })}{' '}
      <TextLink inherit to="/inventory/$provider" params={{ provider }} search={{ since: from }}>
        {t`See what changes in the inventory`}
      </TextLink>
    </>
  );
}

function countOf({ added, removed, changed }: OfferedOutput<'inventory/compare-times'>): number {
  return added + removed + changed;
}
