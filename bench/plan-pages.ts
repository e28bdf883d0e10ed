import type { App } from '../src/main/compose.ts';
import type { PlanEntry } from '../src/ports/index.ts';
import type { Benchmark } from './support/benchmark.ts';
import { hostnameOf } from './support/hosts.ts';
import type { Kit } from './support/kit.ts';

const ENTRIES = 100_000;
const BATCH = 1_000;
const ROUNDS = 5;
const PLAN = '0123456789abcdef01234567';
/** Room for a slow server. */
const LEASE_MS = 10 * 60_000;

interface Args {
  readonly folder: string;
  /** Of a MongoDB database; empty: SQLite. */
  readonly url: string;
}

async function open({ url, folder }: Args): Promise<App> {
  const { openProduct } = await import('./support/product.ts');
  return openProduct({ folder, ...(url === '' ? {} : { config: { DATABASE_URL: url } }) });
}

function entryOf(index: number): PlanEntry {
  const hostname = hostnameOf(index);
  const fields = ['os', 'site', 'owner', 'serial'].map((name) => {
    return { name, before: `${name} ${index}`, after: `${name} ${index + 1}` };
  });
  return {
    number: index + 1,
    action: 'update',
    kind: 'device',
    key: hostname,
    previousKey: null,
    hostname,
    rule: null,
    drift: false,
    fields,
    after: [],
    remote: { id: `${index}`, etag: null, digest: 'x' },
    digest: 'y',
    secrets: '',
    outcome: null,
    reason: '',
  };
}

/** A plan that changes 100,000 objects. */
async function prepare(args: Args) {
  const { ACCOUNT, addBasics } = await import('./support/product.ts');
  const { NO_PLAN_COUNTS } = await import('../src/ports/index.ts');
  const app = await open(args);
  await addBasics(app);
  const { plans } = app.services.storage;
  const account = await app.services.accounts.byName(ACCOUNT);
  const madeAt = new Date();
  await plans.begin({
    id: PLAN,
    accountId: account?.id ?? '',
    account: ACCOUNT,
    madeBy: 'bench',
    madeAt,
    basis: { hosts: 0, rules: '' },
    holder: 'bench',
    leaseMs: LEASE_MS,
    isExclusive: false,
  });
  for (let from = 0; from < ENTRIES; from += BATCH) {
    const entries = Array.from({ length: BATCH }, (_, index) => entryOf(from + index));
    if (!(await plans.append({ id: PLAN, entries, leaseMs: LEASE_MS }))) throw new Error('the plan is gone');
  }
  const counts = { ...NO_PLAN_COUNTS, update: ENTRIES };
  await plans.settle({ id: PLAN, status: 'ready', counts, drift: 0, needsApproval: false, message: '' });
  await app.stop();
  return {};
}

/** Each page as the operation answers it, the least of some. */
async function read(args: Args) {
  const { CALLER } = await import('./support/product.ts');
  const { showPlan } = await import('../src/app/exports/plans/operations/show-plan.ts');
  const app = await open(args);
  const page = async (more: object, expected: number): Promise<number> => {
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now();
      const { entries } = await app.executor.value(showPlan, { kind: 'value', value: { plan: PLAN, ...more } }, CALLER);
      least = Math.min(least, performance.now() - start);
      if (entries.length !== expected) throw new Error(`${entries.length} changes, not ${expected}`);
    }
    return least;
  };
  const figures = {
    first: await page({}, 100),
    deep: await page({ after: 90_000 }, 100),
    text: await page({ text: 'no host is called so' }, 0),
    kind: await page({ kind: 'site' }, 0),
    outcome: await page({ outcome: 'done' }, 0),
  };
  await app.stop();
  return figures;
}

/** The same pages by one `find` of the bare driver each, for what the server itself takes. */
async function bare({ url }: Args) {
  const { findPlanEntries } = await import('./support/raw-mongodb.ts');
  const text = { $regex: 'no host is called so' };
  return findPlanEntries(url, {
    first: { plan: PLAN, number: { $gt: 0 } },
    deep: { plan: PLAN, number: { $gt: 90_000 } },
    text: { plan: PLAN, number: { $gt: 0 }, $or: [{ key: text }, { previousKey: text }, { hostname: text }] },
    kind: { plan: PLAN, number: { $gt: 0 }, kind: 'site' },
    outcome: { plan: PLAN, number: { $gt: 0 }, outcome: 'done' },
  });
}

async function measure(kit: Kit): Promise<void> {
  const url = new URL(await kit.server('mongodb'));
  url.pathname = `/bench_plans_${process.pid}`;
  for (const [store, database] of [
    ['SQLite', ''],
    ['MongoDB', url.href],
  ] as const) {
    const args = { folder: await kit.folder(), url: database };
    await kit.run('prepare', args);
    const found = await kit.run('read', args);
    const plain = database === '' ? {} : await kit.run('bare', args);
    const row = (what: string, name: string): void => {
      const bareMs = plain[name];
      const note = bareMs === undefined ? {} : { note: `one find of the bare driver: ${bareMs.toFixed(0)} ms` };
      kit.row({ what: `${store}: ${what}`, product: found[name] ?? Number.NaN, unit: 'ms', target: 200, ...note });
    };
    row('first 100 of 100,000 changes', 'first');
    row('those behind 90,000', 'deep');
    row('a text that none has', 'text');
    row('a kind that none has', 'kind');
    row('an outcome that none has', 'outcome');
  }
}

export const benchmark: Benchmark = {
  title: 'pages of a plan with 100,000 changes, on both stores',
  sides: { prepare, read, bare },
  measure,
};
