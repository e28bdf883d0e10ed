import { describe, expect, it } from 'vitest';
import {
  type AccountHosts,
  type HostFilter,
  type HostKind,
  type HostRecord,
  type HostScope,
  type JsonObject,
  type JsonValue,
  type Storage,
  StoredJson,
} from '../ports/index.ts';
import {
  activeHosts,
  actor,
  archiveNames,
  blue,
  byteOrdered,
  collect,
  countOwned,
  documentOf,
  labelsOf,
  minute,
  namesOf,
  nets,
  ofAccounts,
  ofTemplates,
  plain,
  red,
  save,
  saveNames,
} from './samples.ts';

const kinds: readonly HostKind[] = ['hosts', 'objects', 'all'];
const states = ['active', 'archived', 'any'] as const;
const scopes: readonly HostScope[] = [
  null,
  { accounts: null, templates: null },
  ofAccounts(),
  ofAccounts(red.id),
  ofAccounts(blue.id, red.id),
  ofAccounts(red.id, red.id),
  ofAccounts(nets.id, 'unknown'),
];

/** Stores hosts and objects of three accounts and of none, active and archived; each name shows what it is. */
async function fill({ hosts }: Storage): Promise<void> {
  for (const [account, prefix] of [
    [red, 'red'],
    [blue, 'blue'],
    [nets, 'nets'],
  ] as const) {
    await saveNames(
      hosts,
      Array.from({ length: 9 }, (_, n) => `${n}-${prefix}`),
      { account },
    );
    await archiveNames(hosts, [`3-${prefix}`, `7-${prefix}`]);
  }
  await hosts.putDocuments(
    [
      { record: documentOf('4-none', { accountId: null }), mode: 'skip', relations: [] },
      {
        record: documentOf('8-none', { accountId: null, archive: { at: minute(1), by: 'api' } }),
        mode: 'skip',
        relations: [],
      },
    ],
    actor,
  );
}

function expected(filter: HostFilter): string[] {
  const owners: readonly [string, string | null][] = [
    ['blue', blue.id],
    ['nets', nets.id],
    ['none', null],
    ['red', red.id],
  ];
  const names: string[] = [];
  for (let n = 0; n < 9; n++) {
    for (const [prefix, id] of owners) {
      if (prefix === 'none' && n !== 4 && n !== 8) continue;
      const archived = prefix === 'none' ? n === 8 : n === 3 || n === 7;
      if (filter.state !== 'any' && archived !== (filter.state === 'archived')) continue;
      if (filter.kind !== 'all' && (prefix === 'nets') !== (filter.kind === 'objects')) continue;
      const accounts = filter.scope?.accounts ?? null;
      if (accounts !== null && (id === null || !accounts.includes(id))) continue;
      names.push(`${n}-${prefix}`);
    }
  }
  return names;
}

const filters: readonly HostFilter[] = scopes.flatMap((scope) =>
  kinds.flatMap((kind) => states.map((state) => ({ scope, kind, state }))),
);

const LINUX = 'dddddddddddddddddddddddd';

/** Hosts that name templates by id, by name, several, none, and in ways that name none. */
async function fillTemplated({ hosts }: Storage): Promise<void> {
  const named: readonly (readonly [string, JsonValue, Partial<HostRecord>?])[] = [
    ['a-by-id', [{ $oid: LINUX }]],
    ['b-by-name', ['linux']],
    ['c-both', ['other', { $oid: LINUX }, 'linux']],
    ['d-blue', ['linux'], { accountId: blue.id }],
    ['e-none', []],
    ['f-other', ['other']],
    ['g-text', 'linux'],
    ['h-archived', ['linux'], { archive: { at: minute(1), by: 'api' } }],
    ['i-object', ['linux'], { isObject: true, objectType: 'network' }],
    ['j-odd', [null, 7, '', { id: 'linux' }, ['linux'], { $oid: 7 }]],
    ['k-no-account', ['linux'], { accountId: null }],
  ];
  await hosts.putDocuments(
    named.map(([hostname, cmdb_templates, further]) => ({
      record: documentOf(hostname, { members: StoredJson.ofValue({ cmdb_templates }), ...further }),
      mode: 'skip' as const,
      relations: [],
    })),
    actor,
  );
  await saveNames(hosts, ['l-plain']);
}

/** Tests what a scope of templates shows and allows, in everything that `HostStore` and `RelationStore` offer. */
function describeTemplateScopes(fresh: () => Storage): void {
  const linux = ofTemplates(['linux', LINUX]);

  it('reaches hosts that name a template, by name or id, in every way to read them', async () => {
    const storage = fresh();
    await fillTemplated(storage);
    const { hosts } = storage;
    const shown = async (scope: HostScope, further: Partial<HostFilter> = {}) => {
      const filter: HostFilter = { scope, kind: 'hosts', state: 'active', ...further };
      const names = await namesOf(hosts.page({ filter, offset: 0, limit: 100 }));
      const scanned: string[] = [];
      for await (const batch of hosts.scan(filter, 2)) scanned.push(...batch.map(({ hostname }) => hostname));
      expect(scanned).toEqual(names);
      expect(await hosts.count(filter)).toBe(names.length);
      const behind = await namesOf(hosts.page({ filter, offset: 1, limit: 100 }));
      expect(behind).toEqual(names.slice(1));
      const visible = await hosts.visible(names, scope);
      if (filter.state === 'active') expect(visible).toEqual(new Set(names));
      return names;
    };
    const active = ['a-by-id', 'b-by-name', 'c-both', 'd-blue', 'k-no-account'];
    expect(await shown(linux)).toEqual(active);
    expect(await shown(linux, { state: 'archived' })).toEqual(['h-archived']);
    expect(await shown(linux, { kind: 'objects' })).toEqual(['i-object']);
    expect(await shown(linux, { kind: 'all', state: 'any' })).toEqual([...active, 'h-archived', 'i-object'].sort());
    expect(await shown(ofTemplates([LINUX]))).toEqual(['a-by-id', 'c-both']);
    expect(await shown(ofTemplates(['other', 'linux', 'linux']))).toEqual([
      'b-by-name',
      'c-both',
      'd-blue',
      'f-other',
      'k-no-account',
    ]);
    expect(await shown(ofTemplates(['linux', LINUX], [red.id]))).toEqual(['a-by-id', 'b-by-name', 'c-both']);
    expect(await shown(ofTemplates(['linux'], []))).toEqual([]);
    expect(await shown(ofTemplates([]))).toEqual([]);
    expect(await shown(ofTemplates(['unknown']))).toEqual([]);
    expect((await hosts.get('a-by-id', linux))?.hostname).toBe('a-by-id');
    for (const name of ['e-none', 'f-other', 'g-text', 'j-odd', 'l-plain', 'h-archived']) {
      expect(await hosts.get(name, linux)).toBeUndefined();
    }
    const counters = (scope: HostScope, checkpoint: Date) => hosts.counters({ scope, checkpoint });
    expect(await counters(linux, minute(0))).toEqual({ hosts: 5, objects: 1, notSeenSince: 0 });
    expect(await counters(linux, minute(10_000))).toEqual({ hosts: 5, objects: 1, notSeenSince: 5 });
    expect(await counters(ofTemplates([LINUX], [blue.id]), minute(10_000))).toEqual({
      hosts: 0,
      objects: 0,
      notSeenSince: 0,
    });
  });

  it('follows the members of a host', async () => {
    const { hosts } = fresh();
    const put = (members: JsonObject) =>
      hosts.putDocuments(
        [
          {
            record: documentOf('alpha', { members: StoredJson.ofValue(members) }),
            mode: 'replace',
            relations: [],
          },
        ],
        actor,
      );
    const filter: HostFilter = { scope: linux, kind: 'all', state: 'any' };
    await put({ cmdb_templates: ['linux', 'linux', { $oid: LINUX }] });
    expect(await hosts.count(filter)).toBe(1);
    await save(hosts, { alpha: { changed: 'labels' } });
    expect(await hosts.count(filter)).toBe(1);
    await put({ cmdb_templates: ['other'] });
    expect(await hosts.count(filter)).toBe(0);
    await put({ cmdb_templates: [{ $oid: LINUX }] });
    expect(await namesOf(hosts.page({ filter, offset: 0, limit: 10 }))).toEqual(['alpha']);
    await put({});
    expect(await hosts.count(filter)).toBe(0);
    expect(await hosts.get('alpha', linux)).toBeUndefined();
  });

  it('lets nobody write a host of other templates', async () => {
    const storage = fresh();
    const { hosts, relations } = storage;
    await fillTemplated(storage);
    const section = StoredJson.ofValue({ n: 1 });
    const entries = ['a-by-id', 'f-other', 'l-plain'].map((hostname) => ({ hostname, key: 'hw', section }));
    const outcomes = await hosts.saveInventory({ entries, scope: linux, at: minute(2), actor });
    expect(outcomes).toEqual(['updated', 'not_found', 'not_found']);
    const edge = (hostname: string, target: string) => ({ hostname, type: 'runs_on', target, source: 'manual' });
    expect(await relations.add(edge('a-by-id', 'b-by-name'), linux)).toBe('added');
    expect(await relations.add(edge('a-by-id', 'f-other'), linux)).toBe('target_not_found');
    expect(await relations.add(edge('l-plain', 'a-by-id'), linux)).toBe('source_not_found');
    await relations.add(edge('a-by-id', 'f-other'), null);
    await relations.add(edge('l-plain', 'a-by-id'), null);
    expect(await relations.list('a-by-id', linux)).toEqual({ outgoing: [edge('a-by-id', 'b-by-name')], inbound: [] });
    expect(await relations.list('f-other', linux)).toBeUndefined();
    const hostnames = ['f-other', 'b-by-name', 'l-plain'];
    const archived = await hosts.archive({ hostnames, by: 'api', at: minute(3), scope: linux, actor });
    expect(archived).toEqual(['not_found', 'archived', 'not_found']);
    const restored = await hosts.restore({ hostnames, at: minute(4), scope: ofTemplates(['other']), actor });
    expect(restored).toEqual(['not_found', 'not_found', 'not_found']);
    expect(await hosts.restore({ hostnames, at: minute(4), scope: linux, actor })).toEqual([
      'not_found',
      'restored',
      'not_found',
    ]);
  });
}

/** The reading side of `HostStore`. */
export function describeReadingContract(fresh: () => Storage): void {
  describe('a scope of templates', () => describeTemplateScopes(fresh));

  describe('get, find, visible', () => {
    it('get answers active hosts in scope only', async () => {
      const { hosts } = fresh();
      await saveNames(hosts, ['alpha', 'gone']);
      await archiveNames(hosts, ['gone']);
      expect((await hosts.get('alpha', null))?.hostname).toBe('alpha');
      expect((await hosts.get('alpha', ofAccounts(blue.id, red.id)))?.hostname).toBe('alpha');
      expect(await hosts.get('alpha', ofAccounts(blue.id))).toBeUndefined();
      expect(await hosts.get('alpha', ofAccounts())).toBeUndefined();
      expect(await hosts.get('gone', null)).toBeUndefined();
      expect(await hosts.get('unknown', null)).toBeUndefined();
      expect(await hosts.get('', null)).toBeUndefined();
    });

    it('find answers whatever state', async () => {
      const { hosts } = fresh();
      await saveNames(hosts, ['alpha', 'gone']);
      await archiveNames(hosts, ['gone']);
      expect((await hosts.find('alpha'))?.archive).toBeNull();
      expect((await hosts.find('gone'))?.archive).toEqual({ at: minute(5), by: 'api' });
      expect(await hosts.find('unknown')).toBeUndefined();
    });

    it('findEach answers as find does, name by name in the order of the request', async () => {
      const { hosts } = fresh();
      await saveNames(hosts, ['alpha', 'beta', 'gone', '__proto__', 'x\ufffd']);
      await archiveNames(hosts, ['gone']);
      const names = ['gone', 'unknown', 'alpha', '', 'gone', '__proto__', 'x\ud800', 'x\ufffd', 'beta', 'unknown'];
      const found = await hosts.findEach(names);
      const oneByOne = await Promise.all(names.map((name) => hosts.find(name)));
      expect(found.map(plain)).toEqual(oneByOne.map(plain));
      expect(found.map((host) => host?.hostname)).toEqual([
        'gone',
        undefined,
        'alpha',
        undefined,
        'gone',
        '__proto__',
        'x\ufffd',
        'x\ufffd',
        'beta',
        undefined,
      ]);
      expect(found[0]?.archive).toEqual({ at: minute(5), by: 'api' });
      expect(await hosts.findEach([])).toEqual([]);
    });

    it('findEach takes more names than one query of a database can hold', async () => {
      const { hosts } = fresh();
      const names = Array.from({ length: 1_200 }, (_, n) => `h${n}`);
      await saveNames(
        hosts,
        names.filter((_, n) => n % 2 === 0),
      );
      const found = await hosts.findEach(names);
      expect(found.map((host) => host?.hostname)).toEqual(names.map((name, n) => (n % 2 === 0 ? name : undefined)));
    });

    it('every reader takes a lone surrogate in a hostname as U+FFFD', async () => {
      const { hosts, relations, history } = fresh();
      const [given, kept] = ['x\ud800', 'x\ufffd'];
      await saveNames(hosts, ['w', kept, 'y']);
      const contribution = { hostname: kept, labels: labelsOf({ by: 'blue' }) };
      const more = { accountId: blue.id, precedence: 1, at: minute(2), actor, runId: 'r' };
      await hosts.contributeLabels({ ...more, entries: [contribution] });
      await relations.add({ hostname: kept, type: 'runs_on', target: 'y', source: 'manual' }, null);
      expect((await hosts.get(given, null))?.hostname).toBe(kept);
      expect((await hosts.find(given))?.hostname).toBe(kept);
      expect((await hosts.findEach([given]))[0]?.hostname).toBe(kept);
      expect(await hosts.visible([given], null)).toEqual(new Set([kept]));
      expect((await hosts.contributions(given)).length).toBe(2);
      expect((await history.ofHost(given, 9)).map((change) => change.kind)).toEqual(['labels', 'created']);
      expect((await relations.list(given, null))?.outgoing.length).toBe(1);
      expect((await relations.of([given])).length).toBe(1);
      for (const offset of [0, 1]) {
        const behind = hosts.page({ filter: activeHosts, offset, limit: 9, after: given });
        expect(await namesOf(behind)).toEqual(['y'].slice(offset));
      }
      expect((await collect(hosts.scan(activeHosts, 9, given))).map((host) => host.hostname)).toEqual(['y']);
    });

    it('a host without an account is out of every scope but the open one', async () => {
      const { hosts } = fresh();
      await hosts.putDocuments(
        [{ record: documentOf('alpha', { accountId: null }), mode: 'skip', relations: [] }],
        actor,
      );
      expect(await hosts.get('alpha', null)).toMatchObject({ accountId: null });
      expect(await hosts.get('alpha', ofAccounts(red.id, ''))).toBeUndefined();
      expect(await hosts.visible(['alpha'], ofAccounts(''))).toEqual(new Set());
    });

    it('visible answers which are active and in scope', async () => {
      const { hosts } = fresh();
      await saveNames(hosts, ['alpha', 'gone', '__proto__']);
      await saveNames(hosts, ['other'], { account: blue });
      await archiveNames(hosts, ['gone']);
      const names = ['alpha', 'gone', 'other', 'unknown', '__proto__', 'alpha'];
      expect(await hosts.visible(names, null)).toEqual(new Set(['alpha', 'other', '__proto__']));
      expect(await hosts.visible(names, ofAccounts(red.id))).toEqual(new Set(['alpha', '__proto__']));
      expect(await hosts.visible(names, ofAccounts())).toEqual(new Set());
      expect(await hosts.visible([], null)).toEqual(new Set());
    });
  });

  describe('page, scan, count', () => {
    it('agree with each filter', async () => {
      const storage = fresh();
      const { hosts } = storage;
      await fill(storage);
      for (const filter of filters) {
        const names = expected(filter);
        const label = JSON.stringify(filter);
        expect(await namesOf(hosts.page({ filter, offset: 0, limit: 100 })), label).toEqual(names);
        expect(
          (await collect(hosts.scan(filter, 4))).map((host) => host.hostname),
          label,
        ).toEqual(names);
        expect(await hosts.count(filter), label).toBe(names.length);
        expect(await namesOf(hosts.page({ filter, offset: 3, limit: 5 })), label).toEqual(names.slice(3, 8));
        const after = '3-zzz';
        const behind = names.filter((name) => name > after);
        expect(await namesOf(hosts.page({ filter, offset: 0, limit: 4, after })), label).toEqual(behind.slice(0, 4));
        expect(await namesOf(hosts.page({ filter, offset: 2, limit: 4, after })), label).toEqual(behind.slice(2, 6));
        expect(
          (await collect(hosts.scan(filter, 4, after))).map((host) => host.hostname),
          label,
        ).toEqual(behind);
      }
    }, 60_000);

    it('order by the bytes of UTF-8', async () => {
      const { hosts } = fresh();
      await saveNames(hosts, byteOrdered.toReversed());
      expect(await namesOf(hosts.page({ filter: activeHosts, offset: 0, limit: 100 }))).toEqual(byteOrdered);
      expect((await collect(hosts.scan(activeHosts, 3))).map((host) => host.hostname)).toEqual(byteOrdered);
      for (let index = 0; index < byteOrdered.length; index++) {
        const after = byteOrdered[index] ?? '';
        expect(await namesOf(hosts.page({ filter: activeHosts, offset: 0, limit: 2, after }))).toEqual(
          byteOrdered.slice(index + 1, index + 3),
        );
      }
    });

    it('give empty pages where there is nothing', async () => {
      const { hosts } = fresh();
      expect(await hosts.page({ filter: activeHosts, offset: 0, limit: 10 })).toEqual([]);
      expect(await hosts.page({ filter: activeHosts, offset: 5, limit: 10, after: 'x' })).toEqual([]);
      await saveNames(hosts, ['a', 'b']);
      expect(await hosts.page({ filter: activeHosts, offset: 2, limit: 10 })).toEqual([]);
      expect(await hosts.page({ filter: activeHosts, offset: 1_000_000, limit: 10 })).toEqual([]);
      expect(await hosts.page({ filter: activeHosts, offset: 0, limit: 0 })).toEqual([]);
      expect(await hosts.page({ filter: activeHosts, offset: 0, limit: 10, after: 'b' })).toEqual([]);
      expect(await namesOf(hosts.page({ filter: activeHosts, offset: 0, limit: 10, after: 'a0' }))).toEqual(['b']);
    });

    it('stay right while hosts come and go', async () => {
      const { hosts } = fresh();
      const names = Array.from({ length: 300 }, (_, n) => `h${String(n).padStart(3, '0')}`);
      await saveNames(hosts, names);
      await archiveNames(
        hosts,
        names.filter((_, n) => n % 3 === 0),
      );
      await saveNames(hosts, ['a', 'h150x', 'z']);
      const left = ['a', ...names.filter((_, n) => n % 3 !== 0), 'h150x', 'z'].sort();
      for (const offset of [0, 1, 99, 100, 101, 150, 201, 202]) {
        expect(await namesOf(hosts.page({ filter: activeHosts, offset, limit: 3 }))).toEqual(
          left.slice(offset, offset + 3),
        );
      }
      expect(await hosts.count(activeHosts)).toBe(left.length);
    });

    it('scan in batches of at most the asked size', async () => {
      const { hosts } = fresh();
      await saveNames(
        hosts,
        Array.from({ length: 10 }, (_, n) => `h${n}`),
      );
      const sizes: number[] = [];
      for await (const batch of hosts.scan(activeHosts, 4)) sizes.push(batch.length);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(10);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(4);
      expect(Math.min(...sizes)).toBeGreaterThan(0);
    });

    it('scan gives a record that is there from beginning to end exactly once', async () => {
      const { hosts } = fresh();
      const kept = Array.from({ length: 50 }, (_, n) => `h${String(n).padStart(2, '0')}`);
      await saveNames(hosts, [...kept, ...kept.map((name) => `${name}-gone`)]);
      const seen: string[] = [];
      let round = 0;
      for await (const batch of hosts.scan(activeHosts, 7)) {
        seen.push(...batch.map((host) => host.hostname));
        const last = batch.at(-1)?.hostname ?? '';
        const more = round < 20 ? [`${last}-new`, `a-new-${round}`] : [];
        await saveNames(hosts, [...more, ...kept], { at: minute(50 + round) });
        await archiveNames(hosts, kept.map((name) => `${name}-gone`).slice(round * 5, round * 5 + 5));
        round++;
      }
      const counts = new Map<string, number>();
      for (const name of seen) counts.set(name, (counts.get(name) ?? 0) + 1);
      for (const name of kept) expect(counts.get(name)).toBe(1);
      expect(Math.max(...counts.values())).toBe(1);
    });

    it('two scans and an abandoned one do not disturb each other', async () => {
      const { hosts } = fresh();
      await saveNames(
        hosts,
        Array.from({ length: 20 }, (_, n) => `h${n}`),
      );
      for await (const batch of hosts.scan(activeHosts, 3)) {
        expect(batch.length).toBe(3);
        break;
      }
      const [left, right] = await Promise.all([
        collect(hosts.scan(activeHosts, 3)),
        collect(hosts.scan({ ...activeHosts, state: 'any' }, 2)),
      ]);
      expect(left.length).toBe(20);
      expect(right.length).toBe(20);
    });
  });

  describe('counts of accounts and counters', () => {
    it('count counts the active records of an account', async () => {
      const storage = fresh();
      await fill(storage);
      expect(await countOwned(storage.hosts, red.id)).toBe(7);
      expect(await countOwned(storage.hosts, nets.id)).toBe(7);
      expect(await countOwned(storage.hosts, 'unknown')).toBe(0);
      expect(await countOwned(storage.hosts, '')).toBe(0);
    });

    it('countByAccount counts all records by who owns them', async () => {
      const storage = fresh();
      expect(await storage.hosts.countByAccount()).toEqual([]);
      await fill(storage);
      const counts = await storage.hosts.countByAccount();
      for (const { accountId, hosts, objects, archived } of counts) {
        expect(hosts + objects + archived).toBeGreaterThan(0);
        if (accountId !== null) expect(await countOwned(storage.hosts, accountId)).toBe(hosts + objects);
      }
      const ids = counts.map(({ accountId }) => accountId ?? '');
      expect(ids).toEqual([...ids].sort());
      const all = (state: 'active' | 'archived') => storage.hosts.count({ scope: null, kind: 'all', state });
      const sum = (of: (each: AccountHosts) => number) => counts.reduce((total, each) => total + of(each), 0);
      expect(sum(({ hosts, objects }) => hosts + objects)).toBe(await all('active'));
      expect(sum(({ archived }) => archived)).toBe(await all('archived'));
    });

    it('counters count active hosts and objects in scope', async () => {
      const storage = fresh();
      await fill(storage);
      const checkpoint = minute(1);
      const { counters } = storage.hosts;
      expect(await counters({ scope: null, checkpoint })).toEqual({ hosts: 15, objects: 7, notSeenSince: 1 });
      expect(await counters({ scope: ofAccounts(red.id, nets.id), checkpoint })).toEqual({
        hosts: 7,
        objects: 7,
        notSeenSince: 0,
      });
      expect(await counters({ scope: ofAccounts(), checkpoint })).toEqual({ hosts: 0, objects: 0, notSeenSince: 0 });
    });

    it('counters tell apart what was seen before the checkpoint', async () => {
      const { hosts } = fresh();
      const count = async (checkpoint: Date, scope: HostScope = null) =>
        (await hosts.counters({ scope, checkpoint })).notSeenSince;
      await saveNames(hosts, ['a', 'b'], { at: minute(10) });
      await saveNames(hosts, ['c'], { at: minute(100), account: blue });
      await saveNames(hosts, ['object'], { at: minute(10), account: nets });
      await hosts.putDocuments(
        [
          { record: documentOf('never', { createdAt: minute(20) }), mode: 'skip', relations: [] },
          { record: documentOf('seen', { createdAt: minute(1), lastSeen: minute(30) }), mode: 'skip', relations: [] },
        ],
        actor,
      );
      expect(await count(minute(10))).toBe(0);
      expect(await count(new Date(minute(10).getTime() + 1))).toBe(2);
      expect(await count(minute(21))).toBe(3);
      expect(await count(minute(31))).toBe(4);
      expect(await count(minute(100))).toBe(4);
      expect(await count(minute(1000))).toBe(5);
      expect(await count(minute(1000), ofAccounts(blue.id))).toBe(1);
      await saveNames(hosts, ['a'], { at: minute(200) });
      expect(await count(minute(199))).toBe(4);
      await archiveNames(hosts, ['b']);
      expect(await count(minute(199))).toBe(3);
      await hosts.restore({ hostnames: ['b'], at: minute(300), scope: null, actor });
      expect(await count(minute(199))).toBe(4);
      await saveNames(hosts, ['c'], { at: minute(201), takeOver: true });
      expect(await count(minute(199), ofAccounts(blue.id))).toBe(0);
      expect(await count(minute(1000), ofAccounts(red.id))).toBe(5);
    });
  });
}
