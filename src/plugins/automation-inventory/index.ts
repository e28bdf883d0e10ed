import { definePlugin } from '../../ports/index.ts';
import { projectNames, rulesProvider } from './provider.ts';

/** The project of the rules that have none: `automation` by another name. */
const DEFAULT_PROJECT = 'Default';

export default definePlugin({
  id: 'automation-inventory',
  apiVersion: 2,
  description: 'Hosts as the automation rules render them: provider "automation" and one provider an enabled project',
  register(host) {
    host.inventoryProvider('automation', (services) => rulesProvider(services, null));
    host.inventoryProviderFamily('projects', (services) => ({
      names: async () => (await projectNames(services)).filter((name) => name !== DEFAULT_PROJECT),
      async provider(name) {
        if (!(await projectNames(services)).includes(name)) return undefined;
        return rulesProvider(services, name === DEFAULT_PROJECT ? null : name);
      },
    }));
  },
});
