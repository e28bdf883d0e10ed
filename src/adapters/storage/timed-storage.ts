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
  'comments',
  'sessions',
  'cron',
  'activeRuns',
  'work',
  'outbox',
  'playbooks',
  'plans',
  'ownership',
  'published',
  'hostCounts',
  'transfer',
  'replica',
] satisfies (keyof Storage)[]);

/** The same storage, which reports the duration of each call, and of each step of a reading. */
export function timedStorage(storage: Storage, timings: Timings): Storage {
  return timed(storage, (key, value) => {
    if (PARTS.has(key) && value !== undefined) {
      const part = String(key);
      return timed(value as object, (name, member) => timedMember(value as object, member, { part, name, timings }));
    }
    return timedMember(storage, value, { part: 'storage', name: key, timings });
  });
}

type Method = (...values: readonly unknown[]) => unknown;

/** The same object, whose members are what `wrap` makes of them, once as long as they stay the same. */
function timed<T extends object>(whole: T, wrap: (key: string | symbol, value: unknown) => unknown): T {
  const known = new Map<string | symbol, { readonly value: unknown; readonly wrapped: unknown }>();
  return new Proxy(whole, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      const before = known.get(key);
      if (before !== undefined && before.value === value) return before.wrapped;
      const wrapped = wrap(key, value);
      known.set(key, { value, wrapped });
      return wrapped;
    },
  });
}

function timedMember(owner: object, member: unknown, timed: Timed): unknown {
  return typeof member === 'function' ? timedMethod(owner, member as Method, timed) : member;
}

interface Timed {
  readonly part: string;
  readonly name: string | symbol;
  readonly timings: Timings;
}

function timedMethod(target: object, method: Method, { part, name: key, timings }: Timed): Method {
  const name = String(key);
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
