import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { CronClaim, CronState, CronStore, Storage } from '../ports/index.ts';
import { minute, ruleId } from './samples.ts';

/** Longer than any test takes, so that only what ends a lease ends it. */
const LONG_MS = 600_000;
const group = ruleId(1);

export function describeCronStoreContract(fresh: () => Storage): void {
  describe('CronStore', () => {
    describeRuns(fresh);
    describeLeases(fresh);
    describeRetaining(fresh);
  });
}

export function cronClaim(holder: string, more: Partial<CronClaim> = {}): CronClaim {
  return { groupId: group, holder, at: minute(1), leaseMs: LONG_MS, seenStart: null, requested: false, ...more };
}

/** A claim by a holder that is dead already. */
async function claimAndDie(cron: CronStore, claim: CronClaim): Promise<void> {
  expect(await cron.claim(claim)).toBe(true);
  expect(await cron.release(claim)).toBe(true);
}

async function stateOf({ cron }: Storage, groupId = group): Promise<CronState | undefined> {
  return (await cron.states()).find((state) => state.groupId === groupId);
}

function describeRuns(fresh: () => Storage): void {
  it('knows no state of groups that never ran', async () => {
    expect(await fresh().cron.states()).toEqual([]);
  });

  it('shows a run while it goes on, and how it ended', async () => {
    const storage = fresh();
    const { cron } = storage;
    const at = new Date('2026-03-04T05:06:07.891Z');
    expect(await cron.claim(cronClaim('n1/1', { at, requested: true }))).toBe(true);
    const running = {
      groupId: group,
      lastStart: at,
      lastEnd: null,
      message: '',
      hasError: false,
      holder: 'n1/1',
      isHeld: true,
      requested: true,
      attempts: 1,
    };
    expect(await cron.states()).toEqual([running]);
    const end = new Date('2026-03-04T05:06:09.003Z');
    expect(
      await cron.finish({ groupId: group, holder: 'n1/1', at: end, message: '2 jobs failed', hasError: true }),
    ).toBe(true);
    const ended = { lastEnd: end, message: '2 jobs failed', hasError: true, holder: null, isHeld: false, attempts: 0 };
    expect(await cron.states()).toEqual([{ ...running, ...ended }]);
  });

  it('keeps message and error of the last run that ended while the next goes on', async () => {
    const storage = fresh();
    const { cron } = storage;
    await cron.claim(cronClaim('a', { requested: true }));
    await cron.finish({ groupId: group, holder: 'a', at: minute(2), message: 'no such account', hasError: true });
    expect(await cron.claim(cronClaim('b', { at: minute(3), seenStart: minute(1) }))).toBe(true);
    expect(await stateOf(storage)).toEqual({
      groupId: group,
      lastStart: minute(3),
      lastEnd: null,
      message: 'no such account',
      hasError: true,
      holder: 'b',
      isHeld: true,
      requested: false,
      attempts: 1,
    });
    await cron.finish({ groupId: group, holder: 'b', at: minute(4), message: '', hasError: false });
    expect(await stateOf(storage)).toMatchObject({ message: '', hasError: false, lastStart: minute(3) });
  });

  it('gives states by group id, each of its own', async () => {
    const { cron } = fresh();
    for (const number of [3, 1, 2]) {
      expect(await cron.claim(cronClaim(`h${number}`, { groupId: ruleId(number), at: minute(number) }))).toBe(true);
    }
    await cron.finish({ groupId: ruleId(2), holder: 'h2', at: minute(9), message: 'done', hasError: false });
    expect((await cron.states()).map((state) => [state.groupId, state.lastStart, state.holder])).toEqual([
      [ruleId(1), minute(1), 'h1'],
      [ruleId(2), minute(2), null],
      [ruleId(3), minute(3), 'h3'],
    ]);
  });

  it('keeps messages and holders of any text', async () => {
    const storage = fresh();
    const { cron } = storage;
    let seenStart: Date | null = null;
    for (const [number, text] of ['$message', '{"a":1}', "it's; DROP TABLE --", 'Ä\n\u{1f600}', 'a\u0000b'].entries()) {
      const at = minute(number);
      expect(await cron.claim(cronClaim(text, { at, seenStart })), text).toBe(true);
      expect(await stateOf(storage), text).toMatchObject({ holder: text, isHeld: true });
      expect(await cron.keep({ groupId: group, holder: text, leaseMs: LONG_MS }), text).toBe(true);
      expect(await cron.finish({ groupId: group, holder: text, at, message: text, hasError: false }), text).toBe(true);
      expect(await stateOf(storage)).toMatchObject({ message: text });
      seenStart = at;
    }
    await cron.claim(cronClaim('last', { at: minute(9), seenStart }));
    const message = 'x'.repeat(20_000);
    await cron.finish({ groupId: group, holder: 'last', at: minute(9), message: `${message}\ud800`, hasError: false });
    expect(await stateOf(storage)).toMatchObject({ message: `${message}\ufffd` });
  });
}

function describeLeases(fresh: () => Storage): void {
  it('refuses a group that is held, and changes nothing', async () => {
    const storage = fresh();
    const { cron } = storage;
    await cron.claim(cronClaim('a'));
    const before = await cron.states();
    expect(await cron.claim(cronClaim('b', { at: minute(2), seenStart: minute(1), requested: true }))).toBe(false);
    expect(await cron.claim(cronClaim('b', { at: minute(2) }))).toBe(false);
    expect(await cron.states()).toEqual(before);
  });

  it('refuses when the last start is not the one that was seen, to the millisecond', async () => {
    const storage = fresh();
    const { cron } = storage;
    expect(await cron.claim(cronClaim('a', { seenStart: minute(1) }))).toBe(false);
    expect(await cron.states()).toEqual([]);
    await cron.claim(cronClaim('a'));
    await cron.finish({ groupId: group, holder: 'a', at: minute(2), message: 'done', hasError: false });
    const before = await cron.states();
    const nearly = new Date(minute(1).getTime() + 1);
    for (const seenStart of [null, nearly, minute(0), minute(2)]) {
      expect(await cron.claim(cronClaim('b', { at: minute(3), seenStart }))).toBe(false);
    }
    expect(await cron.states()).toEqual(before);
    expect(await cron.claim(cronClaim('b', { at: minute(3), seenStart: minute(1) }))).toBe(true);
  });

  it('gives a group to one of many who claim at once', async () => {
    const storage = fresh();
    const { cron } = storage;
    let seenStart: Date | null = null;
    for (let round = 1; round <= 3; round++) {
      const at = minute(round);
      const holders = Array.from({ length: 20 }, (_, n) => `${round}/${n}`);
      const answers = await Promise.all(holders.map((holder) => cron.claim(cronClaim(holder, { at, seenStart }))));
      const winners = holders.filter((_, n) => answers[n]);
      expect(winners.length).toBe(1);
      const holder = winners[0] ?? '';
      expect(await stateOf(storage)).toMatchObject({ holder, lastStart: at, attempts: 1 });
      expect(await cron.finish({ groupId: group, holder, at, message: '', hasError: false })).toBe(true);
      seenStart = at;
    }
  });

  it('counts the starts since a run ended', async () => {
    const storage = fresh();
    const { cron } = storage;
    await claimAndDie(cron, cronClaim('a'));
    await claimAndDie(cron, cronClaim('b', { at: minute(2), seenStart: minute(1) }));
    expect(await stateOf(storage)).toMatchObject({ holder: 'b', isHeld: false, attempts: 2, lastEnd: null });
    await cron.claim(cronClaim('c', { at: minute(3), seenStart: minute(2) }));
    expect(await stateOf(storage)).toMatchObject({ holder: 'c', isHeld: true, attempts: 3 });
    await cron.finish({ groupId: group, holder: 'c', at: minute(4), message: '', hasError: false });
    await cron.claim(cronClaim('d', { at: minute(5), seenStart: minute(3) }));
    expect(await stateOf(storage)).toMatchObject({ holder: 'd', attempts: 1 });
  });

  it('lets go by itself when the lease runs out', async () => {
    const storage = fresh();
    const { cron } = storage;
    await cron.claim(cronClaim('a', { leaseMs: 5 }));
    await sleep(50);
    expect(await stateOf(storage)).toMatchObject({ holder: 'a', isHeld: false, attempts: 1 });
    expect(await cron.claim(cronClaim('b', { at: minute(2), seenStart: minute(1) }))).toBe(true);
    expect(await stateOf(storage)).toMatchObject({ holder: 'b', isHeld: true, attempts: 2 });
  });

  it('lengthens a lease from now on, one that ran out too', async () => {
    const storage = fresh();
    const { cron } = storage;
    await cron.claim(cronClaim('a', { leaseMs: 5 }));
    await sleep(50);
    expect(await cron.keep({ groupId: group, holder: 'a', leaseMs: LONG_MS })).toBe(true);
    expect(await stateOf(storage)).toMatchObject({ holder: 'a', isHeld: true, attempts: 1, lastStart: minute(1) });
    expect(await cron.claim(cronClaim('b', { at: minute(2), seenStart: minute(1) }))).toBe(false);
  });

  it('answers who lost a group that it did, and leaves the group to who has it', async () => {
    const storage = fresh();
    const { cron } = storage;
    await claimAndDie(cron, cronClaim('a'));
    await cron.claim(cronClaim('b', { at: minute(2), seenStart: minute(1) }));
    const before = await cron.states();
    const end = { at: minute(3), message: 'late', hasError: true };
    for (const holder of ['a', 'nobody', '']) {
      const lost = { groupId: group, holder };
      expect(await cron.keep({ ...lost, leaseMs: 0 })).toBe(false);
      expect(await cron.finish({ ...lost, ...end })).toBe(false);
      expect(await cron.release(lost)).toBe(false);
    }
    expect(await cron.states()).toEqual(before);
    await cron.finish({ groupId: group, holder: 'b', at: minute(4), message: 'done', hasError: false });
    const ended = await cron.states();
    const gone = { groupId: group, holder: 'b' };
    expect(await cron.keep({ ...gone, leaseMs: LONG_MS })).toBe(false);
    expect(await cron.finish({ ...gone, ...end })).toBe(false);
    expect(await cron.release(gone)).toBe(false);
    expect(await cron.states()).toEqual(ended);
  });

  it('notes the end of a run that was late, as long as nobody took the group', async () => {
    const storage = fresh();
    const { cron } = storage;
    await claimAndDie(cron, cronClaim('a'));
    expect(await cron.finish({ groupId: group, holder: 'a', at: minute(9), message: 'done', hasError: false })).toBe(
      true,
    );
    expect(await stateOf(storage)).toMatchObject({ lastEnd: minute(9), message: 'done', holder: null, attempts: 0 });
  });

  it('takes the lease of a dead holder away, once', async () => {
    const storage = fresh();
    const { cron } = storage;
    await cron.claim(cronClaim('a'));
    await cron.claim(cronClaim('b', { groupId: ruleId(2) }));
    const dead = { groupId: group, holder: 'a' };
    expect(await cron.release(dead)).toBe(true);
    expect(await stateOf(storage)).toMatchObject({ holder: 'a', isHeld: false, attempts: 1, lastEnd: null });
    expect(await cron.release(dead)).toBe(false);
    expect(await cron.release({ groupId: ruleId(7), holder: 'a' })).toBe(false);
    expect(await stateOf(storage, ruleId(2))).toMatchObject({ holder: 'b', isHeld: true });
  });

  it('does not count an attempt that its holder ended in good order', async () => {
    const storage = fresh();
    await storage.cron.claim(cronClaim('a'));
    const stopped = { groupId: group, holder: 'a', uncounted: true };
    expect(await storage.cron.release(stopped)).toBe(true);
    expect(await stateOf(storage)).toMatchObject({ holder: 'a', isHeld: false, attempts: 0, lastEnd: null });
    expect(await storage.cron.release(stopped)).toBe(false);
    expect(await stateOf(storage)).toMatchObject({ attempts: 0 });
  });

  it('knows nothing of groups without a state', async () => {
    const { cron } = fresh();
    const unknown = { groupId: ruleId(5), holder: 'a' };
    expect(await cron.keep({ ...unknown, leaseMs: LONG_MS })).toBe(false);
    expect(await cron.finish({ ...unknown, at: minute(1), message: '', hasError: false })).toBe(false);
    expect(await cron.release(unknown)).toBe(false);
    expect(await cron.states()).toEqual([]);
  });
}

function describeRetaining(fresh: () => Storage): void {
  async function fill({ cron }: Storage): Promise<void> {
    for (const number of [1, 2, 3, 4]) await cron.claim(cronClaim('a', { groupId: ruleId(number) }));
    await cron.finish({ groupId: ruleId(1), holder: 'a', at: minute(2), message: '', hasError: false });
    await cron.finish({ groupId: ruleId(2), holder: 'a', at: minute(2), message: '', hasError: false });
    await cron.release({ groupId: ruleId(3), holder: 'a' });
  }

  const groupsOf = async ({ cron }: Storage) => (await cron.states()).map((state) => state.groupId);

  it('deletes the states of other groups, but not of those that are held', async () => {
    const storage = fresh();
    await fill(storage);
    expect(await storage.cron.retain([ruleId(2), ruleId(99)])).toBe(2);
    expect(await groupsOf(storage)).toEqual([ruleId(2), ruleId(4)]);
    expect(await storage.cron.retain([ruleId(2)])).toBe(0);
    expect(await storage.cron.claim(cronClaim('b', { groupId: ruleId(1) }))).toBe(true);
  });

  it('deletes all that are not held when there are no groups', async () => {
    const storage = fresh();
    await fill(storage);
    expect(await storage.cron.retain([])).toBe(3);
    expect(await groupsOf(storage)).toEqual([ruleId(4)]);
    await storage.cron.finish({ groupId: ruleId(4), holder: 'a', at: minute(2), message: '', hasError: false });
    expect(await storage.cron.retain([])).toBe(1);
    expect(await groupsOf(storage)).toEqual([]);
    expect(await storage.cron.retain([])).toBe(0);
  });
}
