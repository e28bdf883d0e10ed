import { readFile, writeFile } from 'node:fs/promises';
import type { App } from '../../src/main/compose.ts';
import { StoredJson } from '../../src/ports/index.ts';
import { deviceAddress, deviceName } from './bare-netbox.ts';
import { timed } from './benchmark.ts';
import type { Kit } from './kit.ts';

/** As the account asks, and as its sections do. */
const PAGE = 500;
const TOGETHER = 100;

/** A NetBox, and how many devices it has or is to have. */
export interface NetBoxAt {
  readonly address: string;
  readonly token: string;
  readonly devices: number;
}

export interface ExportArgs extends NetBoxAt {
  readonly folder: string;
}

interface Page {
  readonly results: readonly { readonly id: number }[];
  readonly next: string | null;
}

async function ask({ address, token }: NetBoxAt, path: string, method = 'GET', body?: unknown): Promise<Page> {
  const scheme = token.startsWith('nbt_') ? 'Bearer' : 'Token';
  const headers = { authorization: `${scheme} ${token}`, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`${address}/api/${path}`, { method, headers, ...sent });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 1000)}`);
  return JSON.parse(text) as Page;
}

/** Every page of a list, one after the other. */
async function* pagesOf(netbox: NetBoxAt, path: string, query: string): AsyncGenerator<Page['results']> {
  for (let start = 0; ; ) {
    const { results, next } = await ask(netbox, `${path}?${query}&start=${start}&limit=${PAGE}`);
    yield results;
    if (next === null) return;
    start = (results.at(-1)?.id ?? 0) + 1;
  }
}

export async function readFloor(netbox: NetBoxAt) {
  return timed(async () => {
    let seen = 0;
    for await (const devices of pagesOf(netbox, 'dcim/devices/', 'exclude=config_context')) {
      for (let from = 0; from < devices.length; from += TOGETHER) {
        const some = devices.slice(from, from + TOGETHER).map(({ id }) => `device_id=${id}`);
        const query = `${some.join('&')}&start=0&limit=1000`;
        const lists = ['dcim/interfaces/', 'ipam/ip-addresses/'].map((path) => ask(netbox, `${path}?${query}`));
        for (const { results } of await Promise.all(lists)) seen += results.length;
      }
    }
    if (seen !== 4 * netbox.devices) throw new Error(`${seen} ports and addresses`);
  });
}

interface ReadArgs extends NetBoxAt {
  /** Where the bookmark of the last run is. */
  readonly folder?: string;
  /** Reads only what changed since then. */
  readonly isChanged?: boolean;
}

export async function read({ address, token, devices, folder, isChanged = false }: ReadArgs) {
  const { httpClients } = await import('../../src/adapters/http-client/client.ts');
  const { readNetBox } = await import('../../src/plugins/netbox/source/read.ts');
  const { netboxOptions } = await import('../../src/plugins/netbox/options.ts');
  const services = { http: httpClients({ clock: { now: () => new Date() } }), logger: undefined, files: undefined };
  const hours = folder === undefined ? 0 : 24;
  const since = isChanged ? { since: await readFile(`${folder}/bookmark`, 'utf8') } : {};
  const given = { parts: 'devices', sections: 'interfaces', page_size: PAGE, full_read_hours: hours };
  const account = { name: 'bench', address, username: '', password: token };
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
    if (seen !== (isChanged ? changedOf(devices) : devices)) throw new Error(`${seen} devices with ports`);
  });
  if (folder !== undefined) await writeFile(`${folder}/bookmark`, bookmark);
  return figures;
}

/** One in a hundred. */
const changedOf = (devices: number): number => devices / 100;

/** Changes some devices, as people do. */
export async function change(netbox: NetBoxAt) {
  const changed = Array.from({ length: changedOf(netbox.devices) }, (_, index) => ({
    id: 1 + index * 100,
    serial: `changed ${index}`,
  }));
  await makeAll(netbox, 'dcim/devices/', changed, 'PATCH');
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

export async function prepare({ address, token, devices, folder }: ExportArgs) {
  const { ACCOUNT, addBasics, addRules, CALLER, openProduct } = await import('./product.ts');
  const { addAccount } = await import('../../src/app/accounts/operations/add-account.ts');
  const app = await openProduct({ folder });
  await addBasics(app);
  await addRules(app, RULES);
  const account = {
    name: 'out',
    type: 'netbox',
    settings: { url: address, delete_threshold: '100%' },
    password: token,
  };
  await app.executor.value(addAccount, { kind: 'value', value: account }, CALLER);
  const owner = await app.services.accounts.byName(ACCOUNT);
  if (owner === undefined) throw new Error('the account of the hosts is missing');
  for (let from = 0; from < devices; from += 1000) {
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

export async function exported({ folder }: ExportArgs) {
  const { CALLER, openProduct } = await import('./product.ts');
  const { exportAccount } = await import('../../src/app/exports/operations/export-account.ts');
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
export async function exportFloor(args: ExportArgs) {
  const { openProduct } = await import('./product.ts');
  const { KIND_ENDPOINTS } = await import('../../src/plugins/netbox/export/kinds.ts');
  const app = await openProduct({ folder: args.folder });
  const figures = await timed(async () => {
    for (const { path, fields } of Object.values(KIND_ENDPOINTS)) {
      if (fields === '') continue;
      for await (const _ of pagesOf(args, path, `fields=${fields}`));
    }
    await evaluateAll(app, args.devices);
  });
  await app.stop();
  return figures;
}

async function evaluateAll(app: App, devices: number): Promise<void> {
  const { openObjectTarget } = await import('../../src/app/exports/plans/open-object-target.ts');
  const { targetRecord } = await import('../../src/app/exports/plans/desired-objects.ts');
  const account = await app.services.accounts.byName('out');
  if (account === undefined) throw new Error('the account is missing');
  const { evaluator, target } = await openObjectTarget(app.services, account);
  let wanted = 0;
  for await (const records of app.services.storage.hosts.scan({ scope: null, kind: 'hosts', state: 'active' }, 250)) {
    for (const record of records)
      wanted += target.wanted(targetRecord(record, evaluator.evaluate(record, 'export'))).length;
  }
  if (wanted < 6 * devices) throw new Error(`${wanted} objects`);
}

/** The calls that make as much, with nothing that says why. */
export async function bulkFloor(netbox: NetBoxAt) {
  return timed(async () => {
    const reference = async (path: string, fields: object) => {
      const made = (await ask(netbox, path, 'POST', [fields])) as unknown as readonly { readonly id: number }[];
      return made[0]?.id;
    };
    const manufacturer = await reference('dcim/manufacturers/', { name: 'Dell', slug: 'dell' });
    const type = await reference('dcim/device-types/', { model: 'R640', slug: 'r640', manufacturer });
    const role = await reference('dcim/device-roles/', { name: 'Server', slug: 'server' });
    const site = await reference('dcim/sites/', { name: 'Berlin', slug: 'berlin' });
    const common = { device_type: type, role, site };
    const devices = await makeAll(
      netbox,
      'dcim/devices/',
      Array.from({ length: netbox.devices }, (_, index) => ({
        name: deviceName(index),
        serial: `S${index}`,
        ...common,
      })),
    );
    const ports = await makeAll(
      netbox,
      'dcim/interfaces/',
      devices.flatMap((device) => [0, 1].map((port) => ({ device, name: `eth${port}`, type: '1000base-t' }))),
    );
    const assigned = ports.map((id) => ({ assigned_object_type: 'dcim.interface', assigned_object_id: id }));
    const addresses = await makeAll(
      netbox,
      'ipam/ip-addresses/',
      assigned.map((on, index) => ({ address: deviceAddress(Math.floor(index / 2), index % 2), ...on })),
    );
    const primary = devices.map((id, index) => ({ id, primary_ip4: addresses[2 * index] }));
    await makeAll(netbox, 'dcim/devices/', primary, 'PATCH');
  });
}

async function makeAll(netbox: NetBoxAt, path: string, all: readonly object[], method = 'POST'): Promise<number[]> {
  const made: number[] = [];
  for (let from = 0; from < all.length; from += TOGETHER) {
    const answered = await ask(netbox, path, method, all.slice(from, from + TOGETHER));
    made.push(...(answered as unknown as readonly { readonly id: number }[]).map(({ id }) => id));
  }
  return made;
}

type Measured = Readonly<Record<string, number>>;

/** One measured beside its floor: by the clock, in processor time and in memory. */
export function netboxRow(kit: Kit, what: string, product: Measured, floor: Measured, target: number): void {
  const [ms, bare] = [product.ms ?? Number.NaN, floor.ms ?? Number.NaN];
  kit.row({ what, product: ms, floor: bare, unit: 'ms', target });
  const [cpu, bareCpu] = [product.cpuMs ?? Number.NaN, floor.cpuMs ?? Number.NaN];
  kit.row({ what: `${what}, processor time`, product: cpu, floor: bareCpu, unit: 'ms' });
  kit.row({ what: `${what}, memory`, product: product.rssMb ?? Number.NaN, unit: 'MB' });
}
