import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { type MigrationOptions, migrateStorage } from '../../../src/app/maintenance/transfer/migrate-storage.ts';
import type { Storage } from '../../../src/ports/index.ts';
import { actor, labelWrite, minute, red } from '../../../src/testing/samples.ts';
import { openSqlite } from '../../adapters/sqlite/sqlite-harness.ts';

export async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-transfer-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function freshMemory(): Promise<Storage> {
  const storage = memoryStorage()();
  await storage.start();
  onTestFinished(() => storage.stop());
  return storage;
}

export async function freshSqlite(): Promise<Storage> {
  const storage = await openSqlite(join(await freshFolder(), 'muster.db'));
  onTestFinished(() => storage.stop());
  return storage;
}

/** Hosts with a history of one change each. */
export async function fillHosts(storage: Storage, count: number): Promise<void> {
  for (let from = 0; from < count; from += 2_000) {
    const names = Array.from({ length: Math.min(2_000, count - from) }, (_, n) => `host-${from + n}`);
    for (const version of [1, 2]) {
      const entries = names.map((name): [string, Record<string, string>] => [
        name,
        { name, version: `${version}`, text: name.repeat(20) },
      ]);
      await storage.hosts.saveLabels(labelWrite(entries, { account: red, at: minute(version), actor }));
    }
  }
}

export function migrate(from: Storage, to: Storage, options: Partial<MigrationOptions> = {}) {
  return migrateStorage(from, to, {
    source: 'test:source',
    force: false,
    signal: new AbortController().signal,
    progress: () => undefined,
    ...options,
  });
}

/** The storage as it is, but the write of that number fails. */
export function failingAtWrite(storage: Storage, number: number): Storage {
  let writes = 0;
  return {
    ...storage,
    transfer: {
      ...storage.transfer,
      async write(part, records) {
        // Marks do not count.
        if (records[0]?.value.operation !== 'storage/unfinished-transfer' && ++writes === number)
          throw new Error('cut off');
        await storage.transfer.write(part, records);
      },
    },
  };
}
