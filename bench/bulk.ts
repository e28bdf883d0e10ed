import { readFileSync, writeFileSync } from 'node:fs';
import { type Benchmark, timed } from './support/benchmark.ts';
import { bulkBody } from './support/hosts.ts';
import { inTurn, type Kit } from './support/kit.ts';
import { Client, Server, serveProduct } from './support/service.ts';

const ROUNDS = 3;
const AGAIN = 3;
const HOSTS = 10_000;
const BULK = '/api/v1/objects/bulk';

interface Args {
  readonly folder: string;
  readonly body: string;
}

/** Parses the body and saves it in one transaction; the body is there already. */
async function floor({ folder, body }: Args) {
  const { RawStore } = await import('./support/raw-store.ts');
  const bytes = readFileSync(body);
  const store = new RawStore(`${folder}/floor.db`);
  const save = (): Promise<{ ms: number }> =>
    timed(() => {
      const { objects } = JSON.parse(bytes.toString()) as { objects: { hostname: string; labels: object }[] };
      store.save(objects);
    });
  const first = await save();
  const again: number[] = [];
  for (let round = 0; round < AGAIN; round++) again.push((await save()).ms);
  return { first: first.ms, again: Math.min(...again) };
}

async function prepare({ folder }: Args) {
  const { addBasics, openProduct } = await import('./support/product.ts');
  const app = await openProduct({ folder });
  await addBasics(app);
  await app.stop();
  return {};
}

async function product(kit: Kit, { folder, body }: Args) {
  const { ACCOUNT, AUTHORIZATION } = await import('./support/product.ts');
  await kit.run('prepare', { folder });
  const server = await Server.start(kit, 'serve', { folder });
  const client = new Client(server.address, { authorization: AUTHORIZATION });
  const bytes = readFileSync(body);
  const save = async (content: Buffer): Promise<number> => {
    const { ms, status } = await client.send(BULK, { method: 'POST', body: content });
    if (status !== 200) throw new Error(`status ${status}`);
    return ms;
  };
  // Credentials are verified and the worker is there, as in a service that runs for a minute.
  const cold = await save(bulkBody(ACCOUNT, HOSTS, 1));
  await server.mark();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const { heldMs: idle = 0 } = await server.figures();
  await server.mark();
  const first = await save(bytes);
  const { heldMs: held = 0 } = await server.figures();
  const again: number[] = [];
  for (let round = 0; round < AGAIN; round++) again.push(await save(bytes));
  client.close();
  await server.stop();
  return { first, again: Math.min(...again), cold, idle, held };
}

export const benchmark: Benchmark = {
  title: 'POST /objects/bulk of 10,000 hosts with 20 labels; floor: JSON.parse and one transaction of upserts by hand',
  sides: { floor, prepare, serve: ({ folder }: Args) => serveProduct(folder) },
  async measure(kit) {
    const { ACCOUNT } = await import('./support/product.ts');
    const body = `${await kit.folder()}/body.json`;
    writeFileSync(body, bulkBody(ACCOUNT, 0, HOSTS));
    const runs = await inTurn(ROUNDS, {
      floor: async () => kit.run('floor', { folder: await kit.folder(), body }),
      product: async () => product(kit, { folder: await kit.folder(), body }),
    });
    const { first = 0, again = 0, cold = 0, idle = 0, held = 0 } = runs.product;
    kit.row({ what: 'first', product: first, floor: runs.floor.first ?? 0, unit: 'ms', target: 3 });
    kit.row({ what: 'unchanged', product: again, floor: runs.floor.again ?? 0, unit: 'ms', target: 2.5 });
    kit.row({
      what: 'event loop held at most',
      product: held,
      unit: 'ms',
      target: 20,
      note: `idle: ${idle.toFixed(1)} ms`,
    });
    kit.row({ what: 'very first request of a service, one host', product: cold, unit: 'ms' });
  },
};
