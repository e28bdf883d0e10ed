import { definePlugin } from '../../ports/plugin.ts';
import { sitesProvider } from './provider.ts';
import { cmkSiteSettings } from './settings-type.ts';
import { cmkSites } from './sites-type.ts';

export default definePlugin({
  id: 'cmk-sites',
  apiVersion: 2,
  description: 'Monitoring sites, their settings, and the inventory of their servers',
  register(host) {
    host.ruleType(cmkSites);
    host.ruleType(cmkSiteSettings);
    host.inventoryProvider('cmk_sites', sitesProvider);
  },
});
