import type { Benchmark } from './support/benchmark.ts';
import type { Kit } from './support/kit.ts';
import { leastMs, percentile } from './support/service.ts';

const HOSTS = 1_000_000;
const DEEP = 900_000;
const REPEATS = 30;

interface Args {
  readonly folder: string;
}

/** A million hosts of three labels, put straight into the tables; the counters are repaired as `muster storage check --fix` does. */
async function prepare({ folder }: Args) {
  const { ACCOUNT, addBasics, addHosts, openProduct } = await import('./support/product.ts');
  const { default: Database } = await import('better-sqlite3');
  const app = await openProduct({ folder });
  await addBasics(app);
  await addHosts(app, 1);
  const account = await app.services.accounts.byName(ACCOUNT);
  const database = new Database(`${folder}/muster.db`);
  database.pragma('synchronous = OFF');
  database.transaction(() => {
    database
      .prepare(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO hosts (hostname, account_id, is_object, object_type, created_at, created_kind, created_by, last_update, labels)
         SELECT printf('node%07d.example.org', i), ?, 0, 'host', ?, 'account', 'bench', ?,
         json_object('site', 'codfw', 'rack', 'R' || (i % 200), 'serial', 'SN' || i) FROM n`,
      )
      .run(HOSTS - 1, account?.id, Date.now(), Date.now());
    database
      .prepare('INSERT OR IGNORE INTO host_marks (id, last_seen) SELECT id, ? - (id % 5000) * 60000 FROM hosts')
      .run(Date.now());
  })();
  database.close();
  for await (const problem of app.services.storage.check({ fix: true })) void problem;
  await app.stop();
  return {};
}

async function read({ folder }: Args) {
  const { CALLER, openProduct } = await import('./support/product.ts');
  const { listHosts } = await import('../src/app/hosts/operations/list-hosts.ts');
  const { hostCounters } = await import('../src/app/hosts/operations/host-counters.ts');
  const app = await openProduct({ folder });
  const page = (value: object) => async (): Promise<number> => {
    const answer = await app.executor.stream(listHosts, { kind: 'value', value }, CALLER);
    let length = 0;
    for await (const chunk of answer.body) length += chunk.length;
    if (length < 10_000) throw new Error(`a page of ${length} characters`);
    return length;
  };
  const figures = {
    first: await leastMs(REPEATS, page({ start: 0, limit: 100 })),
    deep: await leastMs(REPEATS, page({ start: DEEP, limit: 100 })),
    linked: await leastMs(REPEATS, page({ start: DEEP, limit: 100, after: 'node0900000.example.org' })),
    counters: await leastMs(REPEATS, () => app.executor.value(hostCounters, { kind: 'value', value: {} }, CALLER)),
  };
  await app.stop();
  return figures;
}

async function byHand({ folder }: Args) {
  const { default: Database } = await import('better-sqlite3');
  const database = new Database(`${folder}/muster.db`, { readonly: true });
  const page = database.prepare(
    'SELECT hostname, labels FROM hosts WHERE archived_at IS NULL AND is_object = 0 ORDER BY hostname LIMIT 100 OFFSET ?',
  );
  const count = database.prepare('SELECT count(*) FROM hosts WHERE archived_at IS NULL AND is_object = 0');
  const least = (work: () => unknown): number => {
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now();
      work();
      return performance.now() - start;
    });
    return percentile(times, 0);
  };
  return { first: least(() => page.all(0)), deep: least(() => page.all(DEEP)), counters: least(() => count.get()) };
}

async function measure(kit: Kit): Promise<void> {
  const folder = await kit.folder();
  await kit.run('prepare', { folder });
  const plain = await kit.run('byHand', { folder });
  const { first = 0, deep = 0, linked = 0, counters = 0 } = await kit.run('read', { folder });
  const hand = (name: string): string => `plain SQL: ${plain[name]?.toFixed(1)} ms`;
  kit.row({ what: 'first page of 100', product: first, unit: 'ms', note: hand('first') });
  kit.row({
    what: 'page at 900,000, beside the first',
    product: deep,
    floor: first,
    unit: 'ms',
    target: 5,
    note: hand('deep'),
  });
  kit.row({ what: 'the same by _links.next, beside the first', product: linked, floor: first, unit: 'ms', target: 5 });
  kit.row({ what: 'counters', product: counters, unit: 'ms', target: 50, note: hand('counters') });
}

export const benchmark: Benchmark = {
  title: 'pages and counters of 1,000,000 hosts',
  sides: { prepare, read, byHand },
  measure,
};
