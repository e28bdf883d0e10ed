import type { Storage, Timings } from '../../ports/index.ts';

/** The parts of a storage that hold calls of their own. */
const PARTS = new Set<string | symbol>([
  'hosts',
  'relations',
  'marks',
  'history',
  'feed',
  'rules',
  'logs',
  'audit',
  'access',
  'sessions',
  'cron',
  'activeRuns',
  'outbox',
  'playbooks',
  'plans',
  'ownership',
  'published',
  'hostCounts',
  'transfer',
] satisfies (keyof Storage)[]);

/** The same storage; each call tells how long it took, and a reading how long each step of it took. */
export function timedStorage(storage: Storage, timings: Timings): Storage {
  const parts = new Map<unknown, unknown>();
  return timed(storage, 'storage', timings, (key, value) => {
    if (!PARTS.has(key)) return undefined;
    const part = parts.get(value) ?? timed(value as object, String(key), timings);
    parts.set(value, part);
    return part;
  });
}

type Method = (...values: readonly unknown[]) => unknown;

function timed<T extends object>(
  whole: T,
  part: string,
  timings: Timings,
  partOf: (key: string | symbol, value: unknown) => unknown = () => undefined,
): T {
  const known = new Map<unknown, Method>();
  return new Proxy(whole, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      const inner = partOf(key, value);
      if (inner !== undefined) return inner;
      if (typeof value !== 'function') return value;
      const wrapped = known.get(value) ?? timedMethod(target, value as Method, { part, name: String(key), timings });
      known.set(value, wrapped);
      return wrapped;
    },
  });
}

interface Timed {
  readonly part: string;
  readonly name: string;
  readonly timings: Timings;
}

function timedMethod(target: object, method: Method, { part, name, timings }: Timed): Method {
  const took = (from: number, failed: boolean): void => timings.took(part, name, performance.now() - from, failed);
  return (...values) => {
    const from = performance.now();
    const answer = method.apply(target, values as unknown[]);
    if (answer instanceof Promise) {
      answer.then(
        () => took(from, false),
        () => took(from, true),
      );
      return answer;
    }
    return isReading(answer) ? timedReading(answer, took) : answer;
  };
}

function isReading(answer: unknown): answer is AsyncIterable<unknown> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
}

async function* timedReading(
  reading: AsyncIterable<unknown>,
  took: (from: number, failed: boolean) => void,
): AsyncGenerator<unknown> {
  let from = performance.now();
  try {
    for await (const step of reading) {
      took(from, false);
      yield step;
      from = performance.now();
    }
  } catch (error) {
    took(from, true);
    throw error;
  }
}
