import { describe, expect, it } from 'vitest';
import type { HostComment, Storage } from '../ports/index.ts';
import { actor, archiveNames, minute, ruleId, saveNames } from './samples.ts';

const comment = (hostname: string, number: number, text = `comment ${number}`): HostComment => ({
  ...{ hostname, id: ruleId(number), at: minute(number), author: 'ada', text },
});

export function describeCommentStoreContract(fresh: () => Storage): void {
  describe('CommentStore', () => {
    const textsOf = async (storage: Storage, hostname: string) =>
      (await storage.comments.list({ hostname, limit: 100 })).map(({ text }) => text);

    it('lists the comments on a host, newest first, in pages', async () => {
      const { comments } = fresh();
      for (const number of [2, 1, 3]) await comments.add(comment('alpha', number));
      await comments.add(comment('alph', 4));
      await comments.add(comment('alpha2', 5));
      const all = [3, 2, 1].map((number) => comment('alpha', number));
      expect(await comments.list({ hostname: 'alpha', limit: 100 })).toEqual(all);
      expect(await comments.list({ hostname: 'alpha', limit: 2 })).toEqual(all.slice(0, 2));
      expect(await comments.list({ hostname: 'alpha', limit: 2, before: ruleId(2) })).toEqual(all.slice(2));
      expect(await comments.list({ hostname: 'alpha', limit: 0 })).toEqual([]);
      expect(await comments.list({ hostname: 'unknown', limit: 100 })).toEqual([]);
      expect([await comments.count('alpha'), await comments.count('alph'), await comments.count('al')]).toEqual([
        3, 1, 0,
      ]);
    });

    it('gives texts back as they were written', async () => {
      const { comments } = fresh();
      const text = 'a\u0000b\n"<b>\u{1f600}\u0001';
      await comments.add(comment('a\ud800', 1, text));
      expect(await comments.list({ hostname: 'a\ufffd', limit: 1 })).toEqual([comment('a\ufffd', 1, text)]);
    });

    it('removes one comment of a host', async () => {
      const storage = fresh();
      for (const number of [1, 2]) await storage.comments.add(comment('alpha', number));
      await storage.comments.add(comment('beta', 1));
      expect(await storage.comments.remove({ hostname: 'alpha', id: ruleId(1) })).toBe(true);
      expect(await storage.comments.remove({ hostname: 'alpha', id: ruleId(1) })).toBe(false);
      expect(await textsOf(storage, 'alpha')).toEqual(['comment 2']);
      expect(await textsOf(storage, 'beta')).toEqual(['comment 1']);
    });

    it('goes with a host that is renamed, and is gone with one that is deleted for good', async () => {
      const storage = fresh();
      await saveNames(storage.hosts, ['alpha', 'beta']);
      for (const number of [1, 2]) await storage.comments.add(comment('alpha', number));
      await storage.comments.add(comment('beta', 3));
      await storage.hosts.rename({ hosts: [{ from: 'alpha', to: 'gamma' }], at: minute(4), actor });
      expect(await textsOf(storage, 'alpha')).toEqual([]);
      expect(await textsOf(storage, 'gamma')).toEqual(['comment 2', 'comment 1']);
      await archiveNames(storage.hosts, ['gamma', 'beta']);
      expect(await textsOf(storage, 'gamma')).toEqual(['comment 2', 'comment 1']);
      await storage.hosts.purge({ hostnames: ['gamma'], scope: null, at: minute(6), actor });
      expect(await textsOf(storage, 'gamma')).toEqual([]);
      expect(await textsOf(storage, 'beta')).toEqual(['comment 3']);
      await storage.hosts.purgeArchived(minute(9), { at: minute(8), actor });
      expect(await textsOf(storage, 'beta')).toEqual([]);
    });
  });
}
