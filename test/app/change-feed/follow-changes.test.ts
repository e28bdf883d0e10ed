import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { type Followed, followFrom } from '../../../src/app/change-feed/follow.ts';
import { inScope } from '../../../src/app/hosts/decisions/scope.ts';
import type { HostServices } from '../../../src/app/hosts/services.ts';
import { hostScopeOf } from '../../../src/app/kernel/caller.ts';
import type { HostRecord, Storage } from '../../../src/ports/index.ts';
import type { OpenedStorage } from '../../../src/testing/harness.ts';
import { actor, blue, minute, red, save } from '../../../src/testing/samples.ts';
import { createStorage } from '../../adapters/mongodb/harness.ts';
import { createSqlite } from '../../adapters/sqlite/sqlite-harness.ts';
import { anyHostWrite, type HostWrite, names, template } from '../hosts/any-host-write.ts';
import { OPERATOR } from '../operations/operations-app.ts';

/**
 * Whoever applies what the feed tells, page by page while many write, has in the end what the store has: all hosts, or those that
 * the caller reaches.
 */

const CALLERS = [
  OPERATOR,
  { ...OPERATOR, scope: [red.id] },
  { ...OPERATOR, templates: [template] },
  { ...OPERATOR, scope: [red.id], templates: [template] },
];

type Copy = Map<string, NonNullable<Followed['host']>>;

/** What the documentation says that a follower does. */
function apply(copy: Copy, { kind, hostname, changes, host }: Followed): void {
  const [first] = changes;
  if (kind === 'renamed') copy.delete(String(first?.before));
  if (kind === 'deleted' || kind === 'left') copy.delete(hostname);
  else if (host !== undefined) copy.set(hostname, structuredClone(host));
  else {
    const known = copy.get(hostname);
    if (known !== undefined) for (const change of changes) applyOne(known, change);
  }
}

function applyOne(host: NonNullable<Followed['host']>, { path, after }: Followed['changes'][number]): void {
  if (path === 'archive') host.archive = (after as typeof host.archive | undefined) ?? null;
  const [part = '', ...rest] = path.split('.');
  if (part !== 'labels' && part !== 'inventory') return;
  const members = new Map(Object.entries(host[part]));
  if (after === undefined) members.delete(rest.join('.'));
  else members.set(rest.join('.'), after);
  host[part] = Object.fromEntries(members);
}

function shown({ accountId, isObject, labels: { value }, inventory, archive }: HostRecord) {
  return {
    account: accountId === red.id ? 'red' : 'blue',
    is_object: isObject,
    labels: value,
    inventory: inventory.value,
    archive: archive === null ? null : { at: archive.at.toISOString(), by: archive.by },
  };
}

const run = fc.record({
  writers: fc.array(fc.array(anyHostWrite, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 }),
  limits: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 }),
});

async function follows(
  storage: Storage,
  { writers, limits }: { writers: HostWrite[][]; limits: number[] },
): Promise<void> {
  const accounts = { list: async () => [red, blue].map(({ id }) => ({ id, name: id === red.id ? 'red' : 'blue' })) };
  const services = { storage, accounts } as unknown as HostServices;
  const { signal } = new AbortController();
  let isOver = false;
  const followers = CALLERS.map(async (caller, number): Promise<Copy> => {
    const copy: Copy = new Map();
    let since = 'start';
    for (let turn = number; ; turn++) {
      const wasOver = isOver;
      const page = await followFrom({ services, caller, signal }, since, limits[turn % limits.length] ?? 1);
      for (const { reported } of page.changes) apply(copy, reported.value);
      since = page.next;
      if (wasOver && !page.more) return copy;
      await setImmediate();
    }
  });
  await Promise.all(
    writers.map(async (writes) => {
      for (const each of writes) await each(storage);
    }),
  );
  isOver = true;
  const copies = await Promise.all(followers);
  const records = (await storage.hosts.findEach(names)).filter((host) => host !== undefined);
  for (const [number, caller] of CALLERS.entries()) {
    const reached = records.filter((host) => inScope(host, hostScopeOf(caller)));
    const expected = Object.fromEntries(reached.map((host) => [host.hostname, shown(host)]));
    expect([number, Object.fromEntries(copies[number] ?? [])]).toEqual([number, expected]);
  }
}

async function createMemory(): Promise<OpenedStorage> {
  const storage = memoryStorage()();
  await storage.start();
  return { storage, close: () => storage.stop() };
}

it('gives a host out under the names alone under which the caller reached it', async () => {
  const { storage, close } = await createMemory();
  const accounts = { list: async () => [] };
  const services = { storage, accounts } as unknown as HostServices;
  const following = { services, caller: { ...OPERATOR, scope: [red.id] }, signal: new AbortController().signal };
  const by = { at: minute(1), actor };
  const rename = (from: string, to: string) => storage.hosts.rename({ hosts: [{ from, to }], ...by });
  await save(storage.hosts, { web01: {} }, { account: blue });
  await rename('web01', 'web02');
  await rename('web02', 'db01');
  await save(storage.hosts, { db01: {} }, { account: red, takeOver: true });
  const first = await followFrom(following, 'start', 1);
  await storage.hosts.archive({ hostnames: ['db01'], by: 'api', scope: null, ...by });
  await storage.hosts.purge({ hostnames: ['db01'], scope: null, ...by });
  const rest = await followFrom(following, first.next, 10);
  const reported = [...first.changes, ...rest.changes].map(({ reported: { value } }) => [value.kind, value.hostname]);
  expect(reported).toEqual([
    ['entered', 'db01'],
    ['deleted', 'db01'],
  ]);
  await close();
});

describe.each([
  ['memory', createMemory, process.env.THOROUGH ? 1_000 : 400],
  ['SQLite', createSqlite, process.env.THOROUGH ? 60 : 25],
  ['MongoDB', createStorage, process.env.THOROUGH ? 12 : 6],
] as const)('a copy that follows the changes of %s', (_name, create, numRuns) => {
  let opened: OpenedStorage;
  beforeAll(async () => {
    opened = await create();
  });
  afterAll(() => opened.close());

  it('is what the store holds', async () => {
    await fc.assert(
      fc.asyncProperty(run, async (given) => {
        await opened.storage.transfer.clear();
        await follows(opened.storage, given);
      }),
      { numRuns },
    );
  }, 120_000);
});
