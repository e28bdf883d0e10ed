import { type Benchmark, timed } from './support/benchmark.ts';
import { hostnameOf, labelsOf } from './support/hosts.ts';
import { inTurn, type Kit } from './support/kit.ts';

/** The server of the tests takes half a millisecond a write and more: once must do, to end within two minutes or so. */
const WRITE_ROUNDS = 1;
const ROUNDS = 2;
const HOSTS = 10_000;
const RENDERED = 100_000;

interface Args {
  /** With the name of the database. */
  readonly url: string;
  readonly folder: string;
}

async function open({ url, folder }: Args) {
  const { openProduct } = await import('./support/product.ts');
  return openProduct({ folder, ...(url === '' ? {} : { config: { DATABASE_URL: url } }) });
}

/** The collection and indexes that the product would have. */
async function prepare(args: Args) {
  const { addBasics } = await import('./support/product.ts');
  const app = await open(args);
  await addBasics(app);
  await app.stop();
  return {};
}

async function raw({ url }: Args) {
  const { rawMongodb } = await import('./support/raw-mongodb.ts');
  return rawMongodb(url, HOSTS);
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
  await addHosts(app, RENDERED);
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

/** Reads what a rendering reads and does nothing with it. */
async function read({ url }: Args) {
  const { readAllHosts } = await import('./support/raw-mongodb.ts');
  return readAllHosts(url, RENDERED);
}

async function measure(kit: Kit): Promise<void> {
  const server = await kit.server('mongodb');
  let databases = 0;
  const fresh = async (): Promise<Args> => {
    const url = new URL(server);
    url.pathname = `/bench${process.pid}_${databases++}`;
    const args = { url: url.href, folder: await kit.folder() };
    await kit.run('prepare', args);
    return args;
  };
  const writes = await inTurn(WRITE_ROUNDS, {
    raw: async () => kit.run('raw', await fresh()),
    product: async () => kit.run('product', await fresh()),
  });
  const row = (what: string, name: string, floor = name): void =>
    kit.row({ what, product: writes.product[name] ?? 0, floor: writes.raw[floor] ?? 0, unit: 'ms', target: 2 });
  row('bulk of 10,000 hosts, first', 'first');
  row('bulk of 10,000 hosts, unchanged', 'again');
  row('  beside reading and comparing versions by hand', 'again', 'compared');
  row('page of 10,000 hosts', 'page');

  const mongodb = await fresh();
  const sqlite = { url: '', folder: await kit.folder() };
  await kit.run('prepare', sqlite);
  for (const args of [mongodb, sqlite]) await kit.run('fill', args);
  const renderings = await inTurn(ROUNDS, {
    sqlite: () => kit.run('render', sqlite),
    mongodb: () => kit.run('render', mongodb),
    bare: () => kit.run('read', mongodb),
  });
  const render = renderings.mongodb;
  const rendered = (what: string, floor: number | undefined, figure: 'ms' | 'cpuMs', target?: number): void =>
    kit.row({
      what,
      product: render[figure] ?? 0,
      floor: floor ?? 0,
      unit: 'ms',
      ...(target === undefined ? {} : { target }),
    });
  rendered('inventory of 100,000 hosts, beside that from SQLite', renderings.sqlite.ms, 'ms', 2);
  rendered('  beside reading them on the bare driver', renderings.bare.ms, 'ms');
  rendered('  processor time without the server, beside SQLite', renderings.sqlite.cpuMs, 'cpuMs');
}

export const benchmark: Benchmark = {
  title: 'MongoDB, on the server of the tests; floor: one bulkWrite and one find on the bare driver',
  sides: { prepare, raw, product, fill, render, read },
  measure,
};
