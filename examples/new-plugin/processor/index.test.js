import { describeRecordProcessorContract, pluginUnderTest } from 'muster/testing';
import plugin from './index.js';

describeRecordProcessorContract('my-plugin', {
  open: () => pluginUnderTest(plugin).recordProcessor('my-plugin', { owner: 'network' }),
  records: [
    { kind: 'record', position: 'line 1', hostname: 'web01', labels: { site: 'codfw' } },
    { kind: 'record', position: 'line 2', hostname: 'test-web01', labels: {} },
  ],
});
