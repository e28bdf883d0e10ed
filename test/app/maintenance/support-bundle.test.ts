import { expect, it, onTestFinished } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { runDoctor } from '../../../src/app/maintenance/operations/run-doctor.ts';
import { showConfig } from '../../../src/app/maintenance/operations/show-config.ts';
import { supportBundle } from '../../../src/app/maintenance/operations/support-bundle.ts';
import { importAccount } from '../../../src/app/runs/import/operations/import-account.ts';
import { OperationsApp } from '../operations/operations-app.ts';

it('a support bundle says how things are, and holds no secret', async () => {
  const storage = memoryStorage()();
  await storage.start();
  const muster = await OperationsApp.over(storage, {
    INSTANCE_KEY: Buffer.alloc(32, 7).toString('base64'),
    AUDIT_FORWARD_TOKEN: 'tok3n-of-forwarding',
    AUDIT_FORWARD: ['https://s3cret-user:s3cret-pw@127.0.0.1:1/audit?token=tok3n-in-query', 'file:audit.jsonl'],
    PLUGIN_OPTIONS: { 'secret-plugin': { key: 's3cret-option' } },
  });
  onTestFinished(async () => {
    await muster.stop();
    await storage.stop();
  });
  await muster.run(addAccount, {
    name: 'crm',
    type: 'csv',
    password: 's3cret-of-account',
    settings: { path: '/nonexistent/x.csv' },
  });
  await muster.run(importAccount, { account: 'crm' }).catch(() => undefined);
  const { logs } = storage;
  const message =
    'GET https://ada:s3cret-in-address@example.org/x?key=tok3n-of-log failed, then mongodb://u:s3cret-of-store@db/x';
  const details = [{ level: 'error', message }] as const;
  await logs.append({ id: 'a'.repeat(24), at: new Date(), source: 'x', message, details, hasError: true });

  const bundle = await muster.run(supportBundle, {});
  expect(bundle.product).toMatch(/^Muster \d/);
  expect(bundle.storage).toMatchObject({ ok: true, records: { rules: expect.any(Number), logs: 2 } });
  expect(bundle.errors.map(({ source }) => source).sort()).toEqual(['import:crm', 'x']);
  expect(bundle.doctor.map(({ check }) => check)).toContain('instance key');
  expect(bundle.plugins.map(({ id }) => id)).toContain('csv');
  const text = JSON.stringify(bundle);
  expect(text).toContain('https://********@example.org/x');
  const shown = await muster.run(showConfig, {});
  expect(shown.config.find(({ key }) => key === 'AUDIT_FORWARD')?.value).toEqual([
    'https://********@127.0.0.1:1/audit?token=********',
    'file:audit.jsonl',
  ]);
  expect(JSON.stringify([shown, await muster.run(runDoctor, {})])).not.toMatch(/s3cret|tok3n/);
  expect(text).not.toMatch(/s3cret|tok3n/);
  expect(text).not.toContain(Buffer.alloc(32, 7).toString('base64'));
});
