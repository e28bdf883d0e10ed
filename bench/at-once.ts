import type { Benchmark } from './support/benchmark.ts';
import { hostnameOf } from './support/hosts.ts';
import { prepareInventory, serveInventoryFile } from './support/inventory-file.ts';
import type { Kit } from './support/kit.ts';
import { Client, firstByte, Server, serveProduct } from './support/service.ts';

const HOSTS = 20_000;
const CLIENTS = 10;
const INVENTORY = '/api/v1/inventory/automation/automation';
/** A service prepares its thread when it has been up for a second. */
const IDLE_MS = 10_000;

interface Args {
  readonly folder: string;
}

function prepare({ folder }: Args) {
  return prepareInventory(folder, HOSTS);
}

function floor({ folder }: Args) {
  return serveInventoryFile(folder);
}

function serve({ folder }: Args) {
  return serveProduct(folder);
}

/** Processor time of a server whose clients all ask for the inventory at once, after one of them has had it. Milliseconds. */
async function usedAtOnce(server: Server, client: Client): Promise<number> {
  await client.send(INVENTORY);
  await server.mark();
  const answers = await Promise.all(Array.from({ length: CLIENTS }, () => client.send(INVENTORY)));
  if (new Set(answers.map(({ bytes, status }) => `${status} ${bytes}`)).size !== 1) throw new Error('answers differ');
  const { cpuMs = Number.NaN } = await server.figures();
  return cpuMs;
}

/** Milliseconds of ten heavy requests one after the other, behind a pause and light requests that wake the connection. */
async function afterIdle(client: Client): Promise<readonly number[]> {
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  for (let index = 0; index < CLIENTS; index++) await client.send(`/api/v1/objects/${hostnameOf(1)}`);
  const heavy: number[] = [];
  for (let index = 0; index < CLIENTS; index++) {
    const { ms, status } = await client.send(`${INVENTORY}?host=${hostnameOf(1)}`);
    if (status >= 500) throw new Error(`status ${status}`);
    heavy.push(ms);
  }
  return heavy;
}

async function measure(kit: Kit): Promise<void> {
  const { AUTHORIZATION } = await import('./support/product.ts');
  const folder = await kit.folder();
  await kit.run('prepare', { folder });
  const server = await Server.start(kit, 'serve', { folder });
  const headers = { authorization: AUTHORIZATION };
  const client = new Client(server.address, headers, CLIENTS);
  // The password of the user is known from then on.
  await client.send('/api/v1/objects/none');
  const heavy = await afterIdle(client);
  const later = await afterIdle(client);
  kit.row({
    what: 'first heavy request, beside the tenth',
    product: heavy[0] ?? 0,
    floor: heavy.at(-1) ?? 0,
    unit: 'ms',
  });
  kit.row({
    what: 'the same, beside the next after as long a pause',
    product: heavy[0] ?? 0,
    floor: later[0] ?? 0,
    unit: 'ms',
    target: 1,
  });

  const hosts = `${HOSTS.toLocaleString('en')} hosts`;
  const fileServer = await Server.start(kit, 'floor', { folder });
  const fileClient = new Client(fileServer.address, {}, CLIENTS);
  const [cpuMs, fileCpuMs] = [await usedAtOnce(server, client), await usedAtOnce(fileServer, fileClient)];
  fileClient.close();
  await fileServer.stop();
  kit.row({
    what: `${CLIENTS} clients at once, ${hosts}, processor time`,
    product: cpuMs,
    floor: fileCpuMs,
    unit: 'ms',
    target: 2,
  });
  const first: number[] = [];
  for (let index = 0; index < 5; index++) first.push(await firstByte(`${server.address}${INVENTORY}`, AUTHORIZATION));
  kit.row({ what: `first byte of ${hosts}`, product: Math.min(...first), unit: 'ms', target: 200 });
  client.close();
  await server.stop();
}

export const benchmark: Benchmark = {
  title:
    'an inventory that several ask for at once, beside a file of the same bytes; the first heavy request after a start',
  sides: { prepare, floor, serve },
  measure,
};
