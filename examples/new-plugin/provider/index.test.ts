import { describeInventoryProviderContract, pluginUnderTest } from 'muster/testing';
import plugin from './index.ts';

describeInventoryProviderContract('my-plugin', {
  create: async () => pluginUnderTest(plugin).provider('my-plugin'),
});
