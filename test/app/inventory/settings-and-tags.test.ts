import { expect, it } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { systemClock } from '../../../src/adapters/system-clock.ts';
import { renderMode } from '../../../src/app/inventory/render-mode.ts';
import type { Config } from '../../../src/app/kernel/config/schema.ts';
import { OPERATOR, OperationsApp } from '../operations/operations-app.ts';

it.each<Partial<Config>>([
  { CMDB_MODE: true },
  { INVENTORY_TEXT_BOOLEANS: false },
  { INVENTORY_MERGE_ATTRIBUTES: ['contact'] },
  { INVENTORY_VARIABLE_NAMES: 'identifier' },
  { INVENTORY_ANSIBLE_LABELS: 'drop' },
  { INVENTORY_TEMPLATE_TEXT: 'serve' },
])('an inventory has another entity tag with %j, since it may be another one', async (config) => {
  const storage = memoryStorage()({ clock: systemClock });
  await storage.start();
  const answer = async (settings: Partial<Config>, knownTags: readonly string[] = []) => {
    const muster = await OperationsApp.over(storage, settings);
    const { services } = muster.app;
    const { etag = '', unchanged } = await services.inventories.answer({
      provider: 'automation',
      request: { scope: null, signal: AbortSignal.timeout(10_000) },
      render: renderMode(services, OPERATOR),
      knownTags,
    });
    return { etag, unchanged };
  };
  const { etag } = await answer({});
  expect(etag).not.toBe('');
  expect((await answer({}, [etag])).unchanged).toBe(true);
  expect((await answer(config, [etag])).unchanged).toBe(false);
});
