import type { EvaluatedHost, HostEvaluator, HostRecord } from '../../ports/index.ts';

const BATCH_SIZE = 250;

export type Evaluation = Pick<HostEvaluator, 'rowNames' | 'evaluate' | 'evaluateRow'>;

/**
 * Stored hosts, by name, with the hosts that rules make of pasted lists where they belong. One of a list takes the place of a
 * stored one of its name: consumers that read the whole inventory have always got that one.
 */
export async function* withRows(
  hosts: AsyncIterable<readonly HostRecord[]>,
  evaluator: Evaluation,
): AsyncGenerator<readonly EvaluatedHost[]> {
  const names = evaluator.rowNames;
  const own = new Set(names);
  let next = 0;
  for await (const batch of hosts) {
    const evaluated: EvaluatedHost[] = [];
    for (const host of batch) {
      for (; next < names.length && isBefore(names[next]!, host.hostname); next++) add(names[next]!, evaluated);
      if (!own.has(host.hostname)) evaluated.push(evaluator.evaluate(host));
    }
    yield evaluated;
  }
  while (next < names.length) {
    const rest: EvaluatedHost[] = [];
    for (const end = Math.min(next + BATCH_SIZE, names.length); next < end; next++) add(names[next]!, rest);
    yield rest;
  }

  function add(name: string, to: EvaluatedHost[]): void {
    const host = evaluator.evaluateRow(name);
    if (host !== undefined) to.push(host);
  }
}

/** Both come in byte order; a row of the host's own name goes first, in its place. */
function isBefore(name: string, hostname: string): boolean {
  return name === hostname || Buffer.compare(Buffer.from(name), Buffer.from(hostname)) < 0;
}
