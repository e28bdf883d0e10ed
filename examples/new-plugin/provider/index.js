import { definePlugin } from 'muster/plugin-api';

/** The hosts, and their variables. Read them from wherever they are. */
const HOSTS = {
  'web1.example.org': { site: 'berlin' },
  'web2.example.org': { site: 'paris' },
};

/** An inventory provider: a catalogue of hosts that Ansible and others read. */
export default definePlugin({
  id: 'my-plugin',
  apiVersion: 2,
  description: 'Serves an inventory.',
  register(host) {
    host.inventoryProvider('my-plugin', () => ({
      full: () => ({ _meta: { hostvars: HOSTS }, all: { hosts: Object.keys(HOSTS).sort() } }),
      host: (hostname) => (Object.hasOwn(HOSTS, hostname) ? (HOSTS[hostname] ?? false) : false),
      // Text that changes when the answer would, so that an unchanged inventory is not sent again.
      revision: async () => '1',
    }));
  },
});
