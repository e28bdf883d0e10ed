import type { Benchmark } from './support/benchmark.ts';

export const benchmark: Benchmark = { title: '', sides: {}, measure: async () => undefined };
