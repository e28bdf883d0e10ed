import { describe, expect, it } from 'vitest';
import {
  type HostStore,
  type JsonValue,
  type RuleStore,
  type Storage,
  StoredJson,
  type UnseenSweep,
} from '../ports/index.ts';
import {
  activeHosts,
  actor,
  archiveNames,
  blue,
  countOwned,
  documentOf,
  minute,
  namesOf,
  nets,
  ofAccounts,
  plain,
  red,
  ruleId,
  ruleWrite,
  save,
  saveNames,
  writeRules,
} from './samples.ts';

const POOL = 'cmk_folder_pool';

async function makePool(rules: RuleStore, id: number, folder: string, taken: number): Promise<void> {
  const document = { folder_name: folder, folder_seats: 10, folder_seats_taken: taken, note: 'kept' };
  await writeRules(rules, [ruleWrite(id, `pool-${folder}`, document, { type: POOL, uniqueValue: folder })]);
}

async function seats(rules: RuleStore, id: number): Promise<unknown> {
  return (await rules.get(POOL, ruleId(id)))?.document.value.folder_seats_taken;
}

/** Stores two hosts that have not been seen for long; one of them is protected from deletion by age. */
async function putProtected(hosts: HostStore): Promise<void> {
  const record = (hostname: string, no_autodelete: JsonValue) =>
    documentOf(hostname, { createdAt: minute(1), members: StoredJson.ofValue({ note: 'x', no_autodelete }) });
  await hosts.putDocuments(
    [record('open', false), record('kept', true)].map((document) => ({
      record: document,
      mode: 'skip',
      relations: [],
    })),
    actor,
  );
}

/** Every way a host goes, and the ways back. */
export function describeArchiveContract(fresh: () => Storage): void {
  describe('archive', () => {
    it('archives active hosts in scope; one outcome a hostname, in order', async () => {
      const { hosts } = fresh();
      await saveNames(hosts, ['alpha', 'gone', 'beta']);
      await saveNames(hosts, ['other'], { account: blue });
      await archiveNames(hosts, ['gone']);
      const hostnames = ['unknown', 'alpha', 'gone', 'other', 'alpha', 'beta'];
      const outcomes = await hosts.archive({
        hostnames,
        by: 'operator',
        at: minute(6),
        scope: ofAccounts(red.id),
        actor,
      });
      expect(outcomes).toEqual(['not_found', 'archived', 'not_found', 'not_found', 'not_found', 'archived']);
      expect((await hosts.find('alpha'))?.archive).toEqual({ at: minute(6), by: 'operator' });
      expect((await hosts.find('gone'))?.archive).toEqual({ at: minute(5), by: 'api' });
      expect(await namesOf(hosts.page({ filter: activeHosts, offset: 0, limit: 10 }))).toEqual(['other']);
    });

    it('leaves the rest of the record as it was', async () => {
      const { hosts } = fresh();
      await saveNames(hosts, ['alpha']);
      const before = plain(await hosts.find('alpha'));
      await archiveNames(hosts, ['alpha']);
      expect(plain(await hosts.find('alpha'))).toEqual({
        ...(before as object),
        archive: { at: minute(5), by: 'api' },
      });
    });

    it('moves the revision only when something was archived', async () => {
      const storage = fresh();
      await saveNames(storage.hosts, ['alpha']);
      const before = (await storage.revisions()).get('hosts') ?? 0;
      await archiveNames(storage.hosts, ['unknown']);
      expect((await storage.revisions()).get('hosts')).toBe(before);
      await archiveNames(storage.hosts, ['alpha']);
      expect((await storage.revisions()).get('hosts')).toBeGreaterThan(before);
    });

    it('lets exactly one of many archive a host', async () => {
      const { hosts } = fresh();
      await saveNames(hosts, ['alpha']);
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => archiveNames(hosts, ['alpha'])));
      expect(outcomes.flat().filter((outcome) => outcome === 'archived').length).toBe(1);
    });

    it('gives the seats of folder pools back, never below none', async () => {
      const storage = fresh();
      const { hosts, rules } = storage;
      await makePool(rules, 1, 'east', 2);
      await makePool(rules, 2, 'west', 1);
      await makePool(rules, 3, 'idle', 0);
      const record = (name: string, folder: string | null) =>
        ({ record: documentOf(name, { folder }), mode: 'skip', relations: [] }) as const;
      await hosts.putDocuments(
        [
          record('e1', 'east'),
          record('w1', 'west'),
          record('w2', 'west'),
          record('i1', 'idle'),
          record('x', 'nowhere'),
          record('n', null),
        ],
        actor,
      );
      const before = await storage.revisions();
      const idle = await rules.get(POOL, ruleId(3));
      await archiveNames(hosts, ['e1', 'w1', 'w2', 'i1', 'x', 'n']);
      expect([await seats(rules, 1), await seats(rules, 2), await seats(rules, 3)]).toEqual([1, 0, 0]);
      expect((await hosts.find('e1'))?.folder).toBeNull();
      expect((await storage.revisions()).get(`rules/${POOL}`)).toBeGreaterThan(before.get(`rules/${POOL}`) ?? 0);
      expect((await rules.get(POOL, ruleId(3)))?.version).toBe(idle?.version);
      const east = await rules.get(POOL, ruleId(1));
      expect(east?.version).toBe(2);
      expect(Object.keys(east?.document.value ?? {})).toEqual([
        '_id',
        'name',
        'folder_name',
        'folder_seats',
        'folder_seats_taken',
        'note',
      ]);
    });

    it('counts seats right when many give one back at once', async () => {
      const { hosts, rules } = fresh();
      await makePool(rules, 1, 'east', 10);
      const names = Array.from({ length: 8 }, (_, n) => `h${n}`);
      await hosts.putDocuments(
        names.map((name) => ({ record: documentOf(name, { folder: 'east' }), mode: 'skip', relations: [] })),
        actor,
      );
      await Promise.all(names.map((name) => archiveNames(hosts, [name])));
      expect(await seats(rules, 1)).toBe(2);
    });
  });

  describe('restore', () => {
    it('brings archived hosts in scope back as they were, without a seat', async () => {
      const storage = fresh();
      const { hosts } = storage;
      await hosts.putDocuments(
        [
          {
            record: documentOf('alpha', { folder: 'east', lastSeen: minute(2), lastUpdate: minute(1) }),
            mode: 'skip',
            relations: [],
          },
        ],
        actor,
      );
      await saveNames(hosts, ['active']);
      await saveNames(hosts, ['other'], { account: blue });
      await archiveNames(hosts, ['alpha', 'other'], 'operator');
      const before = (await storage.revisions()).get('hosts') ?? 0;
      const request = {
        hostnames: ['alpha', 'active', 'unknown', 'other'],
        at: minute(9),
        scope: ofAccounts(red.id),
        actor,
      };
      expect(await hosts.restore(request)).toEqual(['restored', 'not_found', 'not_found', 'not_found']);
      expect(await hosts.get('alpha', null)).toMatchObject({
        archive: null,
        folder: null,
        lastSeen: minute(2),
        lastUpdate: minute(1),
        createdAt: minute(0),
      });
      expect((await storage.revisions()).get('hosts')).toBeGreaterThan(before);
      expect((await hosts.find('other'))?.archive).not.toBeNull();
    });
  });

  describe('archiveUnseen', () => {
    const sweep: UnseenSweep = {
      accountId: red.id,
      runId: 'run-2',
      seenBefore: minute(7),
      except: [],
      thresholdPercent: 100,
      activeBefore: 100,
      at: minute(8),
      actor,
    };

    it('archives what the run did not write, as import', async () => {
      const { hosts } = fresh();
      await saveNames(hosts, ['a', 'b', 'c', 'd', 'gone'], { runId: 'run-1' });
      await saveNames(hosts, ['api']);
      await saveNames(hosts, ['other'], { account: blue });
      await archiveNames(hosts, ['gone']);
      await saveNames(hosts, ['b'], { runId: 'run-2' });
      const result = await hosts.archiveUnseen({ ...sweep, except: ['c'] });
      expect(result).toEqual({ candidates: 3, archived: 3, refused: false, sample: ['a', 'api', 'd'] });
      expect((await hosts.find('a'))?.archive).toEqual({ at: minute(8), by: 'import' });
      expect((await hosts.find('gone'))?.archive).toEqual({ at: minute(5), by: 'api' });
      expect(await namesOf(hosts.page({ filter: activeHosts, offset: 0, limit: 10 }))).toEqual(['b', 'c', 'other']);
    });

    it('leaves alone what anybody saw since the run began', async () => {
      const { hosts } = fresh();
      await saveNames(hosts, ['a', 'b', 'c', 'd'], { runId: 'run-1' });
      await saveNames(hosts, ['a'], { runId: 'run-2', at: minute(7) });
      await saveNames(hosts, ['b'], { runId: 'run-3', at: minute(7) });
      await saveNames(hosts, ['c'], { at: minute(8) });
      expect(await hosts.archiveUnseen({ ...sweep, at: minute(9) })).toMatchObject({ archived: 1, sample: ['d'] });
    });

    it('archives those of one type alone', async () => {
      const { hosts } = fresh();
      await saveNames(hosts, ['a', 'b'], { runId: 'run-1' });
      await saveNames(hosts, ['port'], { account: { ...red, objectType: 'interface' }, runId: 'run-1' });
      expect(await hosts.archiveUnseen({ ...sweep, objectType: red.objectType, except: ['b'] })).toMatchObject({
        archived: 1,
        sample: ['a'],
      });
      expect(await hosts.archiveUnseen({ ...sweep, objectType: 'interface', at: minute(9) })).toMatchObject({
        archived: 1,
        sample: ['port'],
      });
    });

    it('counts objects of an account of objects', async () => {
      const { hosts } = fresh();
      await saveNames(hosts, ['n1', 'n2'], { account: nets, runId: 'run-1' });
      await saveNames(hosts, ['n1'], { account: nets, runId: 'run-2' });
      expect(await hosts.archiveUnseen({ ...sweep, accountId: nets.id })).toMatchObject({
        archived: 1,
        sample: ['n2'],
      });
    });

    it.each([
      [20, 10, 2, false],
      [20, 10, 3, true],
      [0, 10, 0, false],
      [0, 10, 1, true],
      [33, 3, 1, true],
      [34, 3, 1, false],
      [100, 3, 3, false],
      [50, 0, 1, true],
    ])(
      'with a threshold of %i %% of %i hosts and %i candidates refuses: %s',
      async (percent, before, count, refused) => {
        const { hosts } = fresh();
        await saveNames(
          hosts,
          Array.from({ length: count }, (_, n) => `h${n}`),
          { runId: 'run-1' },
        );
        const result = await hosts.archiveUnseen({ ...sweep, thresholdPercent: percent, activeBefore: before });
        expect(result).toMatchObject({ candidates: count, refused, archived: refused ? 0 : count });
        expect(await countOwned(hosts, red.id)).toBe(refused ? count : 0);
      },
    );

    it('only counts in a preview', async () => {
      const storage = fresh();
      await saveNames(storage.hosts, ['a', 'b']);
      const before = await storage.revisions();
      expect(await storage.hosts.archiveUnseen({ ...sweep, preview: true })).toMatchObject({
        candidates: 2,
        archived: 0,
        refused: false,
      });
      expect(await storage.hosts.archiveUnseen({ ...sweep, preview: true, thresholdPercent: 1 })).toMatchObject({
        refused: true,
      });
      expect(await countOwned(storage.hosts, red.id)).toBe(2);
      expect(await storage.revisions()).toEqual(before);
    });

    it('names the first twenty by hostname', async () => {
      const { hosts } = fresh();
      const names = Array.from({ length: 25 }, (_, n) => `h${String(n).padStart(2, '0')}`);
      await saveNames(hosts, names.toReversed());
      expect((await hosts.archiveUnseen(sweep)).sample).toEqual(names.slice(0, 20));
    });

    it('gives seats back', async () => {
      const { hosts, rules } = fresh();
      await makePool(rules, 1, 'east', 5);
      await hosts.putDocuments(
        ['a', 'b'].map((name) => ({ record: documentOf(name, { folder: 'east' }), mode: 'skip', relations: [] })),
        actor,
      );
      await hosts.archiveUnseen(sweep);
      expect(await seats(rules, 1)).toBe(3);
      expect((await hosts.find('a'))?.folder).toBeNull();
    });
  });

  describe('archiveStale', () => {
    it('archives active hosts not seen since, and never seen ones created before, by name', async () => {
      const storage = fresh();
      const { hosts } = storage;
      await saveNames(hosts, ['old-b', 'old-a', 'gone'], { at: minute(1) });
      await saveNames(hosts, ['edge'], { at: minute(10) });
      await saveNames(hosts, ['new'], { at: minute(11) });
      await saveNames(hosts, ['object'], { at: minute(1), account: nets });
      await archiveNames(hosts, ['gone']);
      await hosts.putDocuments(
        [
          { record: documentOf('never-old', { createdAt: minute(2) }), mode: 'skip', relations: [] },
          { record: documentOf('never-new', { createdAt: minute(12) }), mode: 'skip', relations: [] },
        ],
        actor,
      );
      const before = (await storage.revisions()).get('hosts') ?? 0;
      const request = { seenBefore: minute(10), at: minute(20), actor };
      expect(await hosts.archiveStale(request)).toEqual(['never-old', 'old-a', 'old-b']);
      expect((await hosts.find('old-a'))?.archive).toEqual({ at: minute(20), by: 'stale' });
      expect((await hosts.find('object'))?.archive).toBeNull();
      const after = (await storage.revisions()).get('hosts') ?? 0;
      expect(after).toBeGreaterThan(before);
      expect(await hosts.archiveStale(request)).toEqual([]);
      expect((await storage.revisions()).get('hosts')).toBe(after);
    });

    it('keeps to one account when asked, and lets the host come back', async () => {
      const { hosts } = fresh();
      await saveNames(hosts, ['red']);
      await saveNames(hosts, ['blue'], { account: blue });
      expect(await hosts.archiveStale({ seenBefore: minute(9), accountId: blue.id, at: minute(9), actor })).toEqual([
        'blue',
      ]);
      expect(await save(hosts, { blue: { os: 'linux' } }, { account: blue })).toEqual(['updated']);
    });

    it('leaves hosts alone whose members protect them', async () => {
      const { hosts } = fresh();
      await putProtected(hosts);
      expect(await hosts.archiveStale({ seenBefore: minute(9), at: minute(9), actor })).toEqual(['open']);
      expect((await hosts.find('kept'))?.archive).toBeNull();
    });

    it('gives seats back', async () => {
      const { hosts, rules } = fresh();
      await makePool(rules, 1, 'east', 5);
      await hosts.putDocuments([{ record: documentOf('a', { folder: 'east' }), mode: 'skip', relations: [] }], actor);
      await hosts.archiveStale({ seenBefore: minute(9), at: minute(9), actor });
      expect(await seats(rules, 1)).toBe(4);
    });
  });

  describe('purgeArchived', () => {
    it('leaves hosts in the archive whose members protect them', async () => {
      const { hosts } = fresh();
      await putProtected(hosts);
      await archiveNames(hosts, ['open', 'kept']);
      expect(await hosts.purgeArchived(minute(9), { at: minute(9), actor })).toBe(1);
      expect(await hosts.find('open')).toBeUndefined();
      expect((await hosts.find('kept'))?.archive).toEqual({ at: minute(5), by: 'api' });
    });

    it('deletes for good what was archived before, with all that hangs on it', async () => {
      const storage = fresh();
      const { hosts, relations, history } = storage;
      await saveNames(hosts, ['old', 'young', 'active']);
      await hosts.contributeLabels({
        accountId: blue.id,
        precedence: 1,
        entries: [{ hostname: 'old', labels: StoredJson.ofValue({ b: 1 }) }],
        at: minute(2),
        actor,
        runId: 'run-1',
      });
      await relations.add({ hostname: 'active', type: 'runs_on', target: 'old', source: 'manual' }, null);
      await relations.add({ hostname: 'old', type: 'runs_on', target: 'active', source: 'manual' }, null);
      await hosts.archive({ hostnames: ['old'], by: 'api', at: minute(5), scope: null, actor });
      await hosts.archive({ hostnames: ['young'], by: 'api', at: minute(6), scope: null, actor });
      expect(await hosts.purgeArchived(minute(6), { at: minute(9), actor })).toBe(1);
      expect(await hosts.find('old')).toBeUndefined();
      expect(await hosts.find('young')).toBeDefined();
      expect(await history.ofHost('old', 10)).toEqual([]);
      expect(await hosts.contributions('old')).toEqual([]);
      expect(await relations.of(['active', 'old'])).toEqual([]);
      expect(await hosts.count({ scope: null, kind: 'all', state: 'any' })).toBe(2);
      expect(await save(hosts, { old: {} }, { account: blue, at: minute(9) })).toEqual(['created']);
      expect((await history.ofHost('old', 10)).map((change) => change.kind)).toEqual(['created']);
    });
  });

  describe('purge', () => {
    it('deletes archived hosts in scope for good, with all that hangs on them; one outcome a hostname, in order', async () => {
      const { hosts, relations, history } = fresh();
      await saveNames(hosts, ['old', 'active']);
      await saveNames(hosts, ['foreign'], { account: blue });
      await hosts.contributeLabels({
        accountId: blue.id,
        precedence: 1,
        entries: [{ hostname: 'old', labels: StoredJson.ofValue({ b: 1 }) }],
        at: minute(2),
        actor,
        runId: 'run-1',
      });
      await relations.add({ hostname: 'active', type: 'runs_on', target: 'old', source: 'manual' }, null);
      await relations.add({ hostname: 'old', type: 'runs_on', target: 'active', source: 'manual' }, null);
      await archiveNames(hosts, ['old', 'foreign']);
      const hostnames = ['active', 'old', 'old', 'foreign', 'unknown'];
      const scope = { accounts: [red.id], templates: null };
      expect(await hosts.purge({ hostnames, scope, at: minute(9), actor })).toEqual([
        'not_found',
        'purged',
        'not_found',
        'not_found',
        'not_found',
      ]);
      expect(await hosts.find('old')).toBeUndefined();
      expect(await hosts.find('foreign')).toBeDefined();
      expect(await history.ofHost('old', 10)).toEqual([]);
      expect(await hosts.contributions('old')).toEqual([]);
      expect(await relations.of(['active', 'old'])).toEqual([]);
      expect(await hosts.count({ scope: null, kind: 'all', state: 'any' })).toBe(2);
      expect(await save(hosts, { old: {} }, { account: blue, at: minute(9) })).toEqual(['created']);
    });

    it('deletes hosts that age leaves alone', async () => {
      const { hosts } = fresh();
      await putProtected(hosts);
      await archiveNames(hosts, ['kept']);
      expect(await hosts.purge({ hostnames: ['kept'], scope: null, at: minute(9), actor })).toEqual(['purged']);
      expect(await hosts.find('kept')).toBeUndefined();
    });
  });
}
