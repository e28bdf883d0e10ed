import type { Kit } from './kit.ts';

/** What a side measured of itself, in the unit of its name, beside what the kit measures of its process. */
export type Figures = Readonly<Record<string, number>>;

/** One job, run in a process of its own. `args` is what the benchmark gave to `Kit.run`. */
export type Side = (args: never) => Promise<Figures>;

export interface Benchmark {
  readonly title: string;
  readonly sides: Readonly<Record<string, Side>>;
  measure(kit: Kit): Promise<void>;
}

/** Milliseconds that some work took, on the clock and of all threads of this process. */
export async function timed(work: () => unknown): Promise<{ ms: number; cpuMs: number }> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await work();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpuMs: (user + system) / 1000 };
}
