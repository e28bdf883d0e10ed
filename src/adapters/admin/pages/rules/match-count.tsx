import { plural, t } from '@lingui/core/macro';
import { Alert, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { JsonObject } from '../../../../ports/index.ts';
import type { OfferedOutput } from '../../offered-operations.ts';
import { type CallError, call } from '../calls/call.ts';
import { may, useSession } from '../calls/session.ts';
import { numberText } from '../language/numbers.ts';
import { providerOf, useKnownProjects } from './projects.ts';
import type { RuleTypeInfo } from './rule-type.ts';
import { noHostHas } from './unchanged.tsx';
import type { RuleDraft } from './use-draft.ts';

interface MatchCountProps {
  readonly type: RuleTypeInfo;
  readonly draft: RuleDraft;
}

/** Shows the number of hosts that a rule hits in its present form, while it is written. */
export function MatchCount({ type, draft }: MatchCountProps) {
  const session = useSession();
  const projects = useKnownProjects();
  const project = providerOf(type, draft.document, projects);
  // A rule without a name hits the same hosts.
  const written = JSON.stringify({ ...draft.document, name: draft.document.name || t`New rule` });
  const [document] = useDebouncedValue(written, 300);
  const isAsked = draft.textError === undefined && projects !== undefined && may(session, 'rules/count-matches');
  const looks = useInfiniteQuery<Counted, CallError>({
    queryKey: ['rules/count-matches', type.id, document, project],
    enabled: isAsked,
    initialPageParam: undefined,
    // A stretch of the hosts at a time, so that other previews get their turn. An outdated request is cancelled.
    queryFn: ({ pageParam, signal }) => {
      const after = pageParam as string | undefined;
      const input = { rule_type: type.id, document: JSON.parse(document) as JsonObject, project, seconds: SECONDS };
      return call('rules/count-matches', { ...input, ...(after !== undefined && { after }) }, signal);
    },
    getNextPageParam: ({ next }) => next ?? undefined,
    // The previous count stays until then.
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 30_000,
    refetchOnWindowFocus: false,
  });
  const { data, error, hasNextPage, isFetching, isPlaceholderData, fetchNextPage } = looks;
  const isOld = document !== written || isPlaceholderData;
  const goesOn = hasNextPage && !isOld && error === null;
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);
  const counted = data === undefined ? undefined : together(data.pages);
  if (error !== null && !isOld) {
    return (
      <Text size="sm" c="dimmed" aria-live="polite">
        {t`Hosts cannot be counted yet: ${{ reason: error.message }}`}
      </Text>
    );
  }
  return (
    <Stack gap={4} aria-live="polite" opacity={isOld ? 0.6 : 1}>
      <Text size="sm" fw={500}>
        {counted === undefined ? t`Counting hosts…` : sentence(counted)}
        {counted !== undefined && (isOld || goesOn) && ' …'}
      </Text>
      {counted !== undefined && counted.failing > 0 && <Failing counted={counted} />}
      {counted !== undefined && counted.unfinished_outcomes > 0 && (
        <Text size="xs" c="dimmed">
          {plural(
            { count: counted.unfinished_outcomes },
            {
              one: '# outcome is not complete yet.',
              other: '# outcomes are not complete yet.',
            },
          )}
        </Text>
      )}
    </Stack>
  );
}

/** Longest time for one stretch of the hosts, so that a count appears within a second. */
const SECONDS = 0.5;

type Counted = OfferedOutput<'rules/count-matches'>;

/** Combines the counts of all stretches. */
function together(stretches: readonly Counted[]): Counted | undefined {
  const [first] = stretches;
  const last = stretches.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const sum = (of: (stretch: Counted) => number) => stretches.reduce((so, stretch) => so + of(stretch), 0);
  return {
    ...(stretches.findLast(({ failing }) => failing > 0) ?? last),
    matches: sum(({ matches }) => matches),
    failing: sum(({ failing }) => failing),
    looked: sum(({ looked }) => looked),
    passed: sum(({ passed }) => passed),
    unknown_attributes: first.unknown_attributes.filter((name) =>
      stretches.every(({ unknown_attributes: unknown }) => unknown.includes(name)),
    ),
    is_exact: last.next === null,
  };
}

function Failing({ counted }: { readonly counted: Counted }) {
  const { failing, last_error: error, last_hostname: hostname } = counted;
  return (
    <Alert
      color="red"
      p="xs"
      icon={<IconAlertTriangle />}
      title={plural(failing, { one: 'It fails on # host', other: 'It fails on # hosts' })}
    >
      <Text size="sm" className="wrap-anywhere">
        {hostname === '' ? error : t`${hostname}: ${error}`}
      </Text>
    </Alert>
  );
}

function sentence(counted: Counted): string {
  const { passed, unknown_attributes: unknown } = counted;
  const parts = [hitsText(counted)];
  if (passed > 0) {
    parts.push(
      plural(passed, {
        one: '# never reaches it, since rules before it end there',
        other: '# never reach it, since rules before it end there',
      }),
    );
  }
  if (unknown.length > 0) parts.push(noHostHas(unknown));
  return parts.join('; ');
}

/** Zero is only certain once all hosts were examined. */
function hitsText({ matches, looked, hosts, is_exact: isExact }: Counted): string {
  const found = numberText(matches);
  const all = numberText(hosts);
  const some = numberText(looked);
  if (isExact) return matches === 0 ? t`Matches none of ${all} hosts` : t`Matches ${found} of ${all} hosts`;
  return matches === 0
    ? t`Matches none of the ${some} hosts looked at so far, of ${all}`
    : t`Matches at least ${found} hosts (${some} of ${all} looked at so far)`;
}
