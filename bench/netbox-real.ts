import { chmod } from 'node:fs/promises';
import { endProcess } from '../test/servers/processes.ts';
import type { Benchmark } from './support/benchmark.ts';
import { inTurn, type Kit } from './support/kit.ts';
import { bulkFloor, exported, exportFloor, netboxRow, prepare, read, readFloor } from './support/netbox-sides.ts';

/** NetBox itself takes some hundredths of a second to make one object. */
const DEVICES = 2_000;
const ROUNDS = 3;

/** Two empty ones: what the product fills, and what the calls by hand fill. */
async function start(kit: Kit) {
  const { whyNot } = await import('../test/servers/install.ts');
  const { netbox } = await import('../test/servers/netbox.ts');
  const reason = await whyNot(netbox);
  if (reason !== undefined) return reason;
  const folder = await kit.folder();
  await chmod(folder, 0o755);
  const { facts, processes } = await netbox.start(folder);
  const at = (address = '') => ({ address, token: facts.token ?? '', devices: DEVICES });
  return {
    ours: at(facts.address),
    byHand: at(facts['second address']),
    stop: () => Promise.all(processes.map(endProcess)),
  };
}

export const benchmark: Benchmark = {
  title: `source and target netbox with a real NetBox, ${DEVICES.toLocaleString('en')} devices with two ports and addresses each; floor: the same pages by fetch, the same rules, the same bulk calls`,
  sides: { readFloor, read, prepare, exported, exportFloor, bulkFloor },
  async measure(kit) {
    const started = await start(kit);
    if (typeof started === 'string') return kit.note(`not measured, because ${started}`);
    const { ours, byHand, stop } = started;
    try {
      const args = { ...ours, folder: await kit.folder() };
      await kit.run('prepare', args);
      const first = await inTurn(1, {
        floor: () => kit.run('bulkFloor', byHand),
        product: () => kit.run('exported', args),
      });
      netboxRow(kit, 'first export', first.product, first.floor, 2);
      const again = await inTurn(ROUNDS, {
        floor: () => kit.run('exportFloor', args),
        product: () => kit.run('exported', args),
      });
      if (again.product.made !== 0) throw new Error(`${again.product.made} changes where nothing had changed`);
      netboxRow(kit, 'export, nothing to do', again.product, again.floor, 1.5);
      const reading = await inTurn(ROUNDS, {
        floor: () => kit.run('readFloor', ours),
        product: () => kit.run('read', ours),
      });
      netboxRow(kit, 'read', reading.product, reading.floor, 1.5);
    } finally {
      await stop();
    }
  },
};
