import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { sqliteStorage } from '../../../src/adapters/storage/sqlite/storage.ts';
import { type HostScope, type JsonValue, type Labels, type Storage, StoredJson } from '../../../src/ports/index.ts';
import {
  actor,
  blue,
  documentOf,
  labelsOf,
  labelWrite,
  minute,
  nets,
  ofAccounts,
  ofTemplates,
  plain,
  red,
  ruleId,
  ruleWrite,
} from '../../../src/testing/samples.ts';
import { runs } from '../../support/number-of-runs.ts';
import { type SqliteFolder, silent, sqliteFolder } from './sqlite-harness.ts';

/**
 * Any sequence of calls must leave both adapters in states that nobody can tell apart. They share what is decided of one
 * host (`test/app/hosts/decisions` has a model of that), but neither finding nor writing nor counting nor reading.
 */

interface Call {
  readonly name: string;
  run(storage: Storage, at: Date): Promise<unknown>;
}

const hostnames = ['a', 'b', 'c', '\uffff', '\u{10000}', '__proto__'];
const accounts = [red, blue, nets];
const pools = ['east', 'west'];

const hostname = fc.constantFrom(...hostnames);
const someNames = fc.array(hostname, { minLength: 1, maxLength: 4 });
const account = fc.constantFrom(...accounts);
const accountIds = fc.option(fc.subarray(accounts.map((item) => item.id)), { nil: null });
const templates = ['linux', 'windows', 'dddddddddddddddddddddddd'];
const scope: fc.Arbitrary<HostScope> = fc.option(
  fc.record({ accounts: accountIds, templates: fc.option(fc.subarray(templates), { nil: null, freq: 2 }) }),
  { nil: null },
);
const runId = fc.constantFrom('run-1', 'run-2', 'run-3');
const labels: fc.Arbitrary<Labels> = fc.dictionary(
  fc.constantFrom('os', 'site', '1', 'a.b', '__proto__'),
  fc.constantFrom<Labels[string][]>('x', '1', 1, null, ['x', 1]),
  { noNullPrototype: true },
);
const section = fc.constantFrom({}, { n: 1 }, { n: '1' }, { deep: { a: [1] } });
const ago = fc.integer({ min: -5, max: 200 });

const calls: fc.Arbitrary<Call>[] = [
  fc
    .record({
      account,
      entries: fc.array(fc.tuple(hostname, labels), { maxLength: 4 }),
      run: fc.option(runId, { nil: undefined }),
      takeOver: fc.boolean(),
    })
    .map(({ run, entries, ...rest }) => ({
      name: `saveLabels ${JSON.stringify({ run, entries, ...rest })}`,
      run: (storage, at) =>
        storage.hosts.saveLabels(labelWrite(entries, { ...rest, at, ...(run === undefined ? {} : { runId: run }) })),
    })),
  fc
    .record({ account, entries: fc.array(fc.tuple(hostname, labels), { maxLength: 3 }), takeOver: fc.boolean() })
    .map(({ account: given, entries, takeOver }) => ({
      name: 'previewLabels',
      async run(storage) {
        const preview = await storage.hosts.previewLabels({ ...labelWrite(entries), account: given, takeOver });
        return preview.map(({ outcome, before }) => [outcome, before?.value]);
      },
    })),
  fc
    .record({
      account,
      entries: fc.array(fc.tuple(hostname, labels), { maxLength: 3 }),
      runId,
      precedence: fc.integer({ min: -1, max: 2 }),
    })
    .map(({ account: given, entries, ...rest }) => ({
      name: `contributeLabels ${JSON.stringify({ given, entries, ...rest })}`,
      run: (storage, at) =>
        storage.hosts.contributeLabels({
          ...rest,
          accountId: given.id,
          at,
          actor,
          entries: entries.map(([name, value]) => ({ hostname: name, labels: labelsOf(value) })),
        }),
    })),
  fc
    .record({ account, run: fc.option(runId, { nil: undefined }), except: fc.subarray(hostnames) })
    .map(({ account: given, run, except }) => ({
      name: `withdrawContributions ${given.id} ${run}`,
      run: (storage, at) =>
        storage.hosts.withdrawContributions({
          accountId: given.id,
          except,
          at,
          actor,
          ...(run === undefined ? {} : { runId: run }),
        }),
    })),
  fc
    .record({ names: someNames, key: fc.constantFrom('hw', '10', '__proto__'), section, scope })
    .map(({ names, key, section: value, scope: given }) => ({
      name: `saveInventory ${names} ${key}`,
      run: (storage, at) =>
        storage.hosts.saveInventory({
          entries: names.map((name) => ({ hostname: name, key, section: StoredJson.ofValue(value) })),
          scope: given,
          at,
          actor,
        }),
    })),
  fc
    .record({ names: someNames, by: fc.constantFrom('api', 'operator', 'import'), scope })
    .map(({ names, by, scope: given }) => ({
      name: `archive ${names} ${by}`,
      run: (storage, at) => storage.hosts.archive({ hostnames: names, by, at, scope: given, actor }),
    })),
  fc.record({ names: someNames, scope }).map(({ names, scope: given }) => ({
    name: `restore ${names}`,
    run: (storage, at) => storage.hosts.restore({ hostnames: names, at, scope: given, actor }),
  })),
  fc
    .record({
      account,
      runId,
      except: fc.subarray(hostnames),
      thresholdPercent: fc.constantFrom(0, 50, 100),
      activeBefore: fc.integer({ min: 0, max: 5 }),
      preview: fc.boolean(),
      ago,
    })
    .map(({ account: given, ago: number, ...rest }) => ({
      name: `archiveUnseen ${JSON.stringify(rest)}`,
      run: (storage, at) =>
        storage.hosts.archiveUnseen({ ...rest, seenBefore: minute(number), accountId: given.id, at, actor }),
    })),
  fc.record({ ago, account: fc.option(account, { nil: undefined }) }).map(({ ago: number, account: given }) => ({
    name: `archiveStale ${number}`,
    run: (storage, at) =>
      storage.hosts.archiveStale({ seenBefore: minute(number), at, actor, ...(given && { accountId: given.id }) }),
  })),
  ago.map((number) => ({
    name: `purge ${number}`,
    run: (storage) => storage.hosts.purgeArchived(minute(number), { at: minute(number), actor }),
  })),
  fc
    .record({
      name: hostname,
      mode: fc.constantFrom('skip', 'replace'),
      owner: fc.option(account, { nil: null }),
      labels,
      section,
      folder: fc.option(fc.constantFrom(...pools), { nil: null }),
      archived: fc.boolean(),
      seen: fc.option(ago, { nil: null }),
      target: hostname,
      named: fc.subarray<JsonValue>([...templates, { $oid: 'dddddddddddddddddddddddd' }]),
    })
    .map(({ name, mode, owner, named, labels: given, section: value, folder, archived, seen, target }) => ({
      name: `putDocuments ${name} ${mode} archived ${archived}`,
      run: (storage) =>
        storage.hosts.putDocuments(
          [
            {
              record: documentOf(name, {
                accountId: owner?.id ?? null,
                isObject: owner?.isObject ?? false,
                labels: labelsOf(given),
                inventory: StoredJson.ofValue({ hw: value }),
                members: StoredJson.ofValue(named.length === 0 ? {} : { cmdb_templates: named }),
                folder,
                archive: archived ? { at: minute(3), by: 'api' } : null,
                lastSeen: seen === null ? null : minute(seen),
                createdAt: minute(2),
              }),
              mode,
              relations: [{ type: 'runs_on', target, source: 'document' }],
            },
          ],
          actor,
        ),
    })),
  fc
    .record({ source: hostname, target: hostname, remove: fc.boolean(), scope })
    .map(({ source, target, remove, scope: given }) => ({
      name: `relation ${source} ${target} ${remove}`,
      run: (storage) =>
        remove
          ? storage.relations.remove({ hostname: source, type: 'runs_on', target }, given)
          : storage.relations.add({ hostname: source, type: 'runs_on', target, source: 'manual' }, given),
    })),
  fc
    .record({
      entries: fc.array(
        fc.record({
          id: fc.integer({ min: 1, max: 4 }),
          name: fc.constantFrom('p', 'q', '\uffff', '\u{10000}'),
          folder: fc.constantFrom(...pools),
          taken: fc.integer({ min: 0, max: 3 }),
          uniqueName: fc.boolean(),
        }),
        { maxLength: 3 },
      ),
      mode: fc.constantFrom('skip', 'replace'),
    })
    .map(({ entries, mode }) => ({
      name: `rules.write ${mode} ${JSON.stringify(entries)}`,
      run: (storage, at) => storage.rules.write({ entries: entries.map(poolWrite), mode, at, actor }),
    })),
  fc
    .record({
      id: fc.integer({ min: 1, max: 4 }),
      name: fc.constantFrom('p', 'q'),
      version: fc.integer({ min: 1, max: 3 }),
    })
    .map(({ id, name, version }) => ({
      name: `rules.replace ${id} ${version}`,
      run: (storage, at) =>
        storage.rules.replace({
          entry: poolWrite({ id, name, folder: 'east', taken: version, uniqueName: true }),
          expectedVersion: version,
          at,
          actor,
        }),
    })),
  fc.integer({ min: 1, max: 4 }).map((id) => ({
    name: `rules.remove ${id}`,
    run: (storage, at) => storage.rules.remove({ type: 'cmk_folder_pool', id: ruleId(id), at, actor }),
  })),
  ago.map((number) => ({
    name: `prune ${number}`,
    run: async (storage) => [
      await storage.history.prune(minute(number)),
      await storage.rules.pruneVersions(minute(number)),
    ],
  })),
];

function poolWrite(pool: { id: number; name: string; folder: string; taken: number; uniqueName: boolean }) {
  const document = { folder_name: pool.folder, folder_seats_taken: pool.taken };
  const more = { type: 'cmk_folder_pool', uniqueName: pool.uniqueName, uniqueValue: pool.folder };
  return ruleWrite(pool.id, pool.name, document, more);
}

/** Everything that a caller can see. */
async function observe(storage: Storage): Promise<unknown> {
  const { hosts, history, relations, rules } = storage;
  const seen: Record<string, unknown> = {};
  for (const name of hostnames) {
    const contributions = (await hosts.contributions(name)).map((item) => ({ ...item, labels: item.labels.value }));
    const changes = (await history.ofHost(name, 1000)).map((change) => ({
      ...change,
      changes: [...change.changes].sort((left, right) => (left.path < right.path ? -1 : 1)),
    }));
    seen[`host ${name}`] = [plain(await hosts.find(name)), contributions, changes, await relations.list(name, null)];
  }
  seen.relations = await relations.of(hostnames);
  for (const filterScope of [
    null,
    ofAccounts(red.id),
    ofAccounts(blue.id, nets.id),
    ofTemplates(['linux', templates[2] as string]),
    ofTemplates(['windows'], [red.id]),
  ]) {
    for (const kind of ['hosts', 'objects', 'all'] as const) {
      for (const state of ['active', 'archived', 'any'] as const) {
        const filter = { scope: filterScope, kind, state };
        const page = await hosts.page({ filter, offset: 1, limit: 3 });
        seen[JSON.stringify(filter)] = [await hosts.count(filter), page.map((host) => host.hostname)];
      }
    }
    for (const checkpoint of [0, 50, 150]) {
      seen[`${JSON.stringify(filterScope)} ${checkpoint}`] = await hosts.counters({
        scope: filterScope,
        checkpoint: minute(checkpoint),
      });
    }
  }
  const listed = await rules.list('cmk_folder_pool');
  seen.rules = listed.map((rule) => ({ ...rule, document: rule.document.text }));
  for (let id = 1; id <= 4; id++) {
    const versions = await rules.versions('cmk_folder_pool', ruleId(id), 100);
    seen[`versions ${id}`] = versions.map((version) => ({ ...version, document: version.document.text }));
  }
  return seen;
}

async function moved(storage: Storage, call: () => Promise<unknown>): Promise<unknown> {
  const before = await storage.revisions();
  const answer = await call();
  const after = await storage.revisions();
  return {
    answer,
    moved: [...after]
      .filter(([name, value]) => value !== before.get(name))
      .map(([name]) => name)
      .sort(),
  };
}

describe('sqlite: the same as the memory adapter', () => {
  let folder: SqliteFolder;
  let sqlite: Storage;
  const clock = { now: () => minute(77) };
  beforeAll(async () => {
    folder = await sqliteFolder();
    sqlite = sqliteStorage({ path: folder.path })({ logger: silent, clock });
    await sqlite.start();
  });
  afterAll(async () => {
    await sqlite.stop();
    await folder.remove();
  });

  it('after any sequence of calls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(...calls), { minLength: 5, maxLength: 30 }), async (sequence) => {
        const memory = memoryStorage()({ clock });
        await memory.start();
        await sqlite.transfer.clear();
        let number = 0;
        for (const call of sequence) {
          const at = minute(number++ * 7);
          const expected = await moved(memory, () => call.run(memory, at));
          expect(await moved(sqlite, () => call.run(sqlite, at)), call.name).toEqual(expected);
        }
        expect(await observe(sqlite)).toEqual(await observe(memory));
        for await (const { subject } of sqlite.check({ fix: false })) expect(subject).not.toBe('counters');
      }),
      { numRuns: Number(process.env.MODEL_RUNS ?? runs(40)) },
    );
  }, 600_000);
});
