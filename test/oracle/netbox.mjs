// What the oracle makes of its hosts and rules for NetBox, in a NetBox.
import { SetupError, step } from '../../scripts/report.mjs';
import { keep } from './oracle.mjs';

/** In the order in which installations run them. Primary addresses come with the second export of the machines that have them. */
const exports = [
  'export_cluster',
  'export_devices',
  'export_vms',
  'export_dcim_interfaces',
  'export_virt_interfaces',
  'export_ips',
  'export_devices',
  'export_vms',
  'export_prefixes',
  'export_contacts',
];

/** What it says of each object that it could not write. */
const refused = /Error in process|Error with device|Connection Error|Missing Field/;

/** Exports `hosts` hosts of each kind, and keeps what an installation gives away when it moves. */
export async function exportToNetBox(oracle, { address, token, hosts, target }) {
  await step(`Making ${hosts} hosts, and rules for NetBox`, () =>
    oracle.run('netbox.py', [address, token, String(hosts)]),
  );
  for (const name of exports) {
    await step(`netbox ${name}`, async () => {
      const { output } = await oracle.command('netbox', name, 'truth');
      const lines = output.split('\n').filter((line) => refused.test(line));
      if (lines.length > 0)
        throw new SetupError(
          `${lines.length} objects were not written:\n${[...new Set(lines)].slice(0, 5).join('\n')}`,
        );
      // It would serve what it rendered before there were ids of NetBox.
      await oracle.forget();
    });
  }
  await oracle.command('rules', 'export_all_rules', 'export.jsonl', '--include-hosts', '--include-accounts');
  keep(oracle, 'export.jsonl', target);
}
