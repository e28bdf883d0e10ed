import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, List, Loader, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { type CallError, call } from '../calls/call.ts';
import { may, useSession } from '../calls/session.ts';
import { HostLink } from '../hosts/host-link.tsx';
import { numberText } from '../language/numbers.ts';
import { Problem } from '../parts/problem.tsx';

/** Seconds of one request; its results are shown before the next. */
const SECONDS = 1.5;
/** Number of requests in a row without asking the user. */
const UNASKED = 20;
const SHOWN = 5;
const NAMED = 100;

interface FailingHostsProps {
  readonly type: string;
  readonly id: string;
  readonly version: number;
}

/** Shows the hosts that the rule fails on, as far as they were examined. */
export function FailingHosts({ type, id, version }: FailingHostsProps) {
  const session = useSession();
  const looks = useInfiniteQuery<Look, CallError>({
    queryKey: ['rules/failing-hosts', { rule_type: type, rule: id, version }],
    enabled: may(session, 'rules/failing-hosts'),
    initialPageParam: undefined,
    queryFn: ({ pageParam, signal }) => {
      const after = pageParam as string | undefined;
      const input = { rule_type: type, rule: id, seconds: SECONDS, limit: NAMED };
      return call('rules/failing-hosts', { ...input, ...(after === undefined ? {} : { after }) }, signal);
    },
    getNextPageParam: ({ next }) => next ?? undefined,
    retry: false,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
  const { data, hasNextPage, isFetching, fetchNextPage, error } = looks;
  const [allowed, setAllowed] = useState(UNASKED);
  const pages = data?.pages ?? [];
  const goesOn = hasNextPage && pages.length < allowed && error === null;
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);
  const [first] = pages;
  if (first === undefined) return error === null ? null : <Problem error={error} />;
  const found = {
    ...first,
    looked: pages.reduce((sum, { looked }) => sum + looked, 0),
    failing: pages.reduce((sum, { failing }) => sum + failing, 0),
    details: pages.flatMap(({ details }) => details),
    isWhole: !hasNextPage,
  };
  return (
    <div>
      <Found found={found} />
      {error !== null && <Problem error={error} />}
      {hasNextPage && (
        <Group gap="xs" mb="md">
          {goesOn && <Loader size="xs" aria-hidden />}
          <Progress looked={found.looked} hosts={found.hosts} />
          {!goesOn && (
            <Button size="compact-sm" variant="default" onClick={() => setAllowed(pages.length + UNASKED)}>
              <Trans>Go on</Trans>
            </Button>
          )}
        </Group>
      )}
    </div>
  );
}

type Look = OfferedOutput<'rules/failing-hosts'>;

function Progress({ looked, hosts }: { readonly looked: number; readonly hosts: number }) {
  const done = numberText(looked);
  const all = numberText(hosts);
  return (
    <Text size="sm" c="dimmed" role="status">
      <Trans>
        Looked for hosts that it fails on: {done} of {all}
      </Trans>
    </Text>
  );
}

interface FoundProps {
  readonly found: Look & { readonly isWhole: boolean };
}

function Found({ found }: FoundProps) {
  const { broken, failing, enabled, details, looked, isWhole } = found;
  const [isOpen, setOpen] = useState(false);
  const hosts = numberText(looked);
  if (broken !== null) {
    return (
      <Alert color="red" mb="md" title={t`It does not compile`}>
        <Text size="sm" className="wrap-anywhere">
          {broken}
        </Text>
      </Alert>
    );
  }
  if (failing === 0) {
    if (!isWhole) return null;
    return (
      <Text size="sm" c="dimmed" mb="md" role="status">
        {enabled ? t`No errors on ${hosts} hosts.` : t`There would be no errors on ${hosts} hosts.`}
      </Text>
    );
  }
  const shown = isOpen ? details : details.slice(0, SHOWN);
  const count = numberText(details.length);
  return (
    <Alert color={enabled ? 'red' : 'yellow'} mb="md" title={failsOn(found)}>
      <List size="sm" spacing={2}>
        {shown.map(({ hostname, error }) => (
          <List.Item key={hostname} className="wrap-anywhere">
            <HostLink hostname={hostname} />: {error}
          </List.Item>
        ))}
      </List>
      {details.length > shown.length && (
        <Button size="compact-xs" variant="subtle" onClick={() => setOpen(true)}>
          {failing > details.length ? t`Show the first ${count}` : t`Show all ${count}`}
        </Button>
      )}
      <Text size="sm" mt={4}>
        <Trans>Try the rule on one of them below to see what it does there.</Trans>
      </Text>
    </Alert>
  );
}

function failsOn({ failing, enabled, looked, hosts, isWhole }: FoundProps['found']): string {
  const done = numberText(looked);
  const all = numberText(hosts);
  const of = isWhole ? done : t`the first ${done} of ${all}`;
  return enabled
    ? plural(failing, { one: `It fails on # of ${of} hosts`, other: `It fails on # of ${of} hosts` })
    : plural(failing, {
        one: `It would fail on # of ${of} hosts if it were enabled`,
        other: `It would fail on # of ${of} hosts if it were enabled`,
      });
}
