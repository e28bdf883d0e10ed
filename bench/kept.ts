import type { Benchmark, Figures } from './support/benchmark.ts';
import { hostnameOf } from './support/hosts.ts';
import { prepareInventory, serveInventoryFile } from './support/inventory-file.ts';
import { inTurn, type Kit } from './support/kit.ts';
import { apps, Client, percentile, Server, serveProduct } from './support/service.ts';

const HOSTS = 100_000;
const ROUNDS = 3;
const ASKED = 7;
const INVENTORY = '/api/v1/inventory/automation/automation';

interface Args {
  readonly folder: string;
}

type Change = 'nothing' | 'label' | 'groups';

function prepare({ folder }: Args) {
  return prepareInventory(folder, HOSTS);
}

function floor({ folder }: Args) {
  return serveInventoryFile(folder);
}

function product({ folder }: Args) {
  let turn = 0;
  return serveProduct(folder, async (change) => {
    const app = apps.get(folder);
    if (app === undefined || change === 'nothing') return {};
    const hostname = hostnameOf(HOSTS / 2);
    const host = await app.services.storage.hosts.find(hostname);
    if (host === undefined || host.accountId === null) throw new Error(`there is no ${hostname}`);
    const { StoredJson } = await import('../src/ports/index.ts');
    turn++;
    const labels = {
      ...host.labels.value,
      ...(change === 'label' ? { serial: `changed-${turn}` } : { role: `role${turn}` }),
    };
    await app.services.storage.hosts.saveLabels({
      account: { id: host.accountId, isObject: false, objectType: 'host' },
      entries: [{ hostname, labels: StoredJson.ofValue(labels) }],
      at: new Date(),
      actor: { kind: 'system', name: 'bench' },
    });
    return {};
  });
}

interface Asked extends Figures {
  readonly ms: number;
  readonly cpuMs: number;
  readonly firstMs: number;
  readonly mb: number;
  readonly rssMb: number;
}

async function ask(kit: Kit, side: 'floor' | 'product', folder: string, change: Change): Promise<Asked> {
  const { AUTHORIZATION } = await import('./support/product.ts');
  const server = await Server.start(kit, side, { folder });
  const client = new Client(server.address, { authorization: AUTHORIZATION }, 1);
  const times: number[] = [];
  let bytes = 0;
  const first = await client.send(INVENTORY);
  await client.send(INVENTORY);
  await server.mark();
  for (let index = 0; index < ASKED; index++) {
    if (side === 'product') await server.act(change);
    const answer = await client.send(INVENTORY);
    if (answer.status !== 200) throw new Error(`status ${answer.status}`);
    times.push(answer.ms);
    bytes = answer.bytes;
  }
  const figures = await server.figures();
  const cpu = (figures.cpuMs ?? 0) / ASKED;
  client.close();
  await server.stop();
  return { ms: percentile(times, 0.5), cpuMs: cpu, firstMs: first.ms, mb: bytes / 1e6, rssMb: figures.rssMb ?? 0 };
}

async function measure(kit: Kit): Promise<void> {
  const folder = await kit.folder();
  await kit.run('prepare', { folder });
  const what = `inventory of ${HOSTS.toLocaleString('en')} hosts`;
  const runs = await inTurn(ROUNDS, {
    floor: () => ask(kit, 'floor', folder, 'nothing'),
    nothing: () => ask(kit, 'product', folder, 'nothing'),
    label: () => ask(kit, 'product', folder, 'label'),
    groups: () => ask(kit, 'product', folder, 'groups'),
  });
  const { floor: least, nothing, label, groups } = runs as Readonly<Record<'floor' | Change, Asked>>;
  kit.note(`${least.mb.toFixed(0)} MB; the first one takes ${label.firstMs.toFixed(0)} ms`);
  kit.row({ what: `${what}, nothing changed`, product: nothing.ms, floor: least.ms, unit: 'ms', target: 1.3 });
  kit.row({ what: `${what}, one host has another label`, product: label.ms, floor: least.ms, unit: 'ms', target: 1.3 });
  kit.row({ what: `${what}, the same, processor time`, product: label.cpuMs, floor: least.cpuMs, unit: 'ms' });
  kit.row({ what: `${what}, one host is in another group`, product: groups.ms, floor: least.ms, unit: 'ms' });
  kit.row({ what: `${what}, memory of the service`, product: label.rssMb, unit: 'MB' });
}

export const benchmark: Benchmark = {
  title: 'the next whole inventory after one host changed, beside writing the same bytes',
  sides: { prepare, floor, product },
  measure,
};
