import type { Benchmark } from './support/benchmark.ts';
import { hostnameOf } from './support/hosts.ts';
import { inTurn, type Kit } from './support/kit.ts';
import { answerQuestions, Client, Server, serveProduct } from './support/service.ts';

const ROUNDS = 3;
const HOSTS = 10_000;
const READS = 8000;
const CONNECTIONS = 8;
const PAGES = 15;
/** In its first seconds a service prepares a thread and looks for damage, which is no part of a read. */
const BEGUN_MS = 4000;

interface Args {
  readonly folder: string;
}

async function prepare({ folder }: Args) {
  const { addBasics, addHosts, openProduct } = await import('./support/product.ts');
  const app = await openProduct({ folder });
  await addBasics(app);
  await addHosts(app, HOSTS);
  await app.stop();
  return {};
}

const COLUMNS = `h.hostname, h.labels, h.inventory, m.last_seen, h.last_update FROM hosts h JOIN host_marks m ON m.id = h.id
  WHERE h.archived_at IS NULL AND h.is_object = 0`;

/** Bare Fastify over the same database: no users, no checks, stored JSON spliced into the answer. */
async function bare({ folder }: Args) {
  const { default: Fastify } = await import('fastify');
  const { default: Database } = await import('better-sqlite3');
  const database = new Database(`${folder}/muster.db`, { readonly: true });
  const one = database.prepare(`SELECT ${COLUMNS} AND h.hostname = ?`).raw();
  const page = database.prepare(`SELECT ${COLUMNS} ORDER BY h.hostname LIMIT ?`).raw();
  const time = (value: number): string => `${new Date(value).toISOString().slice(0, 19)}Z`;
  const text = (row: unknown): string => {
    const [hostname, labels, inventory, seen, update] = row as [string, string, string, number, number];
    return `{"hostname":${JSON.stringify(hostname)},"labels":${labels},"inventory":${inventory},"last_seen":"${time(seen)}","last_update":"${time(update)}"}`;
  };
  const app = Fastify();
  app.get<{ Querystring: { limit: string } }>('/api/v1/objects/all', (request, reply) => {
    const rows = page.all(Number(request.query.limit));
    reply.header('content-type', 'application/json; charset=utf-8');
    reply.send(`{"results":[${rows.map(text).join(',')}]}`);
  });
  app.get<{ Params: { hostname: string } }>('/api/v1/objects/:hostname', (request, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8');
    reply.send(text(one.get(request.params.hostname)));
  });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  return answerQuestions({ address, stop: () => app.close() });
}

async function read(kit: Kit, side: string, folder: string) {
  const { AUTHORIZATION } = await import('./support/product.ts');
  const server = await Server.start(kit, side, { folder });
  const client = new Client(server.address, { authorization: AUTHORIZATION }, CONNECTIONS);
  const get = async (path: string): Promise<number> => {
    const { ms, status } = await client.send(path);
    if (status !== 200) throw new Error(`${path}: status ${status}`);
    return ms;
  };
  const many = async (count: number): Promise<void> => {
    let left = count;
    const lane = async (): Promise<void> => {
      while (left-- > 0) await get(`/api/v1/objects/${hostnameOf((left * 7919) % HOSTS)}`);
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  };
  await new Promise((resolve) => setTimeout(resolve, BEGUN_MS));
  await many(READS);
  await server.mark();
  await many(READS);
  const { cpuMs: reading = 0 } = await server.figures();

  const pageTimes: number[] = [];
  await get('/api/v1/objects/all?start=0&limit=10000');
  await server.mark();
  for (let page = 0; page < PAGES; page++) pageTimes.push(await get('/api/v1/objects/all?start=0&limit=10000'));
  const { cpuMs: paging = 0, heldMs = 0 } = await server.figures();
  client.close();
  await server.stop();
  return { read: (reading * 1000) / READS, pageCpu: paging / PAGES, page: Math.min(...pageTimes), held: heldMs };
}

export const benchmark: Benchmark = {
  title: 'GET of one host and of a page of 10,000; floor: bare Fastify that splices the same rows, without users',
  sides: { prepare, bare, serve: ({ folder }: Args) => serveProduct(folder) },
  async measure(kit) {
    const folder = await kit.folder();
    await kit.run('prepare', { folder });
    const runs = await inTurn(ROUNDS, {
      floor: () => read(kit, 'bare', folder),
      product: () => read(kit, 'serve', folder),
    });
    const row = (what: string, name: string, unit: 'ms' | 'µs', target?: number): void =>
      kit.row({
        what,
        product: runs.product[name] ?? 0,
        floor: runs.floor[name] ?? 0,
        unit,
        ...(target === undefined ? {} : { target }),
      });
    row('one host, processor time of the server', 'read', 'µs', 2.5);
    row('page of 10,000', 'page', 'ms', 1.5);
    row('page of 10,000, processor time of the server', 'pageCpu', 'ms', 1.5);
    kit.row({
      what: 'page of 10,000, event loop held at most',
      product: runs.product.held ?? 0,
      unit: 'ms',
      target: 20,
    });
  },
};
