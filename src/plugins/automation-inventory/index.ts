import { definePlugin } from '../../ports/index.ts';
import { projectNames, rulesProvider } from './provider.ts';

export default definePlugin({
  id: 'automation-inventory',
  apiVersion: 1,
  description: 'Hosts as the automation rules render them: provider "automation" and one provider an enabled project',
  register(host) {
    host.inventoryProvider('automation', (services) => rulesProvider(services, null));
    host.inventoryProviderFamily('projects', (services) => ({
      names: () => projectNames(services),
      async provider(name) {
        return (await projectNames(services)).includes(name) ? rulesProvider(services, name) : undefined;
      },
    }));
  },
});
