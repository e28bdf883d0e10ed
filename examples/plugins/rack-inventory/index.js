import { definePlugin } from 'muster/plugin-api';

/** An inventory that does not come from stored hosts: the power distribution units of the racks. */
const units = { 'pdu-a1.example.org': { rack: 'A1', outlets: 24 }, 'pdu-b1.example.org': { rack: 'B1', outlets: 48 } };

export default definePlugin({
  id: 'rack-inventory',
  apiVersion: 2,
  register(host) {
    host.inventoryProvider('racks', () => ({
      full: () => ({ _meta: { hostvars: units }, all: { hosts: Object.keys(units).sort() } }),
      host: (hostname) => (Object.hasOwn(units, hostname) ? units[hostname] : false),
    }));
  },
});
