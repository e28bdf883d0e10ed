import { describe, expect, it } from 'vitest';
import type { SessionRecord, SessionSignIn, Storage } from '../ports/index.ts';
import { minute, ruleId } from './samples.ts';

function session(id: string, user: number, at: number, more: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id,
    userId: ruleId(user),
    credential: 'c',
    begunAt: minute(at),
    seenAt: minute(at),
    address: '127.0.0.1',
    client: 'Firefox "1"',
    ...more,
  };
}

function login(subject: string, name: string): SessionSignIn {
  return { method: 'corp', subject, session: name, kept: 'sealed', vouchedAt: minute(1), askedAt: minute(1) };
}

export function describeSessionStoreContract(fresh: () => Storage): void {
  describe('SessionStore', () => {
    const ids = async ({ sessions }: Storage, user: number) =>
      (await sessions.ofUser(ruleId(user))).map(({ id }) => id);

    it('keeps sessions until they end, and finds none that ended or never was', async () => {
      const { sessions } = fresh();
      expect(await sessions.find('a')).toBeUndefined();
      await sessions.begin(session('a', 1, 1));
      expect(await sessions.find('a')).toEqual(session('a', 1, 1));
      expect(await sessions.end('a')).toBe(true);
      expect(await sessions.end('a')).toBe(false);
      expect(await sessions.find('a')).toBeUndefined();
    });

    it('takes no id twice', async () => {
      const { sessions } = fresh();
      await sessions.begin(session('a', 1, 1));
      const taken = expect.objectContaining({ code: 'conflict' });
      await expect(sessions.begin(session('a', 2, 2))).rejects.toEqual(taken);
      expect((await sessions.find('a'))?.userId).toBe(ruleId(1));
    });

    it('moves the last use forward only, and brings back nothing that ended', async () => {
      const { sessions } = fresh();
      await sessions.begin(session('a', 1, 1));
      await sessions.seen('a', minute(9));
      await sessions.seen('a', minute(5));
      expect((await sessions.find('a'))?.seenAt).toEqual(minute(9));
      await sessions.end('a');
      await sessions.seen('a', minute(10));
      expect(await sessions.find('a')).toBeUndefined();
    });

    it('counts wrong passwords, also many at once', async () => {
      const { sessions } = fresh();
      await sessions.begin(session('a', 1, 1));
      const counts = await Promise.all(Array.from({ length: 10 }, () => sessions.countFailure('a')));
      expect(counts.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      expect(await sessions.countFailure('b')).toBe(0);
      expect(await sessions.find('b')).toBeUndefined();
    });

    it('lists those of a user, the last used first, and ends all of them or all but one', async () => {
      const storage = fresh();
      const { sessions } = storage;
      for (const [id, user, at] of [
        ['a', 1, 1],
        ['c', 1, 5],
        ['b', 1, 5],
        ['d', 2, 2],
      ] as const) {
        await sessions.begin(session(id, user, at));
      }
      expect(await ids(storage, 1)).toEqual(['b', 'c', 'a']);
      expect(await sessions.endOfUser(ruleId(1), 'c')).toBe(2);
      expect(await ids(storage, 1)).toEqual(['c']);
      expect(await sessions.endOfUser(ruleId(1))).toBe(1);
      expect(await sessions.endOfUser(ruleId(1))).toBe(0);
      expect(await ids(storage, 2)).toEqual(['d']);
    });

    it('keeps by which login a session began, and takes turns to ask for it', async () => {
      const { sessions } = fresh();
      const begun = session('a', 1, 1, { signIn: login('sue', 's1') });
      await sessions.begin(begun);
      await sessions.begin(session('b', 1, 1));
      expect(await sessions.find('a')).toEqual(begun);
      const turn = { notSince: minute(1), at: minute(9) };
      const turns = await Promise.all(Array.from({ length: 5 }, () => sessions.ask('a', turn)));
      expect(turns.filter((isMine) => isMine)).toHaveLength(1);
      expect(await sessions.ask('a', { notSince: minute(8), at: minute(10) })).toBe(false);
      expect(await sessions.ask('a', { notSince: minute(9), at: minute(10) })).toBe(true);
      expect(await sessions.ask('b', { notSince: minute(60), at: minute(60) })).toBe(false);
      expect(await sessions.ask('nobody', { notSince: minute(60), at: minute(60) })).toBe(false);
      await sessions.vouch('a', { at: minute(11), kept: 'other' });
      await sessions.vouch('b', { at: minute(11), kept: 'other' });
      const signIn = { ...login('sue', 's1'), kept: 'other', vouchedAt: minute(11), askedAt: minute(10) };
      expect(await sessions.find('a')).toEqual({ ...begun, signIn });
      expect(await sessions.find('b')).toEqual(session('b', 1, 1));
    });

    it('ends the sessions of a login by all that is given of it', async () => {
      const storage = fresh();
      const { sessions } = storage;
      await sessions.begin(session('a', 1, 4, { signIn: login('sue', 's1') }));
      await sessions.begin(session('b', 1, 3, { signIn: login('sue', 's2') }));
      await sessions.begin(session('c', 1, 2, { signIn: { ...login('sue', 's1'), method: 'other' } }));
      await sessions.begin(session('d', 1, 1));
      expect(await sessions.endOfLogin({ method: 'corp' })).toBe(0);
      expect(await sessions.endOfLogin({ method: 'corp', subject: 'sue', session: 's3' })).toBe(0);
      expect(await sessions.endOfLogin({ method: 'corp', session: 's1' })).toBe(1);
      expect(await ids(storage, 1)).toEqual(['b', 'c', 'd']);
      expect(await sessions.endOfLogin({ method: 'corp', subject: 'sue' })).toBe(1);
      expect(await ids(storage, 1)).toEqual(['c', 'd']);
    });

    it('takes away what was not used for long, or has been there for long', async () => {
      const storage = fresh();
      const { sessions } = storage;
      await sessions.begin(session('unused', 1, 5));
      await sessions.begin(session('old', 1, 1, { seenAt: minute(20) }));
      await sessions.begin(session('young', 1, 10));
      expect(await sessions.prune({ seenBefore: minute(10), begunBefore: minute(2) })).toBe(2);
      expect(await ids(storage, 1)).toEqual(['young']);
    });
  });
}
