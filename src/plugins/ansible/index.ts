import { definePlugin, PLUGIN_API_VERSION } from '../../ports/index.ts';
import { ansibleOptions } from './options.ts';
import { checkInventory, readInventory } from './read.ts';

export default definePlugin({
  id: 'ansible',
  apiVersion: PLUGIN_API_VERSION,
  description: 'Imports hosts and groups of an inventory of Ansible.',
  register(host) {
    host.source({
      id: 'ansible',
      title: 'Ansible inventory',
      description:
        'The hosts, groups and variables that ansible-inventory reads of an inventory, or a saved answer of it.',
      get options() {
        return ansibleOptions();
      },
      isLocal: true,
      open: (options, _account, services) => ({
        read: (context) => readInventory(options, services, context),
        check: (context) => checkInventory(options, services, context),
      }),
    });
  },
});
