import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { OfferedOutput } from '../../offered-operations.ts';
import { type CallError, call } from '../calls/call.ts';

type Counted = OfferedOutput<'rules/count-hits'>;
export type RuleHits = Counted['rules'][number];

export interface Hits {
  /** `undefined` while nothing is known yet. */
  readonly counted: Omit<Counted, 'rules'> | undefined;
  readonly error: CallError | null;
  readonly isCounting: boolean;
  /** Continues the count if it stopped by itself because hosts or rules change too fast. */
  readonly goOn: () => void;
  readonly of: (rule: { readonly rule_type: string; readonly id: string }) => RuleHits | undefined;
}

const KEY = ['rules/count-hits'];
/** The first answer comes soon, the others when more is counted. */
const FIRST_SECONDS = 0.7;
const MORE_SECONDS = 2;
const PAUSE_MS = 300;

/** Returns the hits and failures of all rules, in one count that continues while the page is open. */
export function useHits(isWanted = true): Hits {
  const queries = useQueryClient();
  const query = useQuery<
    Counted & { readonly goesOn: boolean; readonly byRule: ReadonlyMap<string, RuleHits> },
    CallError
  >({
    queryKey: KEY,
    enabled: isWanted,
    async queryFn({ signal }) {
      const before = queries.getQueryData<Counted>(KEY);
      const isFirst = before === undefined || before.is_exact;
      const now = await call('rules/count-hits', { seconds: isFirst ? FIRST_SECONDS : MORE_SECONDS }, signal);
      return {
        ...now,
        goesOn: !now.is_exact && (isFirst || now.counted > before.counted),
        byRule: new Map(now.rules.map((rule) => [keyOf(rule), rule])),
      };
    },
    refetchInterval: ({ state }) => (state.data?.goesOn === true && state.error === null ? PAUSE_MS : false),
    refetchOnWindowFocus: false,
    staleTime: 30_000,
    structuralSharing: false,
    retry: false,
  });
  const { data, error, isFetching, refetch } = query;
  return {
    counted: data,
    error,
    isCounting: isFetching || data?.goesOn === true,
    goOn: () => void refetch(),
    of: (rule) => data?.byRule.get(keyOf(rule)),
  };
}

function keyOf({ rule_type, id }: { readonly rule_type: string; readonly id: string }): string {
  return `${rule_type} ${id}`;
}
