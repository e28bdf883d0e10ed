import { type Benchmark, timed } from './support/benchmark.ts';
import { hostnameOf, labelsOf } from './support/hosts.ts';
import { inTurn, type Kit } from './support/kit.ts';
import { leastMs } from './support/service.ts';

const ROUNDS = 3;
const HOSTS = 10_000;
const MANY = 100_000;
const REPEATS = 3;

interface Args {
  /** Empty for SQLite in the folder. */
  readonly url: string;
  readonly folder: string;
}

async function open({ url, folder }: Args) {
  const { openProduct } = await import('./support/product.ts');
  return openProduct({ folder, ...(url === '' ? {} : { config: { DATABASE_URL: url } }) });
}

/** The tables that the product would have. */
async function prepare(args: Args) {
  const { addBasics } = await import('./support/product.ts');
  const app = await open(args);
  await addBasics(app);
  await app.stop();
  return {};
}

async function raw({ url }: Args) {
  const { rawPostgresql } = await import('./support/raw-postgresql.ts');
  return rawPostgresql(url, HOSTS);
}

async function product(args: Args) {
  const { ACCOUNT, CALLER } = await import('./support/product.ts');
  const { saveHostsBulk } = await import('../src/app/hosts/operations/save-hosts-bulk.ts');
  const { listHosts } = await import('../src/app/hosts/operations/list-hosts.ts');
  const app = await open(args);
  const save = () =>
    timed(async () => {
      const objects = Array.from({ length: HOSTS }, (_, index) => ({
        hostname: hostnameOf(index),
        labels: labelsOf(index),
      }));
      const input = { kind: 'value' as const, value: { account: ACCOUNT, objects } };
      const { status } = await app.executor.value(saveHostsBulk, input, CALLER);
      if (status !== `saved ${HOSTS}`) throw new Error(status);
    });
  const first = await save();
  const again = await save();
  const page = await timed(async () => {
    const input = { kind: 'value' as const, value: { start: 0, limit: HOSTS } };
    for await (const chunk of (await app.executor.stream(listHosts, input, CALLER)).body)
      Buffer.byteLength(chunk as string);
  });
  await app.stop();
  return { first: first.ms, again: again.ms, page: page.ms };
}

async function fill(args: Args) {
  const { addHosts, addRules } = await import('./support/product.ts');
  const { fiftyRules } = await import('./support/fifty-rules.ts');
  const app = await open(args);
  await addHosts(app, MANY);
  await addRules(app, fiftyRules());
  await app.stop();
  return {};
}

async function render(args: Args) {
  const { CALLER } = await import('./support/product.ts');
  const { renderInventory } = await import('../src/app/inventory/operations/render-inventory.ts');
  const app = await open(args);
  let bytes = 0;
  const figures = await timed(async () => {
    const input = { kind: 'value' as const, value: { provider: 'automation' } };
    const answer = await app.executor.stream(renderInventory, input, CALLER);
    for await (const chunk of answer.body) bytes += Buffer.byteLength(chunk as string);
  });
  await app.stop();
  return { ...figures, bytes };
}

/** The first 50 hosts of searches: for a text that many hosts hold, that one near the end holds, and that none holds. */
async function search(args: Args) {
  const { CALLER } = await import('./support/product.ts');
  const { searchHosts } = await import('../src/app/search/operations/search-hosts.ts');
  const app = await open(args);
  const queries = {
    common: 'site:codfw os:linux',
    rare: `serial:SN${(MANY - 5) * 7919}`,
    nothing: 'nosuchword',
  };
  const figures: Record<string, number> = {};
  for (const [name, where] of Object.entries(queries)) {
    const input = { kind: 'value' as const, value: { where, limit: 50, inventory: false } };
    figures[name] = await leastMs(REPEATS, () => app.executor.value(searchHosts, input, CALLER));
  }
  await app.stop();
  return figures;
}

async function measure(kit: Kit): Promise<void> {
  const server = await kit.server('postgresql');
  const address = new URL(server);
  const { default: pg } = await import('pg');
  let databases = 0;
  const fresh = async (): Promise<Args> => {
    const name = `bench_${databases++}`;
    const client = new pg.Client({ connectionString: server, ssl: false });
    await client.connect();
    await client.query(`CREATE DATABASE ${name}`);
    await client.end();
    address.pathname = `/${name}`;
    const args = { url: `${address.href}?sslmode=disable`, folder: await kit.folder() };
    await kit.run('prepare', args);
    return args;
  };
  const writes = await inTurn(ROUNDS, {
    raw: async () => kit.run('raw', await fresh()),
    product: async () => kit.run('product', await fresh()),
  });
  const row = (what: string, name: string, target: number): void =>
    kit.row({ what, product: writes.product[name] ?? 0, floor: writes.raw[name] ?? 0, unit: 'ms', target });
  row('bulk of 10,000 hosts, first', 'first', 2);
  row('bulk of 10,000 hosts, unchanged', 'again', 1.7);
  row('page of 10,000 hosts', 'page', 1.4);

  const postgresql = await fresh();
  const sqlite = { url: '', folder: await kit.folder() };
  await kit.run('prepare', sqlite);
  for (const args of [postgresql, sqlite]) await kit.run('fill', args);
  // The server does so by itself within a minute or so; before, it sorts all hosts for each page.
  const client = new pg.Client({ connectionString: postgresql.url.split('?')[0] ?? '', ssl: false });
  await client.connect();
  await client.query('ANALYZE');
  await client.end();
  const renderings = await inTurn(ROUNDS, {
    sqlite: () => kit.run('render', sqlite),
    postgresql: () => kit.run('render', postgresql),
  });
  const { sqlite: floor, postgresql: render } = renderings;
  const rendered = (what: string, figure: 'ms' | 'cpuMs', target?: number): void =>
    kit.row({
      what,
      product: render[figure] ?? 0,
      floor: floor[figure] ?? 0,
      unit: 'ms',
      ...(target === undefined ? {} : { target }),
    });
  rendered('inventory of 100,000 hosts, beside that from SQLite', 'ms', 1.5);
  rendered('  processor time without the server, beside SQLite', 'cpuMs');
  for (const [name, found] of Object.entries(await kit.run('search', postgresql)))
    if (['common', 'rare', 'nothing'].includes(name))
      kit.row({ what: `first 50 of a search in 100,000 hosts: ${name}`, product: found, unit: 'ms', target: 100 });
}

export const benchmark: Benchmark = {
  title: 'PostgreSQL, on the server of the tests; floor: the same rows and indexes on the bare driver',
  sides: { prepare, raw, product, fill, render, search },
  measure,
};
