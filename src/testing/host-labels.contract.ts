import { describe, expect, it } from 'vitest';
import { type LabelOutcome, type Labels, type Storage, StoredJson } from '../ports/index.ts';
import {
  actor,
  archiveNames,
  blue,
  countOwned,
  documentOf,
  labelsText,
  labelWrite,
  minute,
  nets,
  plain,
  red,
  save,
} from './samples.ts';

/** `HostStore.saveLabels` and `previewLabels`. */
export function describeLabelContract(fresh: () => Storage): void {
  describe('saveLabels', () => {
    it('creates what is missing and binds it to the account', async () => {
      const { hosts } = fresh();
      expect(await save(hosts, { alpha: { os: 'linux' } }, { at: minute(3) })).toEqual(['created']);
      expect(plain(await hosts.get('alpha', null))).toEqual({
        hostname: 'alpha',
        accountId: red.id,
        isObject: false,
        objectType: 'host',
        labels: { os: 'linux' },
        inventory: {},
        members: {},
        folder: null,
        createdAt: minute(3),
        lastSeen: minute(3),
        lastUpdate: minute(3),
        archive: null,
      });
    });

    it('takes what the host is from the account', async () => {
      const { hosts } = fresh();
      await save(hosts, { lan: {} }, { account: nets });
      expect(await hosts.get('lan', null)).toMatchObject({ isObject: true, objectType: 'network' });
    });

    it('answers nothing for nothing', async () => {
      const storage = fresh();
      expect(await save(storage.hosts, {})).toEqual([]);
      expect((await storage.revisions()).get('hosts')).toBeUndefined();
    });

    it('replaces the whole label set and moves both times', async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: { os: 'linux', site: 'x' } });
      expect(await save(hosts, { alpha: { os: 'bsd' } }, { at: minute(2) })).toEqual(['updated']);
      const host = await hosts.get('alpha', null);
      expect(host?.labels.value).toEqual({ os: 'bsd' });
      expect(host).toMatchObject({ createdAt: minute(1), lastSeen: minute(2), lastUpdate: minute(2) });
    });

    it('moves only lastSeen for the same labels', async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: { os: 'linux' } });
      expect(await save(hosts, { alpha: { os: 'linux' } }, { at: minute(2) })).toEqual(['unchanged']);
      expect(await hosts.get('alpha', null)).toMatchObject({ lastSeen: minute(2), lastUpdate: minute(1) });
    });

    it('takes label sets as equal whatever the order of their members', async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: { a: 1, b: [1, 2], c: null } });
      expect(await save(hosts, { alpha: { c: null, b: [1, 2], a: 1 } })).toEqual(['unchanged']);
      expect(await save(hosts, { alpha: { c: null, b: [2, 1], a: 1 } })).toEqual(['updated']);
    });

    it.each<[string, Labels, Labels]>([
      ['text and number', { a: '1' }, { a: 1 }],
      ['text and boolean', { a: 'true' }, { a: true }],
      ['null and absent', { a: null }, {}],
      ['null and text', { a: null }, { a: 'null' }],
      ['scalar and list', { a: 'x' }, { a: ['x'] }],
      ['empty and absent', { a: '' }, {}],
      ['case of values', { a: 'x' }, { a: 'X' }],
      ['case of keys', { a: 'x' }, { A: 'x' }],
      ['composed and decomposed letters', { a: '\u00e9' }, { a: 'e\u0301' }],
    ])('tells apart: %s', async (_, before, after) => {
      const { hosts } = fresh();
      await save(hosts, { alpha: before });
      expect(await save(hosts, { alpha: after })).toEqual(['updated']);
      expect((await hosts.get('alpha', null))?.labels.value).toEqual(after);
    });

    it('answers one outcome an entry, in order, and lets later entries see earlier ones', async () => {
      const { hosts } = fresh();
      await save(hosts, { other: {} }, { account: blue });
      const outcomes = await save(hosts, [
        ['alpha', { n: 1 }],
        ['other', { n: 1 }],
        ['alpha', { n: 1 }],
        ['alpha', { n: 2 }],
        ['beta', { n: 1 }],
      ]);
      expect(outcomes).toEqual(['created', 'account_conflict', 'unchanged', 'updated', 'created']);
      expect((await hosts.get('alpha', null))?.labels.value).toEqual({ n: 2 });
    });

    it('tells hostnames apart byte by byte', async () => {
      const { hosts } = fresh();
      const names = [
        'host',
        'Host',
        'host ',
        'h\u00f6st',
        'ho\u0308st',
        'host\u0000',
        '%',
        '_',
        '__proto__',
        'constructor',
        '1',
      ];
      expect(
        new Set(
          await save(
            hosts,
            names.map((name) => [name, { name }]),
          ),
        ),
      ).toEqual(new Set(['created']));
      for (const name of names) {
        const host = await hosts.get(name, null);
        expect(host?.hostname).toBe(name);
        expect(host?.labels.value).toEqual({ name });
      }
      expect(await hosts.get('HOST', null)).toBeUndefined();
    });

    it('takes a lone surrogate in a hostname as U+FFFD', async () => {
      const { hosts } = fresh();
      expect(await save(hosts, [['a\ud800', {}]])).toEqual(['created']);
      expect((await hosts.get('a\ufffd', null))?.hostname).toBe('a\ufffd');
      expect(await save(hosts, [['a\udfff', {}]])).toEqual(['unchanged']);
    });

    it('leaves hosts of other accounts alone', async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: { a: 1 } });
      expect(await save(hosts, { alpha: { a: 2 } }, { account: blue, at: minute(9) })).toEqual(['account_conflict']);
      expect(await hosts.get('alpha', null)).toMatchObject({ accountId: red.id, lastSeen: minute(1) });
      expect((await hosts.get('alpha', null))?.labels.value).toEqual({ a: 1 });
    });

    it('lets an account take over active hosts when asked to', async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: { a: 1 }, gone: {}, same: { a: 1 } });
      await archiveNames(hosts, ['gone']);
      const options = { account: { ...blue, objectType: 'server' }, takeOver: true, at: minute(9) };
      expect(await save(hosts, { alpha: { a: 2 }, gone: { a: 2 }, same: { a: 1 }, fresh: {} }, options)).toEqual([
        'updated',
        'account_conflict',
        'updated',
        'created',
      ]);
      expect(await hosts.get('alpha', null)).toMatchObject({
        accountId: blue.id,
        objectType: 'server',
        lastUpdate: minute(9),
      });
      expect(await hosts.get('same', null)).toMatchObject({ accountId: blue.id, lastUpdate: minute(9) });
      expect(await countOwned(hosts, red.id)).toBe(0);
      expect(await countOwned(hosts, blue.id)).toBe(3);
    });

    it('binds a host without an account to the first one that writes it', async () => {
      const { hosts } = fresh();
      await hosts.putDocuments(
        [{ record: documentOf('alpha', { accountId: null }), mode: 'skip', relations: [] }],
        actor,
      );
      expect(await save(hosts, { alpha: { os: 'linux' } }, { account: nets, at: minute(4) })).toEqual(['updated']);
      expect(await hosts.get('alpha', null)).toMatchObject({
        accountId: nets.id,
        isObject: true,
        objectType: 'network',
      });
      expect(await countOwned(hosts, nets.id)).toBe(1);
    });

    it.each(['api', 'import'] as const)(
      'brings back a host archived by %s when its account is the same',
      async (by) => {
        const { hosts } = fresh();
        await save(hosts, { alpha: { a: 1 } });
        await archiveNames(hosts, ['alpha'], by);
        expect(await save(hosts, { alpha: { a: 1 } }, { account: blue })).toEqual(['account_conflict']);
        expect((await hosts.find('alpha'))?.archive).toEqual({ at: minute(5), by });
        expect(await save(hosts, { alpha: { a: 1 } }, { at: minute(8) })).toEqual(['updated']);
        expect(await hosts.get('alpha', null)).toMatchObject({
          archive: null,
          lastSeen: minute(8),
          lastUpdate: minute(8),
        });
      },
    );

    it('leaves a host that an operator archived in the archive', async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: { a: 1 } });
      await archiveNames(hosts, ['alpha'], 'operator');
      expect(await save(hosts, { alpha: { a: 2 } }, { at: minute(8) })).toEqual(['archived']);
      expect(await save(hosts, { alpha: { a: 2 } }, { account: blue })).toEqual(['account_conflict']);
      const host = await hosts.find('alpha');
      expect(host).toMatchObject({ archive: { at: minute(5), by: 'operator' }, lastSeen: minute(1) });
      expect(host?.labels.value).toEqual({ a: 1 });
    });

    it('leaves alone what the same run wrote before', async () => {
      const { hosts } = fresh();
      const run = { runId: 'run-1' };
      expect(
        await save(
          hosts,
          [
            ['alpha', { n: 1 }],
            ['alpha', { n: 2 }],
          ],
          run,
        ),
      ).toEqual(['created', 'duplicate']);
      expect(await save(hosts, { alpha: { n: 3 } }, { ...run, at: minute(2) })).toEqual(['duplicate']);
      expect((await hosts.get('alpha', null))?.labels.value).toEqual({ n: 1 });
      expect((await hosts.get('alpha', null))?.lastSeen).toEqual(minute(1));
      expect(await save(hosts, { alpha: { n: 1 } }, { runId: 'run-2' })).toEqual(['unchanged']);
      expect(await save(hosts, { alpha: { n: 1 } }, { runId: 'run-2' })).toEqual(['duplicate']);
      expect(await save(hosts, { alpha: { n: 5 } })).toEqual(['updated']);
      expect(await save(hosts, { alpha: { n: 6 } }, { runId: 'run-2' })).toEqual(['duplicate']);
    });

    it('does not mark what a run could not write', async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: {} }, { account: blue });
      expect(await save(hosts, { alpha: {} }, { runId: 'run-1' })).toEqual(['account_conflict']);
      expect(await save(hosts, { alpha: {} }, { runId: 'run-1' })).toEqual(['account_conflict']);
    });

    it('gives keys and values back as they went in', async () => {
      const { hosts } = fresh();
      const text =
        '{"__proto__":"p","$where":"1","a.b/c":"x","10":1,"9":2,"constructor":"c","toString":null,"":"empty",' +
        '" ":" ","\u{1f600}":"\u{1f600}","quote\\"":"\\"\\\\","line\\n":"\\n\\u0000\\u2028","\\ud800":"\\udfff",' +
        '"list":["a",1,true,null],"big":12345678901234567890,"small":1e-7,"sql":"\'; DROP TABLE hosts; --"}';
      await hosts.saveLabels({
        account: red,
        at: minute(1),
        actor,
        entries: [{ hostname: 'alpha', labels: labelsText(text) }],
      });
      const labels = (await hosts.get('alpha', null))?.labels;
      expect(labels?.value).toEqual(JSON.parse(text));
      expect(Object.keys(JSON.parse(labels?.text ?? '{}'))).toEqual(Object.keys(JSON.parse(text)));
      expect(Object.hasOwn(labels?.value ?? {}, '__proto__')).toBe(true);
      const entries = [{ hostname: 'alpha', labels: labelsText(text) }];
      expect(await hosts.saveLabels({ account: red, at: minute(1), actor, entries })).toEqual(['unchanged']);
    });

    it('keeps values of a megabyte', async () => {
      const { hosts } = fresh();
      const labels = { big: '\u00e4'.repeat(500_000), bigger: 'x'.repeat(1_000_000) };
      await save(hosts, { alpha: labels });
      expect((await hosts.get('alpha', null))?.labels.value).toEqual(labels);
      expect(await save(hosts, { alpha: labels })).toEqual(['unchanged']);
    });

    it('writes thousands of hosts in one call', async () => {
      const { hosts } = fresh();
      const entries = Array.from({ length: 2_500 }, (_, n): [string, Labels] => [
        `host-${n}`,
        { n, site: `s${n % 7}` },
      ]);
      const outcomes = await save(hosts, entries);
      expect(outcomes.length).toBe(2_500);
      expect(outcomes.every((outcome) => outcome === 'created')).toBe(true);
      expect(await hosts.count({ scope: null, kind: 'hosts', state: 'active' })).toBe(2_500);
      expect((await save(hosts, entries)).every((outcome) => outcome === 'unchanged')).toBe(true);
    }, 60_000);

    it('gives a new host to exactly one of two racing accounts', async () => {
      const { hosts } = fresh();
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, (_, n) => save(hosts, { alpha: { n } }, { account: n % 2 === 0 ? red : blue })),
      );
      const owner = (await hosts.get('alpha', null))?.accountId;
      const flat = outcomes.flat();
      expect(flat.filter((outcome) => outcome === 'created').length).toBe(1);
      flat.forEach((outcome, n) => {
        const own = (n % 2 === 0 ? red : blue).id === owner;
        expect(own ? ['created', 'updated', 'unchanged'] : ['account_conflict']).toContain(outcome);
      });
    });

    it('loses nothing when bulk runs against bulk', async () => {
      const { hosts } = fresh();
      const names = Array.from({ length: 200 }, (_, n) => `host-${n}`);
      const bulk = (account: typeof red, order: readonly string[]) =>
        save(
          hosts,
          order.map((name) => [name, { by: account.id }]),
          { account },
        );
      const [first, second] = await Promise.all([bulk(red, names), bulk(blue, names.toReversed())]);
      const byRed = new Map(names.map((name, n): [string, LabelOutcome | undefined] => [name, first?.[n]]));
      const byBlue = new Map(
        names.toReversed().map((name, n): [string, LabelOutcome | undefined] => [name, second?.[n]]),
      );
      for (const name of names) {
        const host = await hosts.get(name, null);
        expect([byRed.get(name), byBlue.get(name)].sort()).toEqual(['account_conflict', 'created']);
        expect(host?.accountId).toBe(byRed.get(name) === 'created' ? red.id : blue.id);
        expect(host?.labels.value).toEqual({ by: host?.accountId });
      }
      expect(await hosts.count({ scope: null, kind: 'all', state: 'any' })).toBe(200);
    });

    it('applies fifty writers on one host one after the other', async () => {
      const storage = fresh();
      await save(storage.hosts, { alpha: { n: -1 } });
      await Promise.all(
        Array.from({ length: 50 }, (_, n) => save(storage.hosts, { alpha: { n } }, { at: minute(10 + n) })),
      );
      const changes = await storage.history.ofHost('alpha', 1000);
      const seen = changes.filter((change) => change.kind === 'labels').map((change) => change.changes[0]);
      expect(seen.length).toBe(50);
      const befores = new Set(seen.map((change) => change?.before));
      expect(befores.size).toBe(50);
      const now = (await storage.hosts.get('alpha', null))?.labels.value.n;
      expect(befores.has(now as number)).toBe(false);
    });

    it('never moves a sight back, so that runs which overlap take nothing from each other', async () => {
      const { hosts } = fresh();
      await save(hosts, { same: { n: 1 }, changed: { n: 1 } }, { at: minute(9), runId: 'later' });
      await save(hosts, { same: { n: 1 }, changed: { n: 2 } }, { at: minute(5), runId: 'earlier' });
      for (const hostname of ['same', 'changed']) {
        expect(await hosts.get(hostname, null)).toMatchObject({ lastSeen: minute(9), lastUpdate: minute(9) });
      }
      const sweep = { accountId: red.id, runId: 'later', seenBefore: minute(8), except: [], thresholdPercent: 100 };
      expect(await hosts.archiveUnseen({ ...sweep, activeBefore: 2, at: minute(10), actor })).toMatchObject({
        candidates: 0,
      });
      const before = { scope: null, checkpoint: minute(9) };
      expect(await hosts.counters(before)).toMatchObject({ notSeenSince: 0 });
    });

    it('moves the revision for what readers see, not for lastSeen', async () => {
      const storage = fresh();
      const revision = async () => (await storage.revisions()).get('hosts') ?? 0;
      const steps: [Labels, Partial<Parameters<typeof labelWrite>[1]>, boolean][] = [
        [{ a: 1 }, {}, true],
        [{ a: 1 }, { at: minute(2) }, false],
        [{ a: 2 }, { account: blue }, false],
        [{ a: 2 }, {}, true],
      ];
      for (const [labels, options, moves] of steps) {
        const before = await revision();
        await save(storage.hosts, { alpha: labels }, options);
        expect((await revision()) > before).toBe(moves);
      }
    });
  });

  describe('previewLabels', () => {
    it('answers what saveLabels would, and writes nothing', async () => {
      const storage = fresh();
      const { hosts } = storage;
      await save(hosts, { same: { a: 1 }, changed: { a: 1 }, gone: { a: 1 }, locked: { a: 1 } });
      await save(hosts, { other: { a: 1 } }, { account: blue });
      await archiveNames(hosts, ['gone']);
      await archiveNames(hosts, ['locked'], 'operator');
      const before = await storage.revisions();
      const names = ['fresh', 'same', 'changed', 'gone', 'locked', 'other'];
      const { account, entries } = labelWrite(names.map((name) => [name, { a: name === 'changed' ? 2 : 1 }]));
      const preview = await hosts.previewLabels({ account, entries });
      expect(preview.map((item) => item.outcome)).toEqual([
        'created',
        'unchanged',
        'updated',
        'updated',
        'archived',
        'account_conflict',
      ]);
      expect(preview.map((item) => item.before?.value)).toEqual([
        undefined,
        { a: 1 },
        { a: 1 },
        { a: 1 },
        { a: 1 },
        { a: 1 },
      ]);
      expect(preview[0] && 'before' in preview[0]).toBe(false);
      expect(await hosts.get('fresh', null)).toBeUndefined();
      expect((await hosts.get('same', null))?.lastSeen).toEqual(minute(1));
      expect(await storage.revisions()).toEqual(before);
    });

    it('knows about taking over', async () => {
      const { hosts } = fresh();
      await save(hosts, { other: { a: 1 } }, { account: blue });
      const { account, entries } = labelWrite({ other: { a: 1 } });
      expect((await hosts.previewLabels({ account, entries, takeOver: true }))[0]?.outcome).toBe('updated');
    });

    it('does not let entries see each other', async () => {
      const { hosts } = fresh();
      const { account, entries } = labelWrite([
        ['alpha', { a: 1 }],
        ['alpha', { a: 2 }],
      ]);
      expect((await hosts.previewLabels({ account, entries })).map((item) => item.outcome)).toEqual([
        'created',
        'created',
      ]);
    });

    it("shows the owner's labels, not what others laid over them", async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: { a: 1 } });
      await hosts.contributeLabels({
        accountId: blue.id,
        precedence: 10,
        entries: [{ hostname: 'alpha', labels: StoredJson.ofValue({ a: 2 }) }],
        at: minute(2),
        actor,
        runId: 'run-1',
      });
      const { account, entries } = labelWrite({ alpha: { a: 1 } });
      const [preview] = await hosts.previewLabels({ account, entries });
      expect(preview?.outcome).toBe('unchanged');
      expect(preview?.before?.value).toEqual({ a: 1 });
    });
  });
}
