import { describe, expect, it } from 'vitest';
import type { KeptAuditEntry, Storage } from '../ports/index.ts';
import { minute, ruleId } from './samples.ts';

/** An entry at a place of the chain. */
function linked(seq: number, at: number, more: Partial<KeptAuditEntry> = {}): KeptAuditEntry {
  return entry(seq, at, { link: { seq, mark: `mark ${seq}` }, ...more });
}

async function chainOf({ audit }: Storage, after = 0, batchSize = 2): Promise<readonly KeptAuditEntry[]> {
  const found: KeptAuditEntry[] = [];
  for await (const batch of audit.linked({ after, batchSize })) found.push(...batch);
  return found;
}

function entry(id: number, at: number, more: Partial<KeptAuditEntry> = {}): KeptAuditEntry {
  return {
    id: ruleId(id),
    at: minute(at),
    actor: 'ada',
    entrance: 'rest',
    address: '127.0.0.1',
    operation: 'hosts/save-host',
    subject: 'alpha',
    outcome: 'done',
    requestId: `r-${id}`,
    details: '',
    link: null,
    ...more,
  };
}

export function describeAuditStoreContract(fresh: () => Storage): void {
  describe('AuditStore', () => {
    it('keeps entries and gives the newest first, by time, then id descending', async () => {
      const { audit } = fresh();
      const entries = [
        entry(1, 1, { subject: 'quote " \u{1f600}', address: '', details: 'role: a → b' }),
        entry(3, 5),
        entry(2, 5),
        entry(4, 3),
      ];
      await audit.append(entries);
      await audit.append([]);
      expect((await audit.latest({ limit: 10 })).map((item) => item.id)).toEqual([3, 2, 4, 1].map(ruleId));
      const { link: _, ...first } = entries[0] as KeptAuditEntry;
      expect((await audit.latest({ limit: 10 })).at(-1)).toEqual(first);
      expect((await audit.latest({ limit: 1 })).map((item) => item.id)).toEqual([ruleId(3)]);
    });

    it('filters by whole values', async () => {
      const { audit } = fresh();
      await audit.append([
        entry(1, 1),
        entry(2, 2, { actor: 'Ada' }),
        entry(3, 3, { operation: 'hosts/save-host2' }),
        entry(4, 4, { actor: 'bob' }),
      ]);
      const ids = async (filter: { actor?: string; operation?: string }) =>
        (await audit.latest({ limit: 10, ...filter })).map((item) => item.id);
      expect(await ids({ actor: 'ada' })).toEqual([3, 1].map(ruleId));
      expect(await ids({ operation: 'hosts/save-host' })).toEqual([4, 2, 1].map(ruleId));
      expect(await ids({ actor: 'ada', operation: 'hosts/save-host' })).toEqual([ruleId(1)]);
      expect(await ids({ actor: 'a_a' })).toEqual([]);
    });

    it('goes on before a place, whether an entry is there or not', async () => {
      const { audit } = fresh();
      await audit.append([entry(1, 9), entry(2, 5), entry(3, 5, { actor: 'bob' }), entry(4, 1), entry(5, 5)]);
      const idsBefore = async (id: number, at: number, filter: { actor?: string } = {}) =>
        (await audit.latest({ limit: 10, before: { at: minute(at), id: ruleId(id) }, ...filter })).map(
          (item) => item.id,
        );
      expect(await idsBefore(5, 5)).toEqual([3, 2, 4].map(ruleId));
      expect(await idsBefore(9, 5, { actor: 'ada' })).toEqual([5, 2, 4].map(ruleId));
      expect(await idsBefore(1, 1)).toEqual([]);
    });

    it('prunes what is older and in no chain', async () => {
      const { audit } = fresh();
      await audit.append([entry(1, 1), entry(2, 2), entry(3, 3)]);
      await audit.append([linked(4, 1)], { from: null, to: 'one' });
      expect(await audit.pruneUnlinked(minute(3))).toBe(2);
      expect((await audit.latest({ limit: 10 })).map((item) => item.id)).toEqual([3, 4].map(ruleId));
      expect(await audit.pruneUnlinked(minute(9))).toBe(1);
      expect(await audit.pruneUnlinked(minute(9))).toBe(0);
      await audit.append([entry(3, 3)]);
      expect(await audit.pruneLinked(4, { from: 'one', to: 'two' })).toBe(1);
      expect((await audit.latest({ limit: 10 })).map((item) => item.id)).toEqual([ruleId(3)]);
    });

    it('loses nothing of what is written at once', async () => {
      const { audit } = fresh();
      const calls = Array.from({ length: 20 }, (_, n) => audit.append([entry(2 * n + 1, 1), entry(2 * n + 2, 2)]));
      await Promise.all(calls);
      expect((await audit.latest({ limit: 100 })).length).toBe(40);
    });

    it('has no chain before one begins, and moves it with the entries of a step', async () => {
      const storage = fresh();
      const { audit } = storage;
      expect(await audit.chain()).toBeNull();
      expect(await chainOf(storage)).toEqual([]);
      expect(await audit.lastLinkedBefore(minute(99))).toBeUndefined();
      await audit.append([entry(9, 1)]);
      const entries = [linked(1, 5, { details: 'x' }), linked(2, 4), linked(3, 6)];
      expect(await audit.append(entries, { from: null, to: 'one' })).toBeUndefined();
      expect(await audit.append([linked(4, 7)], { from: 'one', to: 'two' })).toBeUndefined();
      expect(await audit.append([], { from: 'two', to: 'three' })).toBeUndefined();
      expect(await audit.chain()).toBe('three');
      expect(await chainOf(storage)).toEqual([...entries, linked(4, 7)]);
      expect(await chainOf(storage, 2)).toEqual([linked(3, 6), linked(4, 7)]);
      expect(await chainOf(storage, 4)).toEqual([]);
    });

    it('may begin a chain without an entry, and goes on from there', async () => {
      const storage = fresh();
      const { audit } = storage;
      expect(await audit.append([], { from: null, to: 'one' })).toBeUndefined();
      expect(await audit.chain()).toBe('one');
      expect(await audit.append([linked(1, 1)], { from: 'one', to: 'two' })).toBeUndefined();
      expect(await audit.chain()).toBe('two');
      expect(await chainOf(storage)).toEqual([linked(1, 1)]);
      expect(await audit.append([], { from: null, to: 'three' })).toEqual({ chain: 'two' });
    });

    it('keeps nothing of a step that begins elsewhere, and says where the chain is', async () => {
      const storage = fresh();
      const { audit } = storage;
      expect(await audit.append([linked(1, 1)], { from: 'other', to: 'one' })).toEqual({ chain: null });
      await audit.append([linked(1, 1)], { from: null, to: 'one' });
      expect(await audit.append([linked(2, 1)], { from: null, to: 'two' })).toEqual({ chain: 'one' });
      expect(await audit.append([linked(2, 1)], { from: 'zero', to: 'two' })).toEqual({ chain: 'one' });
      expect(await audit.pruneLinked(1, { from: 'zero', to: 'two' })).toBeUndefined();
      expect(await audit.chain()).toBe('one');
      expect(await chainOf(storage)).toEqual([linked(1, 1)]);
    });

    it('keeps an entry in no chain whose place is taken', async () => {
      const storage = fresh();
      const { audit } = storage;
      await audit.append([linked(1, 1), linked(2, 2), linked(3, 3)], { from: null, to: 'one' });
      const [late, next] = [linked(3, 5, { id: ruleId(8) }), linked(4, 6)];
      expect(await audit.append([late, next], { from: 'one', to: 'two' })).toBeUndefined();
      expect((await audit.unlinked({ limit: 9 })).first).toEqual([{ ...late, link: null }]);
      expect((await chainOf(storage)).at(-1)).toEqual(next);
    });

    it('lets one of many get on from one state', async () => {
      const storage = fresh();
      const { audit } = storage;
      for (const from of [null, 'a0']) {
        const [name, first] = from === null ? ['a', 1] : ['b', 2];
        const tries = Array.from({ length: 20 }, (_, n) =>
          audit.append([linked(first, n, { id: ruleId(100 * first + n) })], {
            from,
            to: `${name}${from === null ? 0 : n}`,
          }),
        );
        const outcomes = await Promise.all(tries);
        expect(outcomes.filter((outcome) => outcome === undefined).length).toBe(1);
      }
      expect((await chainOf(storage)).map(({ link }) => link?.seq)).toEqual([1, 2]);
    });

    it('finds where the chain ends that is older than a date, and deletes it up to there', async () => {
      const storage = fresh();
      const { audit } = storage;
      await audit.append([linked(1, 1), linked(2, 5), linked(3, 2), linked(4, 6)], { from: null, to: 'one' });
      expect(await audit.lastLinkedBefore(minute(1))).toBeUndefined();
      expect(await audit.lastLinkedBefore(minute(5))).toEqual({ seq: 1, mark: 'mark 1' });
      expect(await audit.lastLinkedBefore(minute(6))).toEqual({ seq: 3, mark: 'mark 3' });
      expect(await audit.lastLinkedBefore(minute(7))).toEqual({ seq: 4, mark: 'mark 4' });
      expect(await audit.pruneLinked(3, { from: 'one', to: 'two' })).toBe(3);
      expect(await audit.chain()).toBe('two');
      expect(await chainOf(storage)).toEqual([linked(4, 6)]);
      expect(await audit.append([linked(5, 8)], { from: 'two', to: 'three' })).toBeUndefined();
      expect(await audit.pruneLinked(9, { from: 'three', to: 'four' })).toBe(2);
      expect(await chainOf(storage)).toEqual([]);
    });

    it('counts and names entries that are in no chain, the oldest first', async () => {
      const { audit } = fresh();
      await audit.append([entry(7, 3), entry(6, 3), entry(5, 1), entry(8, 9)]);
      await audit.append([linked(1, 2)], { from: null, to: 'one' });
      expect(await audit.unlinked({ limit: 0 })).toEqual({ count: 4, first: [] });
      expect(await audit.unlinked({ limit: 2 })).toEqual({ count: 4, first: [entry(5, 1), entry(6, 3)] });
      const since = await audit.unlinked({ limit: 9, since: minute(3) });
      expect(since.first.map(({ id }) => id)).toEqual([6, 7, 8].map(ruleId));
      const before = await audit.unlinked({ limit: 9, before: minute(3) });
      expect(before).toEqual({ count: 1, first: [entry(5, 1)] });
    });

    it('remembers the last entry that was forwarded, by target, as a step from what is noted', async () => {
      const { audit } = fresh();
      const at = (seq: number, mark = `m${seq}`) => ({ seq, mark });
      expect([...(await audit.forwarded())]).toEqual([]);
      expect(await audit.noteForwarded('a', { from: undefined, to: at(5) })).toBe(true);
      expect(await audit.noteForwarded('a', { from: undefined, to: at(6) })).toBe(false);
      expect(await audit.noteForwarded('a', { from: at(5, 'other'), to: at(6) })).toBe(false);
      expect(await audit.noteForwarded('a', { from: at(4), to: at(6) })).toBe(false);
      expect(await audit.noteForwarded('b', { from: at(5), to: at(6) })).toBe(false);
      expect(await audit.noteForwarded('a', { from: at(5), to: at(3) })).toBe(true);
      const tried = [7, 8, 9].map((seq) => audit.noteForwarded('b', { from: undefined, to: at(seq) }));
      expect((await Promise.all(tried)).filter(Boolean)).toHaveLength(1);
      const noted = await audit.forwarded();
      expect([...noted.keys()]).toEqual(['a', 'b']);
      expect(noted.get('a')).toEqual(at(3));
    });
  });
}
