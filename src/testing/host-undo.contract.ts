import { describe, expect, it } from 'vitest';
import { type Storage, StoredJson, type UndoEntry, type UndoOutcome, type UndoWrite } from '../ports/index.ts';
import { actor, archiveNames, blue, labelsOf, minute, nets, plain, red, save, saveSection } from './samples.ts';

type Wanted = Partial<Omit<UndoWrite, 'entries'>>;

/** Returns the history since a minute, newest first, as entries. */
async function since(storage: Storage, from: number): Promise<UndoEntry[]> {
  const changes = await storage.history.latest({ limit: 1000, from: minute(from) });
  return changes.map(({ hostname, kind, changes: values }) => ({ hostname, changes: [{ kind, changes: values }] }));
}

function undo({ hosts }: Storage, entries: readonly UndoEntry[], wanted: Wanted = {}): Promise<readonly UndoOutcome[]> {
  return hosts.undo({ accountId: red.id, ended: minute(5), at: minute(9), actor, ...wanted, entries });
}

const made = (hostname: string): UndoEntry => ({ hostname, changes: [{ kind: 'created', changes: [] }] });

/** Without what says when. */
async function state({ hosts }: Storage, hostname: string): Promise<unknown> {
  const {
    lastSeen: _seen,
    lastUpdate: _update,
    ...rest
  } = plain(await hosts.find(hostname)) as Record<string, unknown>;
  return rest;
}

export function describeUndoContract(fresh: () => Storage): void {
  describe('undo', () => {
    it('gives labels and sections the values that they had, and tells it as a change', async () => {
      const storage = fresh();
      const { hosts, history } = storage;
      await save(hosts, { a: { os: 'debian', cpus: 4, old: 'x' } }, { at: minute(1) });
      await saveSection(hosts, 'a', 'facts', { cores: 4 });
      const before = await state(storage, 'a');
      await save(hosts, { a: { os: 'rocky', cpus: 4, more: true } }, { at: minute(3), runId: 'run-2' });
      await hosts.saveInventory({
        entries: [{ hostname: 'a', key: 'disks', section: StoredJson.ofValue({ sda: 1 }) }],
        scope: null,
        at: minute(4),
        actor,
      });
      const entries = await since(storage, 3);
      expect(await undo(storage, entries, { preview: true })).toEqual(['undone', 'undone']);
      expect(await history.latest({ limit: 9, from: minute(9) })).toEqual([]);
      expect(await undo(storage, entries)).toEqual(['undone', 'undone']);
      expect(await state(storage, 'a')).toEqual(before);
      expect((await hosts.find('a'))?.lastUpdate).toEqual(minute(9));
      expect((await history.latest({ limit: 9, from: minute(9) })).map(({ kind }) => kind).sort()).toEqual([
        'inventory',
        'labels',
      ]);
      expect(await undo(storage, entries)).toEqual(['unchanged', 'unchanged']);
    });

    it('leaves a host alone that has other values by now', async () => {
      const storage = fresh();
      const { hosts } = storage;
      await save(hosts, { a: { os: 'debian', site: 'fra' }, b: { os: 'debian' } }, { at: minute(1) });
      await save(hosts, { a: { os: 'rocky', site: 'muc' }, b: { os: 'rocky' } }, { at: minute(3), runId: 'run-2' });
      const entries = await since(storage, 3);
      await save(hosts, { a: { os: 'alma', site: 'muc' } }, { at: minute(6) });
      await archiveNames(hosts, ['b']);
      const before = [await state(storage, 'a'), await state(storage, 'b')];
      expect(await undo(storage, entries)).toEqual(['changed', 'changed']);
      expect([await state(storage, 'a'), await state(storage, 'b')]).toEqual(before);
      expect(await undo(storage, [made('nobody')])).toEqual(['not_found']);
    });

    it('archives what the run made, unless somebody changed it since', async () => {
      const storage = fresh();
      const { hosts } = storage;
      await save(hosts, { a: { os: 'debian' }, b: { os: 'debian' }, c: {} }, { at: minute(3), runId: 'run-1' });
      await save(hosts, { b: { os: 'rocky' } }, { at: minute(6) });
      // Seen once more, and no more than that.
      await save(hosts, { c: {} }, { at: minute(7) });
      const entries = ['a', 'b', 'c'].map(made);
      expect(await undo(storage, entries)).toEqual(['undone', 'changed', 'undone']);
      expect((await hosts.find('a'))?.archive).toEqual({ at: minute(9), by: 'import' });
      expect((await hosts.find('b'))?.archive).toBeNull();
      expect(await undo(storage, entries)).toEqual(['unchanged', 'changed', 'unchanged']);
      // Its source has it again.
      expect(await save(hosts, { a: { os: 'debian' } }, { at: minute(10) })).toEqual(['updated']);
      expect(await undo(storage, [made('b')], { accountId: blue.id })).toEqual(['changed']);
    });

    it('takes out of the archive what the run put there, and puts back what came out', async () => {
      const storage = fresh();
      const { hosts } = storage;
      await save(hosts, { gone: { os: 'debian' }, back: { os: 'debian' } }, { at: minute(1) });
      await hosts.archive({ hostnames: ['back'], by: 'stale', at: minute(2), scope: null, actor });
      const before = [await state(storage, 'gone'), await state(storage, 'back')];
      await hosts.archive({ hostnames: ['gone'], by: 'import', at: minute(3), scope: null, actor });
      await save(hosts, { back: { os: 'rocky' } }, { at: minute(3), runId: 'run-2' });
      const all = await since(storage, 3);
      const entries = ['gone', 'back'].map((hostname) => ({
        hostname,
        changes: all.filter((entry) => entry.hostname === hostname).flatMap(({ changes }) => changes),
      }));
      expect(await undo(storage, entries)).toEqual(['undone', 'undone']);
      expect([await state(storage, 'gone'), await state(storage, 'back')]).toEqual(before);
      expect(await undo(storage, entries.slice(0, 1))).toEqual(['unchanged']);
    });

    it('gives a host back to the account that had it', async () => {
      const storage = fresh();
      const { hosts } = storage;
      await save(hosts, { a: { os: 'debian' } }, { at: minute(1), account: blue });
      const before = await state(storage, 'a');
      await save(hosts, { a: { os: 'rocky' } }, { at: minute(3), runId: 'run-2', takeOver: true });
      const all = await since(storage, 3);
      const entries = [{ hostname: 'a', changes: all.flatMap(({ changes }) => changes) }];
      expect((await hosts.find('a'))?.accountId).toBe(red.id);
      expect(await undo(storage, entries)).toEqual(['undone']);
      expect(await state(storage, 'a')).toEqual(before);
    });

    it('takes back what an account laid over the labels of the owner', async () => {
      const storage = fresh();
      const { hosts } = storage;
      await save(hosts, { a: { os: 'debian', site: 'fra' } }, { at: minute(1), account: blue });
      const contribution = { accountId: red.id, precedence: 10, actor };
      const give = (os: string, at: number, runId: string) =>
        hosts.contributeLabels({
          ...contribution,
          entries: [{ hostname: 'a', labels: labelsOf({ os }) }],
          at: minute(at),
          runId,
        });
      await give('alma', 2, 'run-1');
      await give('rocky', 3, 'run-2');
      const entries = await since(storage, 3);
      expect(await undo(storage, entries)).toEqual(['undone']);
      expect((await hosts.find('a'))?.labels.value).toEqual({ os: 'alma', site: 'fra' });
      const [first] = await hosts.contributions('a');
      expect([first?.accountId, first?.labels.value]).toEqual([red.id, { os: 'alma' }]);
      // A contribution that is undone does not hide later labels of the owner.
      await save(hosts, { b: { os: 'debian' } }, { at: minute(1), account: blue });
      const gave = { entries: [{ hostname: 'b', labels: labelsOf({ os: 'alma', more: 'x' }) }], at: minute(4) };
      await hosts.contributeLabels({ ...contribution, ...gave, runId: 'run-3' });
      const given = (await since(storage, 4)).filter(({ hostname }) => hostname === 'b');
      expect(await undo(storage, given)).toEqual(['undone']);
      expect((await hosts.find('b'))?.labels.value).toEqual({ os: 'debian' });
      await save(hosts, { b: { os: 'rocky' } }, { at: minute(10), account: blue, runId: 'run-4' });
      expect((await hosts.find('b'))?.labels.value).toEqual({ os: 'rocky' });
      // Labels of another account do not belong to the run.
      expect(await undo(storage, entries, { accountId: nets.id })).toEqual(['changed']);
    });
  });
}
