import type { Benchmark } from './support/benchmark.ts';
import type { Kit } from './support/kit.ts';
import { leastMs } from './support/service.ts';

const HOSTS = 100_000;
/** The server of the tests looks at each document by hand; its times say what the program adds, and little of MongoDB itself. */
const MONGODB_HOSTS = 10_000;
const REPEATS = 3;

interface Args {
  /** Of MongoDB with the name of the database; empty for SQLite in the folder. */
  readonly url: string;
  readonly folder: string;
  readonly hosts: number;
}

/** What a page of hosts asks. `rare` is one host near the end; `size` holds no text that a store could look for. */
function queriesOf(hosts: number): Readonly<Record<string, object>> {
  return {
    everything: {},
    common: { where: 'site:codfw os:linux' },
    rare: { where: `serial:${serialOf(hosts)}` },
    size: { where: 'cores>=63 rack:R7' },
    nothing: { where: 'nosuchword' },
    negated: { where: '-site:codfw' },
    network: { where: 'ip:10.1.130.0/28' },
    sorted: { where: 'site:codfw', sort: '-cores' },
  };
}

function serialOf(hosts: number): string {
  return `SN${(hosts - 5) * 7919}`;
}

async function open({ url, folder }: Args) {
  const { openProduct } = await import('./support/product.ts');
  return openProduct({ folder, ...(url === '' ? {} : { config: { DATABASE_URL: url } }) });
}

async function fill(args: Args) {
  const { addBasics, addHosts } = await import('./support/product.ts');
  const app = await open(args);
  await addBasics(app);
  await addHosts(app, args.hosts);
  await app.stop();
  return {};
}

async function search(args: Args) {
  const { CALLER } = await import('./support/product.ts');
  const { countHosts } = await import('../src/app/search/operations/count-hosts.ts');
  const { searchHosts } = await import('../src/app/search/operations/search-hosts.ts');
  const app = await open(args);
  const figures: Record<string, number> = {};
  for (const [name, query] of Object.entries(queriesOf(args.hosts))) {
    const input = { kind: 'value' as const, value: { ...query, limit: 50, inventory: false } };
    figures[name] = await leastMs(REPEATS, () => app.executor.value(searchHosts, input, CALLER));
  }
  const facets = { fields: ['account', 'type'], labels: 8 };
  figures.facets = await leastMs(REPEATS, () =>
    app.executor.value(countHosts, { kind: 'value', value: facets }, CALLER),
  );
  await app.stop();
  return figures;
}

/** Plain SQL, and labels taken apart by hand. */
async function byHand({ folder, hosts }: Args) {
  const { default: Database } = await import('better-sqlite3');
  const database = new Database(`${folder}/muster.db`, { readonly: true });
  const rows = 'SELECT hostname, labels FROM hosts WHERE archived_at IS NULL';
  const like = database.prepare(`${rows} AND labels LIKE ? ORDER BY hostname LIMIT 50`);
  const inOrder = database.prepare(
    `${rows} AND json_extract(labels, '$.site') = 'codfw' ORDER BY json_extract(labels, '$.cores') DESC LIMIT 50`,
  );
  const all = database.prepare<[], { labels: string }>(rows);
  const figures = {
    rare: await leastMs(REPEATS, () => like.all(`%${serialOf(hosts)}%`)),
    sorted: await leastMs(REPEATS, () => inOrder.all()),
    facets: await leastMs(REPEATS, () => {
      const counts = new Map<string, number>();
      for (const { labels } of all.iterate()) {
        for (const [name, value] of Object.entries(JSON.parse(labels) as object)) {
          const key = `${name}=${value}`;
          counts.set(key, (counts.get(key) ?? 0) + 1);
        }
      }
    }),
  };
  database.close();
  return figures;
}

async function measure(kit: Kit): Promise<void> {
  const folder = await kit.folder();
  const sqlite = { url: '', folder, hosts: HOSTS };
  await kit.run('fill', sqlite);
  const plain = await kit.run('byHand', sqlite);
  show(kit, 'SQLite', await kit.run('search', sqlite), plain);
  const server = new URL(await kit.server('mongodb'));
  server.pathname = '/search';
  const mongodb = { url: server.href, folder: await kit.folder(), hosts: MONGODB_HOSTS };
  await kit.run('fill', mongodb);
  show(kit, `MongoDB, ${MONGODB_HOSTS.toLocaleString('en-US')} hosts`, await kit.run('search', mongodb), {});
}

function show(
  kit: Kit,
  store: string,
  figures: Readonly<Record<string, number>>,
  plain: Readonly<Record<string, number>>,
) {
  for (const [name, product] of Object.entries(figures)) {
    if (name !== 'facets' && !Object.hasOwn(queriesOf(0), name)) continue;
    const hand = plain[name];
    const note = hand === undefined ? {} : { note: `plain SQL: ${hand.toFixed(0)} ms` };
    const target = name === 'facets' || name === 'sorted' ? {} : { target: 300 };
    kit.row({ what: `${store}: ${name}`, product, unit: 'ms', ...target, ...note });
  }
}

export const benchmark: Benchmark = {
  title: 'first 50 hosts of a search among 100,000, and counts of values',
  sides: { fill, search, byHand },
  measure,
};
