import type { Benchmark } from './benchmark.ts';

/** Every benchmark by name, loaded when it is run: a floor must not pay for what it does not use. */
export const BENCHMARKS: Readonly<Record<string, () => Promise<{ readonly benchmark: Benchmark }>>> = {
  import: () => import('../import.ts'),
  sql: () => import('../sql.ts'),
  inventory: () => import('../inventory.ts'),
  responsive: () => import('../responsive.ts'),
  'at-once': () => import('../at-once.ts'),
  'cold-start': () => import('../cold-start.ts'),
  bulk: () => import('../bulk.ts'),
  reads: () => import('../reads.ts'),
  paging: () => import('../paging.ts'),
  rules: () => import('../rules.ts'),
  'many-rules': () => import('../many-rules.ts'),
  rest: () => import('../rest.ts'),
  plan: () => import('../plan.ts'),
  'plan-pages': () => import('../plan-pages.ts'),
  'plan-memory': () => import('../plan-memory.ts'),
  netbox: () => import('../netbox.ts'),
  'netbox-real': () => import('../netbox-real.ts'),
  'netbox-real-read': () => import('../netbox-real-read.ts'),
  search: () => import('../search.ts'),
  pages: () => import('../pages.ts'),
  kept: () => import('../kept.ts'),
  million: () => import('../million.ts'),
  load: () => import('../load.ts'),
  mongodb: () => import('../mongodb.ts'),
};
