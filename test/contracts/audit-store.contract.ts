import { describe, expect, it } from 'vitest';
import type { AuditEntry, Storage } from '../../src/ports/index.ts';
import { minute, ruleId } from './samples.ts';

function entry(id: number, at: number, more: Partial<AuditEntry> = {}): AuditEntry {
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
    ...more,
  };
}

export function describeAuditStoreContract(fresh: () => Storage): void {
  describe('AuditStore', () => {
    it('keeps entries and gives the newest first, by time, then id descending', async () => {
      const { audit } = fresh();
      const entries = [
        entry(1, 1, { subject: 'quote " \u{1f600}', address: '' }),
        entry(3, 5),
        entry(2, 5),
        entry(4, 3),
      ];
      await audit.append(entries);
      await audit.append([]);
      expect((await audit.latest({ limit: 10 })).map((item) => item.id)).toEqual([3, 2, 4, 1].map(ruleId));
      expect((await audit.latest({ limit: 10 })).at(-1)).toEqual(entries[0]);
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

    it('prunes what is older', async () => {
      const { audit } = fresh();
      await audit.append([entry(1, 1), entry(2, 2), entry(3, 3)]);
      expect(await audit.prune(minute(3))).toBe(2);
      expect((await audit.latest({ limit: 10 })).map((item) => item.id)).toEqual([ruleId(3)]);
    });

    it('loses nothing of what is written at once', async () => {
      const { audit } = fresh();
      const calls = Array.from({ length: 20 }, (_, n) => audit.append([entry(2 * n + 1, 1), entry(2 * n + 2, 2)]));
      await Promise.all(calls);
      expect((await audit.latest({ limit: 100 })).length).toBe(40);
    });
  });
}
