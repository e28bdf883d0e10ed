import { describeInventoryProviderContract, pluginUnderTest } from 'muster/testing';
import plugin from './index.js';

describeInventoryProviderContract('my-plugin', {
  create: async () => pluginUnderTest(plugin).provider('my-plugin'),
});
