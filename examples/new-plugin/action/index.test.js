import { describePluginActionContract, pluginUnderTest } from 'muster/testing';
import plugin from './index.js';

describePluginActionContract('my-plugin', {
  action: pluginUnderTest(plugin).action('count'),
  input: { where: 'site:codfw' },
  answers: { 'search/count-hosts': { size: 3 } },
});
