import { setTimeout as pause } from 'node:timers/promises';
import type { Benchmark, Figures } from './support/benchmark.ts';
import { bulkBody, hostnameOf, labelsOf } from './support/hosts.ts';
import type { Kit } from './support/kit.ts';
import { type Answer, Client, percentile, Server, serveProduct } from './support/service.ts';

/** Mixed work as a service of a large installation has it, for ten minutes: `LOAD_MINUTES=1 npm run bench -- load` for a first look. */
const MINUTES = Number(process.env.LOAD_MINUTES ?? 10);
const HOSTS = Number(process.env.LOAD_HOSTS ?? 100_000);
const BULK = 500;
const AUTHORIZED = { 'content-type': 'application/json' };

interface Args {
  readonly folder: string;
  /** Of MongoDB, with the name of the database; empty for SQLite. */
  readonly url: string;
}

async function prepare({ folder, url }: Args) {
  const { addBasics, addHosts, addRules, openProduct } = await import('./support/product.ts');
  const { fiftyRules } = await import('./support/fifty-rules.ts');
  const app = await openProduct({ folder, ...(url === '' ? {} : { config: { DATABASE_URL: url } }) });
  await addBasics(app);
  await addHosts(app, HOSTS);
  await addRules(app, fiftyRules());
  await app.stop();
  return {};
}

/** Asked to act, it says how much memory the process has now. */
function serve({ folder, url }: Args) {
  const memory = async (): Promise<Figures> => ({ rssMb: process.memoryUsage.rss() / 1024 / 1024 });
  return serveProduct(folder, memory, url === '' ? {} : { DATABASE_URL: url });
}

interface Work {
  readonly what: string;
  /** Milliseconds from one to the next, if the last is done by then. */
  readonly everyMs: number;
  readonly lanes: number;
  /** The `turn`-th call, counted over all lanes. */
  readonly send: (client: Client, turn: number) => Promise<Answer>;
}

const any = (turn: number): number => (turn * 7919) % HOSTS;

const WORK: readonly Work[] = [
  {
    what: 'read of one host',
    everyMs: 40,
    lanes: 4,
    send: (client, turn) => client.send(`/api/v1/objects/${hostnameOf(any(turn))}`),
  },
  {
    what: 'write of the labels of one host',
    everyMs: 100,
    lanes: 2,
    send: (client, turn) => {
      const labels = { ...labelsOf(any(turn)), changed: `turn ${turn}` };
      const body = Buffer.from(JSON.stringify({ account: 'cmdb', labels }));
      return client.send(`/api/v1/objects/${hostnameOf(any(turn))}`, { method: 'POST', body, headers: AUTHORIZED });
    },
  },
  {
    what: `bulk write of ${BULK} hosts`,
    everyMs: 5_000,
    lanes: 1,
    send: (client, turn) => {
      const body = bulkBody('cmdb', (turn * BULK) % HOSTS, BULK);
      return client.send('/api/v1/objects/bulk', { method: 'POST', body, headers: AUTHORIZED });
    },
  },
  {
    what: 'page of 100 hosts',
    everyMs: 500,
    lanes: 1,
    send: (client, turn) => client.send(`/api/v1/objects/all?limit=100&start=${any(turn)}`),
  },
  {
    what: 'search by two labels',
    everyMs: 1_000,
    lanes: 1,
    send: (client, turn) => client.send(`/api/v1/objects/search?where=site:codfw%20rack:R${turn % 200}&limit=50`),
  },
  {
    what: 'latest changes',
    everyMs: 1_000,
    lanes: 1,
    send: (client) => client.send('/api/v1/changes?limit=100'),
  },
  {
    what: 'inventory of all hosts',
    everyMs: 30_000,
    lanes: 1,
    send: (client) => client.send('/api/v1/inventory/automation/automation'),
  },
];

interface Measured {
  readonly times: number[];
  readonly wrong: Map<number, number>;
}

/** Sends one kind of work until `until`, at its pace, and never two at once in a lane. */
async function send(work: Work, address: string, authorization: string, until: number): Promise<Measured> {
  const client = new Client(address, { authorization }, work.lanes);
  const measured: Measured = { times: [], wrong: new Map() };
  let turn = 0;
  const lane = async (number: number): Promise<void> => {
    await pause((work.everyMs / work.lanes) * number);
    while (Date.now() < until) {
      const begun = Date.now();
      const { ms, status } = await work.send(client, turn++);
      if (status < 300) measured.times.push(ms);
      else measured.wrong.set(status, (measured.wrong.get(status) ?? 0) + 1);
      await pause(Math.max(0, work.everyMs - (Date.now() - begun)));
    }
  };
  await Promise.all(Array.from({ length: work.lanes }, (_, number) => lane(number)));
  client.close();
  return measured;
}

async function measureStore(kit: Kit, store: string, url: string): Promise<void> {
  const { AUTHORIZATION } = await import('./support/product.ts');
  const folder = await kit.folder();
  await kit.run('prepare', { folder, url });
  const server = await Server.start(kit, 'serve', { folder, url });
  await server.mark();
  const until = Date.now() + MINUTES * 60_000;
  const memory: number[] = [];
  const watch = async (): Promise<void> => {
    while (Date.now() < until) {
      memory.push((await server.act()).rssMb ?? Number.NaN);
      await pause(Math.max(0, Math.min(60_000, until - Date.now())));
    }
    memory.push((await server.act()).rssMb ?? Number.NaN);
  };
  const [, ...all] = await Promise.all([
    watch(),
    ...WORK.map((work) => send(work, server.address, AUTHORIZATION, until)),
  ]);
  const { heldMs = Number.NaN } = await server.figures();
  await server.stop();
  kit.note(`${store}, ${HOSTS.toLocaleString('en')} hosts, ${MINUTES} minutes`);
  for (const [index, { times, wrong }] of all.entries()) {
    const [p50, p95, p99, most] = [0.5, 0.95, 0.99, 1].map((share) => percentile(times, share).toFixed(1));
    const failed = [...wrong].map(([status, count]) => `, ${count} answered ${status}`).join('');
    const what = `  ${WORK[index]?.what ?? ''}`.padEnd(36);
    kit.note(`${what} ${times.length} done${failed}; p50 ${p50}, p95 ${p95}, p99 ${p99}, longest ${most} ms`);
  }
  kit.note(`  memory of the service minute by minute: ${memory.map((mb) => mb.toFixed(0)).join(', ')} MB`);
  kit.row({ what: 'event loop held at most', product: heldMs, unit: 'ms' });
}

export const benchmark: Benchmark = {
  title: 'mixed load on a service: reads, writes, bulk, pages, searches, changes and inventories at once',
  sides: { prepare, serve },
  async measure(kit) {
    await measureStore(kit, 'SQLite', '');
    const server = new URL(process.env.MUSTER_TEST_MONGODB_URL ?? (await kit.server('mongodb')));
    server.pathname = '/muster_load';
    await measureStore(kit, 'MongoDB', server.href);
  },
};
