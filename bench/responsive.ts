import type { Benchmark } from './support/benchmark.ts';
import { hostnameOf, writeCsv } from './support/hosts.ts';
import type { Kit } from './support/kit.ts';
import { apps, Client, percentile, Server, serveProduct } from './support/service.ts';

const HOSTS = 100_000;
const CONNECTIONS = 4;
const PAUSE_MS = 10;
const INVENTORY = '/api/v1/inventory/automation/automation';
const CHECKS = 20;

interface Args {
  readonly folder: string;
  readonly csv: string;
}

async function prepare({ folder, csv }: Args) {
  const { addBasics, addHosts, addRules, openProduct } = await import('./support/product.ts');
  const { fiftyRules } = await import('./support/fifty-rules.ts');
  const app = await openProduct({ folder });
  await addBasics(app, csv);
  await addHosts(app, HOSTS);
  await addRules(app, fiftyRules());
  await app.stop();
  return {};
}

/** The service; asked to act, it imports the account's file on one of its threads. */
function serve({ folder }: Args) {
  return serveProduct(folder, async () => {
    const { ACCOUNT, CALLER } = await import('./support/product.ts');
    const { importAccount } = await import('../src/app/runs/import/operations/import-account.ts');
    const app = apps.get(folder);
    const input = { kind: 'value' as const, value: { account: ACCOUNT } };
    const { summary } = (await app?.executor.value(importAccount, input, CALLER)) ?? {};
    return { seen: summary?.seen ?? 0, created: summary?.created ?? 0 };
  });
}

/** Downloads the inventory in a process of its own, so that the readers here do not wait for it. */
async function download({ address, authorization }: { readonly address: string; readonly authorization: string }) {
  const { ms, bytes, status } = await new Client(address, { authorization }).send(INVENTORY);
  if (status !== 200) throw new Error(`status ${status}`);
  return { ms, bytes };
}

async function readWhile(client: Client, work: Promise<unknown>): Promise<number[]> {
  let done = false;
  const times: number[] = [];
  const finish = (): void => {
    done = true;
  };
  const lane = async (number: number): Promise<void> => {
    for (let index = number; !done; index += CONNECTIONS) {
      const { ms, status } = await client.send(`/api/v1/objects/${hostnameOf((index * 7919) % HOSTS)}`);
      if (status !== 200) throw new Error(`status ${status}`);
      times.push(ms);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  const lanes = Array.from({ length: CONNECTIONS }, (_, number) => lane(number));
  try {
    await work;
  } finally {
    finish();
  }
  await Promise.all(lanes);
  return times;
}

async function measure(kit: Kit): Promise<void> {
  const { AUTHORIZATION } = await import('./support/product.ts');
  const folder = await kit.folder();
  const csv = `${folder}/hosts.csv`;
  await writeCsv(csv, HOSTS);
  await kit.run('prepare', { folder, csv });
  const server = await Server.start(kit, 'serve', { folder, csv });
  const headers = { authorization: AUTHORIZATION };
  const client = new Client(server.address, headers, CONNECTIONS);
  await readWhile(client, pause(500));

  await server.mark();
  const idle = await readWhile(client, pause(3000));
  const { heldMs: idleHeld = 0 } = await server.figures();
  const show = async (what: string, times: readonly number[]): Promise<void> => {
    const { heldMs = 0, rssMb = 0 } = await server.figures();
    const [product, floor] = [percentile(times, 0.99), percentile(idle, 0.99)];
    kit.row({
      what: `p99 of reads while ${what}`,
      product,
      unit: 'ms',
      target: 50,
      note: `idle: ${floor.toFixed(1)} ms, ${times.length} reads`,
    });
    kit.row({
      what: '  event loop held at most',
      product: heldMs,
      unit: 'ms',
      note: `idle: ${idleHeld.toFixed(1)} ms`,
    });
    kit.row({ what: '  memory of the service so far', product: rssMb, unit: 'MB' });
  };

  await server.mark();
  const rendering = kit.run('download', { address: server.address, authorization: AUTHORIZATION });
  await show('a 100k inventory is rendered', await readWhile(client, rendering));

  const tagged = await client.send(`${INVENTORY}?host=${hostnameOf(1)}`);
  if (tagged.etag === undefined) throw new Error('the inventory has no tag');
  // The tag of the whole is known only after its head; the connection is cut then.
  const etag = await headTag(server.address, headers);
  const checks: number[] = [];
  for (let check = 0; check < CHECKS; check++) {
    const { ms, status } = await client.send(INVENTORY, { headers: { 'if-none-match': etag } });
    if (status !== 304) throw new Error(`status ${status}`);
    checks.push(ms);
  }
  kit.row({
    what: 'unchanged inventory, If-None-Match',
    product: Math.min(...checks),
    unit: 'ms',
    target: 5,
    note: `p50 ${percentile(checks, 0.5).toFixed(1)} ms`,
  });

  await server.mark();
  await show('100k hosts are imported, by the service', await readWhile(client, server.act()));

  await server.mark();
  const command = kit.run('importMeanwhile', { folder });
  await show('100k hosts are imported, by a command', await readWhile(client, command));
  client.close();
  await server.stop();
}

/** As `muster import` beside the service. */
async function importMeanwhile({ folder }: Args) {
  const { ACCOUNT, CALLER, openProduct } = await import('./support/product.ts');
  const { importAccount } = await import('../src/app/runs/import/operations/import-account.ts');
  const app = await openProduct({ folder });
  await app.executor.value(importAccount, { kind: 'value', value: { account: ACCOUNT } }, CALLER);
  await app.stop();
  return {};
}

async function headTag(address: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const client = new Client(address, headers);
  const { etag } = await client.send(INVENTORY, { method: 'HEAD' });
  client.close();
  if (etag === undefined) throw new Error('the inventory has no tag');
  return etag;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

export const benchmark: Benchmark = {
  title: 'reads of single hosts from a service that does heavy work at the same time',
  sides: { prepare, serve, download, importMeanwhile },
  measure,
};
