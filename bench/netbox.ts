import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { App } from '../src/main/compose.ts';
import { StoredJson } from '../src/ports/index.ts';
import { deviceAddress, deviceName } from './support/bare-netbox.ts';
import { type Benchmark, timed } from './support/benchmark.ts';
import { inTurn, type Kit } from './support/kit.ts';

const DEVICES = 20_000;
/** One in a hundred. */
const CHANGED = DEVICES / 100;
const ROUNDS = 3;
/** As the account asks, and as its sections do. */
const PAGE = 500;
const TOGETHER = 100;

interface Args {
  readonly address: string;
  readonly folder: string;
}

async function server({ devices }: { readonly devices: number }): Promise<never> {
  const { bareNetBox } = await import('./support/bare-netbox.ts');
  const netbox = await bareNetBox(devices);
  await netbox.listen();
  process.send?.(`http://127.0.0.1:${netbox.port()}`);
  return new Promise(() => undefined);
}

interface Page {
  readonly results: readonly { readonly id: number }[];
  readonly next: string | null;
}

async function ask(address: string, path: string, method = 'GET', body?: unknown): Promise<Page> {
  const headers = { authorization: 'Token bench', 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`${address}/api/${path}`, { method, headers, ...sent });
  return JSON.parse(await response.text()) as Page;
}

/** Every page of a list, one after the other. */
async function* pagesOf(address: string, path: string, query: string): AsyncGenerator<Page['results']> {
  for (let start = 0; ; ) {
    const { results, next } = await ask(address, `${path}?${query}&start=${start}&limit=${PAGE}`);
    yield results;
    if (next === null) return;
    start = (results.at(-1)?.id ?? 0) + 1;
  }
}

async function readFloor({ address }: Args) {
  return timed(async () => {
    let seen = 0;
    for await (const devices of pagesOf(address, 'dcim/devices/', 'exclude=config_context')) {
      for (let from = 0; from < devices.length; from += TOGETHER) {
        const some = devices.slice(from, from + TOGETHER).map(({ id }) => `device_id=${id}`);
        const query = `${some.join('&')}&start=0&limit=1000`;
        const lists = ['dcim/interfaces/', 'ipam/ip-addresses/'].map((path) => ask(address, `${path}?${query}`));
        for (const { results } of await Promise.all(lists)) seen += results.length;
      }
    }
    if (seen !== 4 * DEVICES) throw new Error(`${seen} ports and addresses`);
  });
}

interface ReadArgs extends Pick<Args, 'address'> {
  /** Where the bookmark of the last run is. */
  readonly folder?: string;
  /** Reads only what changed since then. */
  readonly isChanged?: boolean;
}

async function read({ address, folder, isChanged = false }: ReadArgs) {
  const { httpClients } = await import('../src/adapters/http-client/client.ts');
  const { readNetBox } = await import('../src/plugins/netbox/source/read.ts');
  const { netboxOptions } = await import('../src/plugins/netbox/options.ts');
  const services = { http: httpClients({ clock: { now: () => new Date() } }), logger: undefined, files: undefined };
  const hours = folder === undefined ? 0 : 24;
  const since = isChanged ? { since: await readFile(`${folder}/bookmark`, 'utf8') } : {};
  const given = { parts: 'devices', sections: 'interfaces', page_size: PAGE, full_read_hours: hours };
  const account = { name: 'bench', address, username: '', password: 'bench' };
  let bookmark = '';
  const figures = await timed(async () => {
    let seen = 0;
    const signal = new AbortController().signal;
    const context = { signal, progress: () => undefined, ...since };
    const reading = { options: netboxOptions().parse(given), account, services: services as never };
    for await (const batch of readNetBox(reading, context)) {
      for (const item of batch) {
        if (item.kind === 'bookmark') bookmark = item.text;
        if (item.kind === 'record' && item.inventory !== undefined) seen++;
      }
    }
    if (seen !== (isChanged ? CHANGED : DEVICES)) throw new Error(`${seen} devices with ports`);
  });
  if (folder !== undefined) await writeFile(`${folder}/bookmark`, bookmark);
  return figures;
}

/** Changes some devices, as people do. */
async function change({ address }: Args) {
  const changed = Array.from({ length: CHANGED }, (_, index) => ({ id: 1 + index * 100, serial: `changed ${index}` }));
  await makeAll(address, 'dcim/devices/', changed, 'PATCH');
  return {};
}

function rule(outcomes: Readonly<Record<string, string>>) {
  return {
    name: 'all',
    enabled: true,
    condition_typ: 'anyway',
    conditions: [],
    outcomes: Object.entries(outcomes).map(([action, param]) =>
      param.includes('LIST_VAR') ? { action, param, list_variable_name: 'ports' } : { action, param },
    ),
  };
}

const RULES = {
  netbox_devices: [
    rule({
      device_type: 'R640',
      'device_type.manufacturer': 'Dell',
      role: 'Server',
      site: 'Berlin',
      serial: '{{ serial }}',
      primary_ip4: '{{ ip }}',
    }),
  ],
  netbox_dcim_interfaces: [
    rule({ type: '1000base-t', name: '{{ LIST_VAR.name }}', ipv4_addresses: '{{ LIST_VAR.ip }}' }),
  ],
};

async function prepare({ address, folder }: Args) {
  const { ACCOUNT, addBasics, addRules, CALLER, openProduct } = await import('./support/product.ts');
  const { addAccount } = await import('../src/app/accounts/operations/add-account.ts');
  const app = await openProduct({ folder });
  await addBasics(app);
  await addRules(app, RULES);
  const account = { name: 'out', type: 'netbox', settings: { url: address, delete_threshold: '100%' }, password: 'x' };
  await app.executor.value(addAccount, { kind: 'value', value: account }, CALLER);
  const owner = await app.services.accounts.byName(ACCOUNT);
  if (owner === undefined) throw new Error('the account of the hosts is missing');
  for (let from = 0; from < DEVICES; from += 1000) {
    const entries = Array.from({ length: 1000 }, (_, index) => ({
      hostname: deviceName(from + index),
      labels: StoredJson.ofValue({
        serial: `S${from + index}`,
        ip: deviceAddress(from + index, 0),
        ports: JSON.stringify([0, 1].map((port) => ({ name: `eth${port}`, ip: deviceAddress(from + index, port) }))),
      }),
    }));
    const { id, isObject, objectType } = owner;
    const actor = { kind: 'account', name: ACCOUNT } as const;
    const written = { account: { id, isObject, objectType }, entries, at: new Date(), actor, runId: 'bench' };
    await app.services.storage.hosts.saveLabels(written);
  }
  await app.stop();
  return {};
}

async function exported({ folder }: Args) {
  const { CALLER, openProduct } = await import('./support/product.ts');
  const { exportAccount } = await import('../src/app/runs/export/operations/export-account.ts');
  const app = await openProduct({ folder });
  let made = 0;
  const figures = await timed(async () => {
    const report = await app.executor.value(exportAccount, { kind: 'value', value: { account: 'out' } }, CALLER);
    if (report.status !== 'done') throw new Error(JSON.stringify(report).slice(0, 2000));
    made = (report.objects?.create ?? 0) + (report.objects?.update ?? 0) + (report.objects?.delete ?? 0);
  });
  await app.stop();
  return { ...figures, made };
}

/** What the program has to do where nothing has changed: every page of every list, the rules of every host, and what these want there. */
async function exportFloor({ address, folder }: Args) {
  const { openProduct } = await import('./support/product.ts');
  const { KIND_ENDPOINTS } = await import('../src/plugins/netbox/target/endpoints.ts');
  const app = await openProduct({ folder });
  const figures = await timed(async () => {
    for (const { path, fields } of Object.values(KIND_ENDPOINTS)) {
      if (fields === '') continue;
      for await (const _ of pagesOf(address, path, `fields=${fields}`));
    }
    await evaluateAll(app);
  });
  await app.stop();
  return figures;
}

async function evaluateAll(app: App): Promise<void> {
  const { openObjectTarget } = await import('../src/app/runs/plans/open-object-target.ts');
  const { targetRecord } = await import('../src/app/runs/plans/wishes.ts');
  const account = await app.services.accounts.byName('out');
  if (account === undefined) throw new Error('the account is missing');
  const { evaluator, target } = await openObjectTarget(app.services, account);
  let wanted = 0;
  for await (const records of app.services.storage.hosts.scan({ scope: null, kind: 'hosts', state: 'active' }, 250)) {
    for (const record of records)
      wanted += target.wanted(targetRecord(record, evaluator.evaluate(record, 'export'))).length;
  }
  if (wanted < 6 * DEVICES) throw new Error(`${wanted} objects`);
}

/** The calls that make as much, with nothing that says why. */
async function bulkFloor({ address }: Args) {
  return timed(async () => {
    const reference = async (path: string, fields: object) => {
      const made = (await ask(address, path, 'POST', [fields])) as unknown as readonly { readonly id: number }[];
      return made[0]?.id;
    };
    const manufacturer = await reference('dcim/manufacturers/', { name: 'Dell', slug: 'dell' });
    const type = await reference('dcim/device-types/', { model: 'R640', slug: 'r640', manufacturer });
    const role = await reference('dcim/device-roles/', { name: 'Server', slug: 'server' });
    const site = await reference('dcim/sites/', { name: 'Berlin', slug: 'berlin' });
    const common = { device_type: type, role, site };
    const devices = await makeAll(
      address,
      'dcim/devices/',
      Array.from({ length: DEVICES }, (_, index) => ({ name: deviceName(index), serial: `S${index}`, ...common })),
    );
    const ports = await makeAll(
      address,
      'dcim/interfaces/',
      devices.flatMap((device) => [0, 1].map((port) => ({ device, name: `eth${port}`, type: '1000base-t' }))),
    );
    const assigned = ports.map((id) => ({ assigned_object_type: 'dcim.interface', assigned_object_id: id }));
    const addresses = await makeAll(
      address,
      'ipam/ip-addresses/',
      assigned.map((on, index) => ({ address: deviceAddress(Math.floor(index / 2), index % 2), ...on })),
    );
    const primary = devices.map((id, index) => ({ id, primary_ip4: addresses[2 * index] }));
    await makeAll(address, 'dcim/devices/', primary, 'PATCH');
  });
}

async function makeAll(address: string, path: string, all: readonly object[], method = 'POST'): Promise<number[]> {
  const made: number[] = [];
  for (let from = 0; from < all.length; from += TOGETHER) {
    const answered = await ask(address, path, method, all.slice(from, from + TOGETHER));
    made.push(...(answered as unknown as readonly { readonly id: number }[]).map(({ id }) => id));
  }
  return made;
}

async function started(kit: Kit, devices: number) {
  const child = kit.start('server', { devices });
  const [address] = (await once(child, 'message')) as [string];
  return { address, stop: () => child.kill() };
}

async function measureReading(kit: Kit): Promise<void> {
  const { address, stop } = await started(kit, DEVICES);
  const runs = await inTurn(ROUNDS, {
    floor: () => kit.run('readFloor', { address }),
    product: () => kit.run('read', { address }),
  });
  row(kit, 'read', runs.product, runs.floor, 1.5);
  // The newest change that the bookmark is of is one of these, or each device would count as changed just now.
  await kit.run('change', { address });
  const folder = await kit.folder();
  await kit.run('read', { address, folder });
  await kit.run('change', { address });
  const { changed } = await inTurn(ROUNDS, { changed: () => kit.run('read', { address, folder, isChanged: true }) });
  stop();
  const { ms = Number.NaN, cpuMs = Number.NaN } = changed;
  kit.row({ what: 'read of 1 % that changed, beside all', product: ms, floor: runs.product.ms ?? 0, unit: 'ms' });
  kit.row({ what: 'the same, processor time', product: cpuMs, floor: runs.product.cpuMs ?? 0, unit: 'ms' });
}

async function measureExport(kit: Kit): Promise<void> {
  const places: Args[] = [];
  const first = await inTurn(ROUNDS - 1, {
    async product() {
      const { address } = await started(kit, 0);
      const args = { address, folder: await kit.folder() };
      places.push(args);
      await kit.run('prepare', args);
      return kit.run('exported', args);
    },
    async floor() {
      const { address, stop } = await started(kit, 0);
      const figures = await kit.run('bulkFloor', { address });
      stop();
      return figures;
    },
  });
  row(kit, 'first export', first.product, first.floor, 2);
  const args = places.at(-1) as Args;
  const again = await inTurn(ROUNDS, {
    floor: () => kit.run('exportFloor', args),
    product: () => kit.run('exported', args),
  });
  if (again.product.made !== 0) throw new Error(`${again.product.made} changes where nothing had changed`);
  row(kit, 'export, nothing to do', again.product, again.floor, 1.5);
}

type Measured = Readonly<Record<string, number>>;

function row(kit: Kit, what: string, product: Measured, floor: Measured, target: number): void {
  const [ms, bare] = [product.ms ?? Number.NaN, floor.ms ?? Number.NaN];
  kit.row({ what, product: ms, floor: bare, unit: 'ms', target });
  const [cpu, bareCpu] = [product.cpuMs ?? Number.NaN, floor.cpuMs ?? Number.NaN];
  kit.row({ what: `${what}, processor time`, product: cpu, floor: bareCpu, unit: 'ms' });
  kit.row({ what: `${what}, memory`, product: product.rssMb ?? Number.NaN, unit: 'MB' });
}

export const benchmark: Benchmark = {
  title: `source and target netbox, ${DEVICES.toLocaleString('en')} devices with two ports and addresses each; floor: the same pages by fetch, the same rules, the same bulk calls`,
  sides: { server, readFloor, read, change, prepare, exported, exportFloor, bulkFloor },
  async measure(kit) {
    await measureReading(kit);
    await measureExport(kit);
  },
};
