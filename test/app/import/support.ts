import { afterEach } from 'vitest';
import { sqliteScratch } from '../../../src/adapters/scratch/sqlite-scratch.ts';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { type ImportDeps, type ImportRequest, runImport } from '../../../src/app/runs/import/import-run.ts';
import type { ImportAccount } from '../../../src/app/runs/import/import-stage.ts';
import { type ImportOptions, importOptions } from '../../../src/kit/account-options/import-options.ts';
import type { ImportReport } from '../../../src/kit/summaries/import-summary.ts';
import { type Said, textOf } from '../../../src/kit/worded.ts';
import {
  DEFAULT_MAX_HOST_BYTES,
  type JsonValue,
  type Logger,
  type LogStore,
  type Source,
  type SourceItem,
  type Storage,
  StoredJson,
} from '../../../src/ports/index.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';

export const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silent,
};

export const WEB: ImportAccount = {
  id: 'a'.repeat(24),
  name: 'web',
  type: 'vmware',
  isObject: false,
  objectType: 'host',
  isMaster: false,
};
export const OTHER: ImportAccount = { ...WEB, id: 'b'.repeat(24), name: 'other' };

export interface World {
  readonly storage: Storage;
  readonly deps: ImportDeps;
  run(source: Source, settings?: RunSettings): Promise<ImportReport>;
  /** Hostnames of active hosts. */
  active(): Promise<string[]>;
  labels(hostname: string): Promise<JsonValue | undefined>;
  /** Leaves the host room for less than a thousand bytes. */
  fill(hostname: string): Promise<void>;
  advance(milliseconds: number): void;
}

interface RunSettings extends Partial<Omit<ImportRequest, 'source' | 'options'>> {
  readonly options?: Partial<ImportOptions>;
  readonly hosts?: ImportDeps['hosts'];
  readonly logs?: LogStore;
  readonly longestWaitMs?: number;
}

export type CreateStore = StorageHarness['create'];

/** Makes worlds over such a store, which is closed after each test; over one in memory where none is given. */
export function worlds(create: CreateStore | undefined): () => Promise<World> {
  const opened: OpenedStorage[] = [];
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });
  return async () => {
    const made = await create?.();
    if (made !== undefined) opened.push(made);
    return world(made?.storage);
  };
}

/** Without a store it is one in memory. */
export async function world(stored?: Storage): Promise<World> {
  let time = Date.UTC(2025, 0, 1);
  let ids = 0;
  const clock = { now: () => new Date(time++) };
  const storage = stored ?? memoryStorage()({ clock });
  if (stored === undefined) await storage.start();
  const newId = () => (++ids).toString(16).padStart(24, '0');
  const { hosts, relations, marks, logs } = storage;
  const openScratch = async () => sqliteScratch();
  const deps: ImportDeps = { hosts, relations, marks, logs, clock, logger: silent, newId, openScratch };
  return {
    storage,
    deps,
    async run(source, { options, hosts, logs, longestWaitMs, ...settings } = {}) {
      return runImport(
        { ...deps, hosts: hosts ?? deps.hosts, logs: logs ?? deps.logs, longestWaitMs },
        {
          account: WEB,
          signal: new AbortController().signal,
          source,
          options: importOptions().parse({ ...options }),
          ...settings,
        },
      );
    },
    async active() {
      const all = await storage.hosts.page({
        filter: { scope: null, kind: 'all', state: 'active' },
        offset: 0,
        limit: 100_000,
      });
      return all.map(({ hostname }) => hostname);
    },
    async labels(hostname) {
      return (await storage.hosts.get(hostname, null))?.labels.value as JsonValue | undefined;
    },
    async fill(hostname) {
      const section = StoredJson.ofValue({ text: 'x'.repeat(DEFAULT_MAX_HOST_BYTES - 1_000) });
      const actor = { kind: 'user', name: 'ada' } as const;
      await hosts.saveInventory({ entries: [{ hostname, key: 'all', section }], scope: null, at: clock.now(), actor });
    },
    advance(milliseconds) {
      time += milliseconds;
    },
  };
}

/** With the text of each reason. */
export function withReasons<Record extends { readonly reason: Said }>(records: readonly Record[]) {
  return records.map((one) => ({ ...one, reason: textOf(one.reason) }));
}

export function record(hostname: string, labels: Record<string, JsonValue> = {}, position = 'line 2'): SourceItem {
  return { kind: 'record', position, hostname, labels };
}

export function skipped(reason: string, hostname?: string): SourceItem {
  return hostname === undefined
    ? { kind: 'skipped', position: 'line 9', reason }
    : { kind: 'skipped', position: 'line 9', hostname, reason };
}

export function gap(what = 'page 2 of 3', reason = 'the server answered 500'): SourceItem {
  return { kind: 'gap', what, reason };
}

/** A source of these batches; an error in their place is thrown there. */
export function sourceOf(...batches: (readonly SourceItem[] | Error)[]): Source {
  return {
    async *read() {
      for (const batch of batches) {
        if (batch instanceof Error) throw batch;
        yield batch;
      }
    },
  };
}

export function hostNames(count: number, from = 0): SourceItem[] {
  return Array.from({ length: count }, (_, i) => record(`h${String(from + i).padStart(5, '0')}`, { n: i }));
}
