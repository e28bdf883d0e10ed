import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { exportAccount } from '../../../src/app/exports/operations/export-account.ts';
import { saveHostsBulk } from '../../../src/app/hosts/operations/save-hosts-bulk.ts';
import { offerPluginApi } from '../../../src/app/kernel/plugin-host/plugin-api-resolver.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';
import { ROOT } from '../../architecture/source-files.ts';
import { DeviceRegistry } from '../../support/device-registry.ts';
import { OperationsApp } from '../operations/operations-app.ts';

const PLUGIN = join(ROOT, 'examples/plugins/device-registry');
const COUNT = 120;

/** A type of accounts that writes to the registry. */
export interface FaultyTarget {
  readonly type: string;
  readonly plugins: readonly string[];
  settings(url: string): Readonly<Record<string, string>>;
  /** How a reason of the registry is told: all of it, or among other words. */
  readonly isVerbatim: boolean;
}

export const EXAMPLE_PLUGIN: FaultyTarget = {
  type: 'device-registry',
  plugins: [PLUGIN],
  settings: (url) => ({ url }),
  isVerbatim: true,
};

/** What is said of systems that do not take everything, and how many calls others take; `test/plugins/faults` has all that goes wrong. */
export function describeFaults(name: string, create: StorageHarness['create'], target: FaultyTarget): void {
  const told = (before: string, said: string) =>
    target.isVerbatim ? `${before}${said}` : expect.stringMatching(new RegExp(`^${before}.*${said}`));
  describe(`${target.type} over ${name}: a system that`, () => {
    let opened: OpenedStorage;
    let muster: OperationsApp;
    let registry: DeviceRegistry;
    beforeEach(async () => {
      offerPluginApi({ 'muster/plugin-api': pathToFileURL(join(ROOT, 'dist/plugin-api.js')).href });
      opened = await create();
      registry = await new DeviceRegistry().start();
      muster = await OperationsApp.over(opened.storage, { PLUGINS: [...target.plugins], PLUGIN_TIMEOUT_SECONDS: 20 });
      await muster.addAccounts('red');
      const settings = target.settings(registry.url);
      await muster.run(addAccount, { name: 'out', type: target.type, settings, password: 'sesame' });
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
    /** Everything is there once, and the next run makes no writing call. */
    async function expectWhole(): Promise<void> {
      expect(registry.names('devices').length).toBe(COUNT);
      expect(new Set(registry.names('devices')).size).toBe(COUNT);
      registry.writes.length = 0;
      expect(await run()).toMatchObject({ status: 'done', summary: { written: 0, unchanged: COUNT + 3 } });
      expect(registry.writes).toEqual([]);
    }

    it('takes all of it, in order of kinds and by calls of many', async () => {
      expect(await run()).toMatchObject({ status: 'done', summary: { written: COUNT + 3 } });
      expect(registry.writes).toEqual([...Array(3).fill('POST /sites'), ...Array(3).fill('POST /devices/bulk')]);
      await expectWhole();
    });

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

    it('refuses one of a call: the others are made', async () => {
      registry.refusedNames.add('h007');
      const report = await run();
      expect(report).toMatchObject({ status: 'partial', summary: { written: COUNT + 2, failed: 1 } });
      expect(report.failures).toEqual([
        { hostname: 'h007', reason: told('device h007 was not made: ', 'h007 is no name') },
      ]);
      registry.refusedNames.clear();
      await run();
      await expectWhole();
    });

    it('permits one kind only: the other one is made, and what comes after the first is named', async () => {
      registry.fault = (method, path) => (method === 'POST' && path === '/sites' ? { status: 403 } : undefined);
      const report = await run();
      expect(report).toMatchObject({ status: 'partial', summary: { written: 0, failed: COUNT + 3 } });
      expect(report.failures[0]?.reason).toEqual(told('site s0 was not made: ', 'fault 403'));
      expect(report.failures[4]?.reason).toContain('which it depends on, is missing');
      registry.fault = undefined;
      await run();
      await expectWhole();
    });
  });
}
