import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { type CallError, call } from '../calls/call.ts';

export type RuleFailure = OfferedOutput<'rules/rule-failures'>['failures'][number];

/** So many hosts are evaluated without being asked for. */
const CHEAP_HOSTS = 10_000;

export interface Failures {
  /** `undefined` while they are not known. */
  readonly list: readonly RuleFailure[] | undefined;
  readonly hosts: number;
  readonly isRunning: boolean;
  readonly error: CallError | null;
  /** Present when nobody looked yet, because there are many hosts. */
  readonly look: (() => void) | undefined;
}

/** What goes wrong when all rules run over all hosts. `hosts` is how many there are, `undefined` while that is not known. */
export function useRuleFailures(hosts: number | undefined): Failures {
  const [isWanted, setWanted] = useState(false);
  const isOn = hosts !== undefined && (isWanted || hosts <= CHEAP_HOSTS);
  const query = useQuery<OfferedOutput<'rules/rule-failures'>, CallError>({
    queryKey: ['rules/rule-failures', { every_project: true }],
    queryFn: () => call('rules/rule-failures', { every_project: true }),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
    enabled: isOn,
  });
  return {
    list: query.data?.failures,
    hosts: query.data?.hosts ?? hosts ?? 0,
    isRunning: query.isFetching,
    error: query.error,
    look: hosts === undefined || isOn || query.data !== undefined ? undefined : () => setWanted(true),
  };
}

export function failuresByRule(failures: Failures): ReadonlyMap<string, RuleFailure> {
  return new Map((failures.list ?? []).map((failure) => [`${failure.type} ${failure.id}`, failure]));
}
