import type { Benchmark } from './support/benchmark.ts';
import type { Kit } from './support/kit.ts';
import { Client, Server, serveProduct } from './support/service.ts';

const HOSTS = 40;
/** Two sections of three million characters are a host of 6 MB. */
const SECTION = 3_000_000;

interface Args {
  readonly folder: string;
}

async function prepare({ folder }: Args) {
  const { ACCOUNT, addBasics, CALLER, openProduct } = await import('./support/product.ts');
  const { saveHost } = await import('../src/app/hosts/operations/save-host.ts');
  const { saveInventory } = await import('../src/app/hosts/operations/save-inventory.ts');
  const app = await openProduct({ folder });
  await addBasics(app);
  for (let number = 0; number < HOSTS; number++) {
    const hostname = `large${String(number).padStart(3, '0')}`;
    const value = { hostname, account: ACCOUNT, labels: { number } };
    await app.executor.value(saveHost, { kind: 'value', value }, CALLER);
    for (const sign of ['x', 'y']) {
      for (const key of ['facts', 'packages']) {
        const section = { hostname, key, inventory: { text: sign.repeat(SECTION) } };
        await app.executor.value(saveInventory, { kind: 'value', value: section }, CALLER);
      }
    }
  }
  await app.stop();
  return {};
}

function serve({ folder }: Args) {
  return serveProduct(folder);
}

/** The floor: each host read once on the bare driver. */
async function read({ folder }: Args) {
  const { RawStore } = await import('./support/raw-store.ts');
  const { database } = new RawStore(`${folder}/muster.db`);
  let bytes = 0;
  for (const text of database.prepare('SELECT inventory FROM hosts').pluck().iterate() as Iterable<string>) {
    bytes += Buffer.byteLength(text);
  }
  database.close();
  return { bytes, rssMb: process.resourceUsage().maxRSS / 1024 };
}

const SHAPES: readonly (readonly [string, number, string])[] = [
  ['six pages of all hosts', 6, '/api/v1/objects/all?start=0&limit=500'],
  ['eight pages of changes', 8, '/api/v1/changes?limit=80'],
  ['eight histories of a host', 8, '/api/v1/objects/large000/history?limit=500'],
  ['eight single hosts', 8, '/api/v1/objects/large001'],
  ['four searches', 4, '/api/v1/objects/search?where=name:large*&limit=100'],
  ['four pages of the feed', 4, '/api/v1/changes/feed?limit=1000'],
  ['two sorted tables', 2, '/api/v1/objects/search/table?where=name:large*&sort=facts.text&columns=name,facts.text'],
  ['two inventories', 2, '/api/v1/inventory/automation/automation'],
];

async function measure(kit: Kit): Promise<void> {
  const { AUTHORIZATION } = await import('./support/product.ts');
  const folder = await kit.folder();
  await kit.run('prepare', { folder });
  const floor = await kit.run('read', { folder });
  const server = await Server.start(kit, 'serve', { folder });
  for (const [what, times, path] of SHAPES) {
    await server.mark();
    const client = new Client(server.address, { authorization: AUTHORIZATION }, times);
    const answers = await Promise.all(Array.from({ length: times }, () => client.send(path)));
    client.close();
    for (const { status } of answers) if (status !== 200) throw new Error(`${path}: status ${status}`);
    const { heldMs = 0, rssMb = 0 } = await server.figures();
    kit.row({ what: `event loop held at most by ${what}`, product: heldMs, unit: 'ms', target: 50 });
    const note = `floor, each host read once: ${Math.round(floor.rssMb ?? 0)} MB`;
    kit.row({ what: '  memory of the service so far', product: rssMb, unit: 'MB', target: 1_024, note });
  }
  await server.stop();
}

export const benchmark: Benchmark = {
  title: 'forty hosts of 6 MB: how long the event loop is held, and memory',
  sides: { prepare, serve, read },
  measure,
};
