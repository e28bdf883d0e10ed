import { once } from 'node:events';
import type { Benchmark } from './support/benchmark.ts';
import { inTurn, type Kit } from './support/kit.ts';
import {
  bulkFloor,
  change,
  type ExportArgs,
  exported,
  exportFloor,
  netboxRow,
  prepare,
  read,
  readFloor,
} from './support/netbox-sides.ts';

const DEVICES = 20_000;
const ROUNDS = 3;

async function server({ devices }: { readonly devices: number }): Promise<never> {
  const { bareNetBox } = await import('./support/bare-netbox.ts');
  const netbox = await bareNetBox(devices);
  await netbox.listen();
  process.send?.(`http://127.0.0.1:${netbox.port()}`);
  return new Promise(() => undefined);
}

async function started(kit: Kit, devices: number) {
  const child = kit.start('server', { devices });
  const [address] = (await once(child, 'message')) as [string];
  return { netbox: { address, token: 'bench', devices: DEVICES }, stop: () => child.kill() };
}

async function measureReading(kit: Kit): Promise<void> {
  const { netbox, stop } = await started(kit, DEVICES);
  const runs = await inTurn(ROUNDS, {
    floor: () => kit.run('readFloor', netbox),
    product: () => kit.run('read', netbox),
  });
  netboxRow(kit, 'read', runs.product, runs.floor, 1.5);
  // The newest change that the bookmark is of is one of these, or each device would count as changed just now.
  await kit.run('change', netbox);
  const folder = await kit.folder();
  await kit.run('read', { ...netbox, folder });
  await kit.run('change', netbox);
  const { changed } = await inTurn(ROUNDS, { changed: () => kit.run('read', { ...netbox, folder, isChanged: true }) });
  stop();
  const { ms = Number.NaN, cpuMs = Number.NaN } = changed;
  kit.row({ what: 'read of 1 % that changed, beside all', product: ms, floor: runs.product.ms ?? 0, unit: 'ms' });
  kit.row({ what: 'the same, processor time', product: cpuMs, floor: runs.product.cpuMs ?? 0, unit: 'ms' });
}

async function measureExport(kit: Kit): Promise<void> {
  const places: ExportArgs[] = [];
  const first = await inTurn(ROUNDS - 1, {
    async product() {
      const { netbox } = await started(kit, 0);
      const args = { ...netbox, folder: await kit.folder() };
      places.push(args);
      await kit.run('prepare', args);
      return kit.run('exported', args);
    },
    async floor() {
      const { netbox, stop } = await started(kit, 0);
      const figures = await kit.run('bulkFloor', netbox);
      stop();
      return figures;
    },
  });
  netboxRow(kit, 'first export', first.product, first.floor, 2);
  const args = places.at(-1) as ExportArgs;
  const again = await inTurn(ROUNDS, {
    floor: () => kit.run('exportFloor', args),
    product: () => kit.run('exported', args),
  });
  if (again.product.made !== 0) throw new Error(`${again.product.made} changes where nothing had changed`);
  netboxRow(kit, 'export, nothing to do', again.product, again.floor, 1.5);
}

export const benchmark: Benchmark = {
  title: `source and target netbox, ${DEVICES.toLocaleString('en')} devices with two ports and addresses each; floor: the same pages by fetch, the same rules, the same bulk calls`,
  sides: { server, readFloor, read, change, prepare, exported, exportFloor, bulkFloor },
  async measure(kit) {
    await measureReading(kit);
    await measureExport(kit);
  },
};
