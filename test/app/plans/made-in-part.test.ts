import { expect, it } from 'vitest';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { exportAccount } from '../../../src/app/exports/operations/export-account.ts';
import { saveHostsBulk } from '../../../src/app/hosts/operations/save-hosts-bulk.ts';
import { faultyServer, send } from '../../../src/testing/faulty-server.ts';
import { createSqlite } from '../../adapters/sqlite/sqlite-harness.ts';
import { OperationsApp } from '../operations/operations-app.ts';

const OBJECTS = [
  {
    kind: 'device',
    title: 'Devices',
    read: { path: 'devices' },
    key: 'name',
    fields: { os: {} },
    wanted: { key: '{{ HOSTNAME }}', fields: { os: '{{ os }}' } },
    create: [
      { path: 'devices', body: { name: '{{ key }}' } },
      { path: 'devices/{{ id }}', method: 'PATCH', body: { os: '{{ fields.os }}' } },
    ],
    update: { path: 'devices/{{ id }}', body: { os: '{{ fields.os }}' } },
  },
];

// The system has no place for a mark: what Muster remembers says whose an object is.
it('an object that was made and could not be finished is ours, and the next run finishes it', async () => {
  const devices: { id: number; name: string; os?: string }[] = [];
  let isFull = true;
  const server = await faultyServer((response, { method, body }) => {
    if (method === 'GET') return send(response, { body: JSON.stringify(devices) });
    if (method === 'POST') {
      devices.push({ id: devices.length + 1, name: JSON.parse(body).name });
      return send(response, { body: JSON.stringify(devices.at(-1)) });
    }
    if (isFull) return send(response, { status: 422, body: '{"error": "no room"}' });
    for (const device of devices) device.os = JSON.parse(body).os;
    return send(response, { body: '{}' });
  });
  const opened = await createSqlite();
  const muster = await OperationsApp.over(opened.storage);
  try {
    await muster.addAccounts('red');
    await muster.run(saveHostsBulk, { account: 'red', objects: [{ hostname: 'web1', labels: { os: 'debian' } }] });
    const settings = { url: server.address, objects: JSON.stringify(OBJECTS) };
    await muster.run(addAccount, { name: 'out', type: 'rest_target', settings });
    const first = await muster.run(exportAccount, { account: 'out' });
    expect(first).toMatchObject({ status: 'partial', failures: [{ reason: expect.stringContaining('no room') }] });
    isFull = false;
    const second = await muster.run(exportAccount, { account: 'out' });
    expect(second).toMatchObject({ status: 'done', objects: { create: 0, update: 1, conflict: 0 } });
    expect(devices).toEqual([{ id: 1, name: 'web1', os: 'debian' }]);
    expect(await muster.run(exportAccount, { account: 'out' })).toMatchObject({
      summary: { written: 0, unchanged: 1 },
    });
  } finally {
    await muster.stop();
    await server.close();
    await opened.close();
  }
});
