import { fileURLToPath } from 'node:url';
import { describeObjectTargetContract, describeTargetFaults, httpTargetFaults, pluginUnderTest } from 'muster/testing';
import { afterEach } from 'vitest';
import plugin from './index.ts';
import { type Device, Simulator } from './simulator.ts';

const username = 'writer';
const password = 'what no message may hold';
const { objectTarget, objectTargetType } = pluginUnderTest(plugin);

function open(url: string) {
  return objectTarget('my-plugin', { url }, { username, password });
}

const started: Simulator[] = [];
async function start(): Promise<Simulator> {
  const simulator = new Simulator(password);
  await simulator.start();
  started.push(simulator);
  return simulator;
}
afterEach(async () => {
  for (const simulator of started.splice(0)) await simulator.stop();
});

describeObjectTargetContract('my-plugin', {
  type: objectTargetType('my-plugin'),
  async create() {
    const simulator = await start();
    return {
      open: () => open(simulator.address),
      putForeign: async (_kind, key) => void simulator.put({ name: key, owner: 'somebody' }),
    };
  },
  broken: async () => open('http://127.0.0.1:9'),
  variables: (variant) => ({ os: `os${variant}`, site: 'berlin' }),
});

// In the program as people run it. `hosts`, `failingCalls` and `many` are small to be quick; without them more is tried.
describeTargetFaults(
  'my-plugin',
  httpTargetFaults({
    plugin: fileURLToPath(new URL('.', import.meta.url)),
    type: 'my-plugin',
    hosts: 60,
    failingCalls: [2],
    many: 1_000,
    hasVersions: true,
    labels: (n, variant) => ({ os: `os${variant}`, site: `s${n % 3}` }),
    wanted: (hostname, { os = '', site = '' }) => [{ kind: 'device', key: hostname, fields: { os, site } }],
    kindOf: () => 'device',
    async create() {
      const simulator = new Simulator(password);
      await simulator.start();
      const find = (name: string): Device => simulator.find(name) ?? simulator.put({ name, owner: null });
      return {
        address: simulator.address,
        account: (url) => ({ settings: { url, username }, password }),
        objects: async () =>
          [...simulator.devices.values()].map(({ name, os = '', site = '', ...others }) => ({
            kind: 'device',
            key: name,
            fields: { os: String(os), site: String(site) },
            text: JSON.stringify(others),
          })),
        putForeign: async (_kind, key) => void simulator.put({ name: key, owner: 'somebody' }),
        change: async (_kind, key) => simulator.change(find(key), { os: 'by hand' }),
        remove: async (_kind, key) => void simulator.devices.delete(find(key).id),
        close: () => simulator.stop(),
      };
    },
  }),
);
