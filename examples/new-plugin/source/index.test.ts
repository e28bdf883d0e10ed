import {
  type AnsweringServer,
  answeringServer,
  describeSourceContract,
  describeSourceFaults,
  type FaultyRequest,
  httpSourceFaults,
  pluginUnderTest,
  type SystemAnswer,
} from 'muster/testing';
import { afterAll, beforeAll } from 'vitest';
import plugin from './index.ts';

const password = 'what no message may hold';

function open(url: string) {
  return pluginUnderTest(plugin).source('my-plugin', { url }, { username: 'reader', password });
}

/** What the system answers when it has these devices. */
function answer({ path }: FaultyRequest, devices: readonly { readonly hostname: string }[]): SystemAnswer {
  const page = Number(new URL(path, 'http://localhost').searchParams.get('page') ?? 1);
  const size = devices.length > 100 ? 1_000 : 10;
  const shown = devices.slice((page - 1) * size, page * size);
  const records = shown.map(({ hostname, ...labels }) => ({ name: hostname, os: 'debian', ...labels }));
  return { body: JSON.stringify({ devices: records, pages: Math.max(1, Math.ceil(devices.length / size)) }) };
}

let system: AnsweringServer;
beforeAll(async () => {
  system = await answeringServer((request) => answer(request, [{ hostname: 'web1' }, { hostname: 'web2' }]));
});
afterAll(() => system.close());

describeSourceContract('my-plugin', {
  healthy: async () => ({ source: open(system.address), hostname: 'web1' }),
  broken: async () => open('http://127.0.0.1:9'),
});

describeSourceFaults('my-plugin', httpSourceFaults({ open, answer, secrets: [password], many: 50_000 }));
