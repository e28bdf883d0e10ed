import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Benchmark } from './support/benchmark.ts';
import { hostnameOf } from './support/hosts.ts';
import type { Kit } from './support/kit.ts';
import { Client, Server, serveProduct } from './support/service.ts';

const HOSTS = 20_000;
const CLIENTS = 10;
const INVENTORY = '/api/v1/inventory/automation/automation';
/** A service prepares its thread when it has been up for a second. */
const IDLE_MS = 10_000;

interface Args {
  readonly folder: string;
}

async function prepare({ folder }: Args) {
  const { addBasics, addHosts, addRules, openProduct } = await import('./support/product.ts');
  const { fiftyRules } = await import('./support/fifty-rules.ts');
  const app = await openProduct({ folder });
  await addBasics(app);
  await addHosts(app, HOSTS);
  await addRules(app, fiftyRules());
  await app.stop();
  return {};
}

function serve({ folder }: Args) {
  return serveProduct(folder);
}

/** Until the first piece of the body is there, milliseconds; the rest is not waited for. */
async function firstByte(address: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const start = performance.now();
  const sent = request(`${address}${INVENTORY}`, { headers });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  await once(response, 'data');
  const ms = performance.now() - start;
  response.destroy();
  return ms;
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
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const heavy: number[] = [];
  for (let index = 0; index < CLIENTS; index++) {
    const { ms, status } = await client.send(`${INVENTORY}?host=${hostnameOf(1)}`);
    if (status >= 500) throw new Error(`status ${status}`);
    heavy.push(ms);
  }
  kit.row({
    what: 'first heavy request, beside the tenth',
    product: heavy[0] ?? 0,
    floor: heavy.at(-1) ?? 0,
    unit: 'ms',
  });

  const hosts = `${HOSTS.toLocaleString('en')} hosts`;
  const used = async (clients: number): Promise<number> => {
    await server.mark();
    const answers = await Promise.all(Array.from({ length: clients }, () => client.send(INVENTORY)));
    if (new Set(answers.map(({ bytes, status }) => `${status} ${bytes}`)).size !== 1) throw new Error('answers differ');
    const { cpuMs = 0 } = await server.figures();
    return cpuMs;
  };
  await used(1);
  const [one, ten] = [await used(1), await used(CLIENTS)];
  kit.row({
    what: `${CLIENTS} clients at once, ${hosts}, processor time`,
    product: ten,
    floor: one,
    unit: 'ms',
    target: CLIENTS / 2,
  });
  const first: number[] = [];
  for (let index = 0; index < 5; index++) first.push(await firstByte(server.address, headers));
  kit.row({ what: `first byte of ${hosts}`, product: Math.min(...first), unit: 'ms', target: 200 });
  client.close();
  await server.stop();
}

export const benchmark: Benchmark = {
  title: 'an inventory that several ask for at once, beside one who asks; the first heavy request after a start',
  sides: { prepare, serve },
  measure,
};
