import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EvaluatedHost, HostScope, HostStore, TargetHost } from '../../ports/index.ts';
import type { ExportEvaluator } from './in-groups.ts';

const BATCH_SIZE = 250;
const NO_OUTCOMES: TargetHost['outcomes'] = {};

export interface HostsToExport {
  readonly hosts: Pick<HostStore, 'scan'>;
  readonly evaluator: ExportEvaluator;
  readonly scope: HostScope;
  readonly signal: AbortSignal;
}

/**
 * Yields the hosts to hand over: active hosts of the scope by hostname, as the rules make them, without those that a filter
 * removed. `onRead` receives the number of records read, including those; `onUndecided` receives each host that no filter could
 * decide on.
 */
export async function* evaluatedHosts(
  { hosts, evaluator, scope, signal }: HostsToExport,
  onRead: (count: number) => void = () => undefined,
  onUndecided: (hostname: string) => void = () => undefined,
): AsyncGenerator<readonly TargetHost[]> {
  for await (const records of hosts.scan({ scope, kind: 'hosts', state: 'active' }, BATCH_SIZE)) {
    signal.throwIfAborted();
    const evaluated = records.map((record) => evaluator.evaluate(record, 'export'));
    const batch = evaluated.flatMap(toTargetHost);
    for (const { hostname, undecided } of evaluated) if (undecided === true) onUndecided(hostname);
    onRead(records.length);
    if (batch.length > 0) yield batch;
    // A store and a target that never wait would block all other work.
    await nextTurn();
  }
}

function toTargetHost(evaluated: EvaluatedHost): readonly TargetHost[] {
  const { hostname, included, variables, expressions, groups, outcomes = NO_OUTCOMES } = evaluated;
  if (!included) return [];
  return [{ hostname, variables, groups, outcomes, ...(expressions === undefined ? {} : { expressions }) }];
}
