import { setTimeout as pause } from 'node:timers/promises';
import { faultyServer } from '../../../src/testing/faulty-server.ts';

interface Taken {
  readonly id: string;
  readonly title: string;
  /** When it came, and when the answer was sent, as `performance.now()`. */
  readonly at: number;
  readonly answeredAt: number;
}

/** A receiver of notifications that takes its time for each, so that senders are killed over it. */
export async function startPager() {
  const taken: Taken[] = [];
  const server = await faultyServer(async (response, { body }) => {
    const at = performance.now();
    await pause(50);
    const { id, title } = JSON.parse(body) as { id: string; title: string };
    response.writeHead(200).end();
    taken.push({ id, title, at, answeredAt: performance.now() });
  });
  return { url: server.address, taken, close: () => server.close() };
}

export type Pager = Awaited<ReturnType<typeof startPager>>;

/** Those that came again although no sender was killed over them. A sender notes shortly after the answer that it has sent. */
export function repeatedWithout(kills: readonly number[], taken: readonly Taken[]): string[] {
  const first = new Map<string, Taken>();
  const wrong: string[] = [];
  for (const each of taken) {
    const before = first.get(each.id);
    first.set(each.id, each);
    if (before === undefined) continue;
    if (!kills.some((kill) => kill > before.at && kill < each.at)) wrong.push(`${each.id} ${each.title}`);
  }
  return wrong;
}
