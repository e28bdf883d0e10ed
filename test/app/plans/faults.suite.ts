import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { saveHostsBulk } from '../../../src/app/hosts/operations/save-hosts-bulk.ts';
import { listLogs } from '../../../src/app/journal/operations/list-logs.ts';
import { offerPluginApi } from '../../../src/app/kernel/plugin-host/plugin-api-resolver.ts';
import { exportAccount } from '../../../src/app/runs/export/operations/export-account.ts';
import { applyStoredPlan } from '../../../src/app/runs/plans/operations/apply-plan.ts';
import { makeStoredPlan } from '../../../src/app/runs/plans/operations/make-plan.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';
import { ROOT } from '../../architecture/source-files.ts';
import { DeviceRegistry, type RegistryFault } from '../../support/device-registry.ts';
import { OperationsApp } from '../operations/operations-app.ts';

const PLUGIN = join(ROOT, 'examples/plugins/device-registry');
const COUNT = 120;

/** What a system over HTTP does to exports. Run over stores. */
export function describeFaults(name: string, create: StorageHarness['create']): void {
  describe(`${name}: a system that`, () => {
    let opened: OpenedStorage;
    let muster: OperationsApp;
    let registry: DeviceRegistry;
    beforeEach(async () => {
      offerPluginApi({ 'muster/plugin-api': pathToFileURL(join(ROOT, 'dist/plugin-api.js')).href });
      opened = await create();
      registry = await DeviceRegistry.start();
      muster = await OperationsApp.over(opened.storage, { PLUGINS: [PLUGIN], PLUGIN_TIMEOUT_SECONDS: 20 });
      await muster.addAccounts('red');
      const settings = { url: registry.url };
      await muster.run(addAccount, { name: 'out', type: 'device-registry', settings, password: 'sesame' });
      const objects = Array.from({ length: COUNT }, (_, n) => {
        return { hostname: `h${String(n).padStart(3, '0')}`, labels: { site: `s${n % 3}`, os: 'debian' } };
      });
      await muster.run(saveHostsBulk, { account: 'red', objects });
    });
    afterEach(async () => {
      await muster.stop();
      await registry.stop();
      await opened.close();
    });

    const run = () => muster.run(exportAccount, { account: 'out' });
    const change = (os: string, count = COUNT) => {
      const objects = Array.from({ length: count }, (_, n) => {
        return { hostname: `h${String(n).padStart(3, '0')}`, labels: { site: `s${n % 3}`, os } };
      });
      return muster.run(saveHostsBulk, { account: 'red', objects });
    };

    /** Everything is there once, and the next run makes no writing call. */
    async function expectWhole(): Promise<void> {
      expect(registry.names('devices').length).toBe(COUNT);
      expect(new Set(registry.names('devices')).size).toBe(COUNT);
      registry.writes.length = 0;
      expect(await run()).toMatchObject({ status: 'done', summary: { written: 0, unchanged: COUNT + 3 } });
      expect(registry.writes).toEqual([]);
    }

    /** The n-th writing call meets the fault. */
    function failOnce(fault: RegistryFault, nth = 5): void {
      let calls = 0;
      registry.fault = (method) => (method !== 'GET' && ++calls === nth ? fault : undefined);
    }

    it('takes all of it, in order of kinds and by calls of many', async () => {
      expect(await run()).toMatchObject({ status: 'done', summary: { written: COUNT + 3 } });
      expect(registry.writes).toEqual([...Array(3).fill('POST /sites'), ...Array(3).fill('POST /devices/bulk')]);
      await expectWhole();
    });

    it.each([
      ['refuses the connection', 'refuse'],
      ['does not know us', { status: 401 }],
      ['forbids', { status: 403 }],
      ['answers 500', { status: 500 }],
      ['cuts its answers off', 'cut'],
      ['answers something else', 'nonsense'],
    ] as const)(
      '%s when it is read: nothing is changed',
      async (_, fault) => {
        await run();
        await change('rocky');
        registry.writes.length = 0;
        registry.fault = () => fault;
        const report = await run();
        expect(report.status).not.toBe('done');
        expect(JSON.stringify([report, await muster.run(listLogs, {})])).not.toContain('sesame');
        expect(registry.writes.filter((write) => write.startsWith('DELETE'))).toEqual([]);
        registry.fault = undefined;
        await run();
        await expectWhole();
      },
      60_000,
    );

    it('loses a page of one kind: nothing of it is deleted or made', async () => {
      await run();
      registry.put('devices', { name: 'unwanted', owner: 'muster' });
      registry.fault = (method, path) => (method === 'GET' && path === '/devices' ? { status: 500 } : undefined);
      const report = await run();
      expect(report).toMatchObject({ status: 'partial', objects: { delete: 0, create: 0, conflict: COUNT } });
      expect(report.message).toContain('not everything could be read');
      registry.fault = undefined;
      expect(await run()).toMatchObject({ status: 'done', objects: { delete: 1 } });
      await expectWhole();
    }, 60_000);

    it.each([
      ['loses an answer', 'lose'],
      ['breaks a connection', 'refuse'],
      ['is busy', { status: 429, headers: { 'retry-after': '0' } }],
      ['is down for a moment', { status: 503, headers: { 'retry-after': '0' } }],
      ['answers nonsense', 'nonsense'],
    ] as const)(
      '%s in the middle: nothing is lost, and nothing there twice',
      async (_, fault) => {
        failOnce(fault);
        await run();
        registry.fault = undefined;
        await run();
        await expectWhole();
        await change('rocky');
        failOnce(fault, 20);
        await run();
        registry.fault = undefined;
        await run();
        await expectWhole();
      },
      60_000,
    );

    it('refuses one of a call: the others are made', async () => {
      registry.refusedNames.add('h007');
      const report = await run();
      expect(report).toMatchObject({ status: 'partial', summary: { written: COUNT + 2, failed: 1 } });
      expect(report.failures).toEqual([{ hostname: 'h007', reason: 'device h007 was not made: h007 is no name' }]);
      registry.refusedNames.clear();
      await run();
      await expectWhole();
    });

    it('permits one kind only: the other one is made, and what comes after the first is named', async () => {
      registry.fault = (method, path) => (method === 'POST' && path === '/sites' ? { status: 403 } : undefined);
      const report = await run();
      expect(report).toMatchObject({ status: 'partial', summary: { written: 0, failed: COUNT + 3 } });
      expect(report.failures[0]?.reason).toContain('site s0 was not made: fault 403');
      expect(report.failures[4]?.reason).toContain('which it comes after, is not there');
      registry.fault = undefined;
      await run();
      await expectWhole();
    });

    it('has a foreign object of the same name: it is never touched', async () => {
      const foreign = registry.put('devices', { name: 'h003', owner: 'somebody' });
      const text = JSON.stringify(foreign);
      const report = await run();
      expect(report).toMatchObject({ status: 'partial', objects: { conflict: 1 }, summary: { written: COUNT + 2 } });
      expect(JSON.stringify(registry.devices.get(foreign.id))).toBe(text);
    });

    it('changes between plan and call: what changed is refused by name', async () => {
      await run();
      await change('rocky', 10);
      const { id } = await muster.run(makeStoredPlan, { account: 'out' });
      let isFirst = true;
      registry.fault = (method) => {
        const first = [...registry.devices.values()].find(({ name: own }) => own === 'h004');
        if (method === 'PATCH' && isFirst && first !== undefined) first.version = '"77"';
        if (method === 'PATCH') isFirst = false;
        return undefined;
      };
      const applied = await muster.run(applyStoredPlan, { plan: id });
      expect(applied).toMatchObject({ status: 'partial', done: 9, failed: 1 });
      expect(applied.failures[0]).toMatchObject({ hostname: 'h004', reason: expect.stringContaining('another one') });
      registry.fault = undefined;
      await run();
      await expectWhole();
    });
  });
}
