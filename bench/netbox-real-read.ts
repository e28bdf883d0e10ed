import { chmod } from 'node:fs/promises';
import { endProcess } from '../test/servers/processes.ts';
import type { Benchmark } from './support/benchmark.ts';
import { inTurn } from './support/kit.ts';
import { netboxRow, read, readFloor } from './support/netbox-sides.ts';

/** As `netbox_devices.py` makes them. */
const DEVICES = 20_000;

export const benchmark: Benchmark = {
  title: `source netbox with a real NetBox, ${DEVICES.toLocaleString('en')} devices with two ports and addresses each; floor: the same pages by fetch`,
  sides: { readFloor, read },
  async measure(kit) {
    const { whyNot } = await import('../test/servers/install.ts');
    const { netbox, runInNetBox } = await import('../test/servers/netbox.ts');
    const reason = await whyNot(netbox);
    if (reason !== undefined) return kit.note(`not measured, because ${reason}`);
    const folder = await kit.folder();
    await chmod(folder, 0o755);
    const { facts, processes } = await netbox.start(folder);
    try {
      await runInNetBox(folder, 'first', 'bench/support/netbox_devices.py');
      const at = { address: facts.address ?? '', token: facts.token ?? '', devices: DEVICES };
      const reading = await inTurn(1, { floor: () => kit.run('readFloor', at), product: () => kit.run('read', at) });
      netboxRow(kit, 'read', reading.product, reading.floor, 1.5);
    } finally {
      await Promise.all(processes.map(endProcess));
    }
  },
};
