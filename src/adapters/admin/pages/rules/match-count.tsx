import { plural, t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
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

type Counted = OfferedOutput<'rules/count-matches'>;

/** How many hosts the rule hits as it stands here, while it is written. */
export function MatchCount({ type, draft }: MatchCountProps) {
  const session = useSession();
  const projects = useKnownProjects();
  const project = providerOf(type, draft.document, projects);
  // One that has no name yet hits the same hosts.
  const written = JSON.stringify({ ...draft.document, name: draft.document.name || t`New rule` });
  const [document] = useDebouncedValue(written, 600);
  const input = { rule_type: type.id, document: JSON.parse(document) as JsonObject, project };
  const counted = useQuery<Counted, CallError>({
    queryKey: ['rules/count-matches', type.id, document, project],
    // What is asked for no longer is not waited for either: the service stops counting.
    queryFn: ({ signal }) => call('rules/count-matches', input, signal),
    enabled: draft.textError === undefined && projects !== undefined && may(session, 'rules/count-matches'),
    retry: false,
    staleTime: 30_000,
  });
  return (
    <Text size="sm" c="dimmed" aria-live="polite" mih="1.5em">
      {counted.isFetching || document !== written
        ? t`Counting hosts…`
        : counted.data !== undefined
          ? sentence(counted.data)
          : ''}
    </Text>
  );
}

function sentence({ matches, looked, hosts, is_exact: isExact, passed, unknown_attributes: unknown }: Counted): string {
  const found = numberText(matches);
  const counted = numberText(looked);
  const all = numberText(hosts);
  const parts = [
    isExact ? t`Matches ${found} of ${counted} hosts` : t`Matches ${found} of ${counted} hosts, the first of ${all}`,
  ];
  if (passed > 0) {
    parts.push(
      plural(passed, {
        one: '# never reach it, since rules before it end there',
        other: '# never reach it, since rules before it end there',
      }),
    );
  }
  if (unknown.length > 0) parts.push(noHostHas(unknown));
  return parts.join('; ');
}
