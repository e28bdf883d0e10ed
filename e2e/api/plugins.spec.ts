import { mkdir, writeFile } from 'node:fs/promises';
import { expect, request, test } from '@playwright/test';
import { RunningService } from '../support/running-service.ts';
import { Workplace } from '../support/workplace.ts';

const PROVIDER = `import { definePlugin } from 'muster/plugin-api';

export default definePlugin({
  id: 'racks',
  apiVersion: 1,
  register(host) {
    host.inventoryProvider('racks', () => ({
      full: () => ({ _meta: { hostvars: { r1: { row: 'A', note: '{{ x }}' } } }, all: { hosts: ['r1'] } }),
      host: (name) => (name === 'r1' ? { row: 'A', note: '{{ x }}' } : false),
    }));
  },
});
`;

test('a provider of a third party appears in every entrance, and a broken plugin stops nothing', {
  tag: '@thorough',
}, async () => {
  const place = await Workplace.create({ SERVICE_PLUGINS: './racks,./broken,./slow' });
  for (const [name, text] of [
    ['racks', PROVIDER],
    ['broken', 'throw new Error("made wrong");\n'],
    ['slow', 'await new Promise((resolve) => setTimeout(resolve, 60_000));\nexport default {};\n'],
  ] as const) {
    await mkdir(place.path(name));
    await writeFile(place.path(`${name}/package.json`), '{"type": "module"}\n');
    await writeFile(place.path(`${name}/index.js`), text);
  }
  const environment = { SERVICE_PLUGIN_TIMEOUT_SECONDS: '4' };
  try {
    await place.done(['user', 'add', 'reader', '--role', 'automation', '--password-stdin'], {
      input: 'correct horse\n',
      environment,
    });
    expect((await place.done(['inventory-providers'], { environment })).split('\n')).toContain('racks');
    const listed = await place.done(['inventory', 'racks', '--list'], { environment });
    expect(JSON.parse(listed)).toEqual({
      _meta: { hostvars: { r1: { row: 'A', note: '{ { x }}' } } },
      all: { hosts: ['r1'] },
    });
    const statuses = JSON.parse(await place.done(['plugins', '--json'], { environment }));
    const states = new Map(statuses.map((status: { id: string; state: string }) => [status.id, status.state]));
    expect(states.get('racks')).toBe('running');
    expect(states.get('./broken')).toBe('failed');
    expect(states.get('./slow')).toBe('failed');

    const service = await RunningService.start(place, environment);
    const api = await request.newContext({
      baseURL: service.url,
      httpCredentials: { username: 'reader', password: 'correct horse', send: 'always' },
    });
    expect((await (await api.get('/api/v1/inventory/automation')).json()).providers).toContain('racks');
    expect(await (await api.get('/api/v1/inventory/automation/racks')).text()).toBe(listed.trimEnd());
    expect((await api.get('/api/v1/inventory/automation/racks?host=r2')).status()).toBe(404);
    await api.dispose();
    await service.stop();
  } finally {
    await place.close();
  }
});
