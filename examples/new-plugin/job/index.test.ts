import { describeJobContract, pluginUnderTest } from 'muster/testing';
import plugin from './index.ts';

describeJobContract('my-plugin', {
  job: pluginUnderTest(plugin).job('My plugin'),
  answers: { 'hosts/host-counters': { num_hosts: 3 } },
});
