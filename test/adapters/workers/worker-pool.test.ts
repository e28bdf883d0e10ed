import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HeldPlugins } from '../../../src/adapters/workers/held-plugins.ts';
import { type WorkerPool, workerPool } from '../../../src/adapters/workers/worker-pool.ts';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { renderInventory } from '../../../src/app/inventory/operations/render-inventory.ts';
import type { ServedHost } from '../../../src/app/inventory/prepare-inventories.ts';
import { listAudit } from '../../../src/app/journal/operations/list-audit.ts';
import { localOperator } from '../../../src/app/kernel/caller.ts';
import { type Config, configSchema } from '../../../src/app/kernel/config/schema.ts';
import { createExecutor, OperationLost } from '../../../src/app/kernel/executor.ts';
import type { StreamAnswer } from '../../../src/app/kernel/operation.ts';
import type { CallTiming } from '../../../src/app/kernel/timings.ts';
import { importRulesOfType } from '../../../src/app/rules/operations/import-rules-of-type.ts';
import { listRuleTypes } from '../../../src/app/rules/operations/list-rule-types.ts';
import { type App, createApp } from '../../../src/main/compose.ts';
import { rehearseInventory } from '../../../src/main/rehearse-inventory.ts';
import { AppError, type JsonObject, type Logger } from '../../../src/ports/index.ts';

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => SILENT };
const OPERATOR = localOperator({ name: 'operator', path: 'test', requestId: 'test' });
/** A rule type whose check ends the thread, a provider that hangs after its first batch, and one that notes each rendering. */
const BAD_PLUGIN = `
  import { appendFileSync } from 'node:fs';
  async function* full() {
    yield [{ hostname: 'rack01', variables: { text: JSON.stringify({ units: 'u'.repeat(500_000) }) }, groups: [] }];
    await new Promise(() => {});
  }
  async function* counted() {
    appendFileSync(new URL('made.txt', import.meta.url), 'made ');
    for (let batch = 0; batch < 20; batch++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      yield [{ hostname: 'rack' + batch, variables: { text: '{}' }, groups: [] }];
    }
  }
  export default {
    id: 'bad',
    apiVersion: 1,
    register(host) {
      host.inventoryProvider('hanging', () => ({ full, host: () => false, revision: async () => '1' }));
      host.inventoryProvider('counted', () => ({ full: counted, host: () => false, revision: async () => '1' }));
      host.ruleType({
        id: 'deadly', aliases: [], title: 'Deadly', description: 'Deadly', keyedBy: 'name', uniqueNames: true,
        conditional: false, exportGroup: 'rules', secretMembers: [], schema: {}, check: () => process.reallyExit(3),
      });
    },
  };`;

let directory: string;
let pool: WorkerPool | undefined;
let app: App | undefined;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'muster-workers-'));
  pool = undefined;
  app = undefined;
});

afterEach(async () => {
  await pool?.stop();
  await app?.stop();
  await rm(directory, { recursive: true, force: true });
});

function settingsOf(members: Partial<Config> = {}) {
  const defaults = configSchema.parse({ DATABASE_URL: 'sqlite:data/muster.db', LOG_LEVEL: 'silent' });
  const config: Config = { ...defaults, ...members };
  const origins = Object.fromEntries(Object.keys(config).map((key) => [key, 'default'])) as never;
  return { config, origins, workingDirectory: directory };
}

async function withBadPlugin(): Promise<Partial<Config>> {
  const path = join(directory, 'bad.mjs');
  await writeFile(path, BAD_PLUGIN);
  return { PLUGINS: [path], PLUGIN_TIMEOUT_SECONDS: 0.3, WORKER_THREADS: 1 };
}

function listTypes(): Promise<unknown> | undefined {
  return pool?.run(listRuleTypes as never, { kind: 'value', value: {} }, OPERATOR, {});
}

test('a thread that could not open the storage is replaced, so that a later operation can succeed', async () => {
  pool = workerPool({ threads: 1, previewSeconds: 60, settings: settingsOf() }, { logger: SILENT });
  await writeFile(join(directory, 'data'), 'a file where the folder of the database should be');
  const failure = await listTypes()?.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(OperationLost);
  expect(failure).toMatchObject({ reason: { code: expect.stringMatching(/^(unavailable|failed)$/) } });
  await rm(join(directory, 'data'));
  await mkdir(join(directory, 'data'));
  await expect
    .poll(
      () =>
        listTypes()?.then(
          () => true,
          () => false,
        ),
      { timeout: 10_000 },
    )
    .toBe(true);
});

test('a provider that hangs is given up, and its place in the line is free again', async () => {
  await mkdir(join(directory, 'data'));
  pool = workerPool(
    { threads: 1, previewSeconds: 60, settings: settingsOf(await withBadPlugin()) },
    { logger: SILENT },
  );
  const input = { kind: 'value', value: { provider: 'hanging' } } as const;
  // More than the thread takes at once: the last of them run only when the first are given up.
  const readings = Array.from({ length: 40 }, async () => {
    const answer = (await pool?.run(renderInventory as never, input, OPERATOR, {})) as StreamAnswer;
    let bytes = 0;
    for await (const chunk of answer.body) bytes += chunk.length;
    return bytes;
  });
  for (const outcome of await Promise.allSettled(readings)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: expect.stringMatching(/^plugin bad: /) } });
  }
});

test('ten who ask for one inventory at the same time cause one rendering, also where there are more threads', async () => {
  await mkdir(join(directory, 'data'));
  pool = workerPool(
    {
      threads: 2,
      previewSeconds: 60,
      settings: settingsOf({ ...(await withBadPlugin()), PLUGIN_TIMEOUT_SECONDS: 30 }),
    },
    { logger: SILENT },
  );
  const input = { kind: 'value', value: { provider: 'counted' } } as const;
  const texts = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const answer = (await pool?.run(renderInventory as never, input, OPERATOR, {})) as StreamAnswer;
      const chunks: Uint8Array[] = [];
      for await (const chunk of answer.body) {
        chunks.push(chunk as Uint8Array);
        if (index === 0) break;
      }
      return Buffer.concat(chunks).toString();
    }),
  );
  const [, ...whole] = texts;
  expect(new Set(whole).size).toBe(1);
  expect(JSON.parse(whole[0] ?? '').all.hosts).toHaveLength(20);
  expect(await readFile(join(directory, 'made.txt'), 'utf8')).toBe('made ');
});

test('a thread that was prepared is the one that the first operation runs on', async () => {
  await mkdir(join(directory, 'data'));
  const heldPlugins = new HeldPlugins(60, () => undefined);
  const joined = vi.spyOn(heldPlugins, 'join');
  pool = workerPool({ threads: 2, previewSeconds: 60, settings: settingsOf() }, { logger: SILENT, heldPlugins });
  await Promise.all([pool.prepare(), pool.prepare()]);
  expect(joined).toHaveBeenCalledTimes(1);
  await listTypes();
  expect(joined).toHaveBeenCalledTimes(1);
});

test('a thread that was prepared has compiled the rules before somebody asks', async () => {
  await mkdir(join(directory, 'data'));
  let lists = 0;
  let drained = 0;
  const timed = (timings: readonly CallTiming[]): void => {
    drained++;
    const listing = timings.filter(({ part, name }) => part === 'rules' && name === 'list');
    lists += listing.flatMap(({ classes }) => classes).reduce((sum, count) => sum + count, 0);
  };
  pool = workerPool({ threads: 1, previewSeconds: 60, settings: settingsOf() }, { logger: SILENT, timed });
  await pool.prepare();
  expect(lists).toBeGreaterThan(5);
  [lists, drained] = [0, 0];
  const asked = { provider: 'automation', host: 'web01' };
  await expect(pool.run(renderInventory as never, { kind: 'value', value: asked }, OPERATOR, {})).rejects.toMatchObject(
    { code: 'not_found' },
  );
  await expect.poll(() => drained).toBe(1);
  // The documents of groups, which compile to nothing.
  expect(lists).toBeLessThan(2);
});

test('a thread that was prepared has rendered a host, which is asked for once more as a client would', async () => {
  await mkdir(join(directory, 'data'));
  app = await createApp({ ...settingsOf(), role: 'command', logger: SILENT });
  await app.start();
  const { executor } = app;
  const run = (operation: Parameters<typeof executor.value>[0], value: JsonObject) =>
    executor.value(operation, { kind: 'value', value }, OPERATOR);
  await run(addAccount, { name: 'red', type: 'api', settings: {} });
  await run(saveHost, { hostname: 'web01', account: 'red', labels: { os: 'linux' } });
  await app.stop();
  app = undefined;
  const reads: string[] = [];
  const timed = (timings: readonly CallTiming[]): void => {
    reads.push(...timings.filter(({ part }) => part === 'hosts').map(({ name }) => name));
  };
  const warn = vi.fn<Logger['warn']>();
  pool = workerPool({ threads: 1, previewSeconds: 60, settings: settingsOf() }, { logger: { ...SILENT, warn }, timed });
  const served = await pool.prepare();
  expect(served).toEqual({ provider: expect.any(String), host: 'web01' });
  expect(reads).toEqual(['scan', 'get']);
  expect(warn).not.toHaveBeenCalled();

  app = await createApp({ ...settingsOf(), role: 'command', logger: SILENT });
  const audited = vi.fn<(entry: unknown) => Promise<void>>();
  const services = {
    ...app.services,
    audit: { ...app.services.audit, keep: audited, kept: audited, keepSummed: audited },
  };
  const throughThread = createExecutor({ services, heavy: pool });
  reads.length = 0;
  await rehearseInventory(throughThread, app.services.plugins, OPERATOR, served as ServedHost);
  await expect.poll(() => reads).toEqual(['get']);
  await rehearseInventory(throughThread, app.services.plugins, OPERATOR, { provider: 'automation', host: 'gone' });
  expect(audited).not.toHaveBeenCalled();
});

test('a thread that cannot be prepared is told of, and replaced for the first operation', async () => {
  const warned = vi.fn<Logger['warn']>();
  const logger = { ...SILENT, warn: warned };
  await writeFile(join(directory, 'data'), 'a file where the folder should be');
  pool = workerPool({ threads: 1, previewSeconds: 60, settings: settingsOf() }, { logger });
  await pool.prepare();
  expect(warned.mock.calls).toEqual([[expect.stringContaining('prepared'), { error: expect.any(AppError) }]]);
  await rm(join(directory, 'data'));
  await mkdir(join(directory, 'data'));
  await expect.poll(() => listTypes()?.then(() => 'ran', String)).toBe('ran');
});

test('a service that stops while a thread is prepared stops cleanly', async () => {
  await mkdir(join(directory, 'data'));
  const told = vi.fn<Logger['warn']>();
  const logger = { ...SILENT, warn: told, error: told };
  pool = workerPool({ threads: 1, previewSeconds: 60, settings: settingsOf() }, { logger });
  const prepared = pool.prepare();
  await pool.stop();
  await prepared;
  expect(told).not.toHaveBeenCalled();
});

test('a write that a thread runs is audited once, also when the thread dies of it', async () => {
  app = await createApp({ ...settingsOf(await withBadPlugin()), role: 'service', logger: SILENT });
  await app.start();
  const { executor } = app;
  const store = (type: string) =>
    executor.value(
      importRulesOfType,
      { kind: 'value', value: { rule_type: type, rules: [{ name: 'one', command: '' }] } },
      OPERATOR,
    );
  await expect(store('deadly')).rejects.toMatchObject({ code: 'internal' });
  await store('automation_projects');
  await expect
    .poll(async () => {
      const { entries } = await executor.value(listAudit, { kind: 'value', value: {} }, OPERATOR);
      return entries.map(({ subject, outcome }) => `${subject} ${outcome}`);
    })
    .toEqual(['automation_projects done', 'deadly internal']);
});
