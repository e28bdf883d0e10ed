import { describe, expect, it } from 'vitest';
import type { PlaybookMatch, PlaybookRunStart, RememberedMatch, Storage } from '../ports/index.ts';
import { minute, ruleId } from './samples.ts';

export function playbookRun(number: number, more: Partial<PlaybookRunStart> = {}): PlaybookRunStart {
  return {
    id: ruleId(number),
    playbook: 'agent/install.yml',
    provider: 'automation',
    hostname: 'a',
    checkMode: false,
    source: 'rule',
    startedBy: 'install agent',
    startedAt: minute(number),
    leaseMs: 600_000,
    ...more,
  };
}

export function playbookMatch(hostname: string, more: Partial<RememberedMatch> = {}): RememberedMatch {
  return { hostname, ruleId: ruleId(1), playbook: 'a.yml', since: minute(1), ...more };
}

const ended = { at: minute(30), status: 'succeeded', exitCode: 0, message: '', output: 'ok\n' } as const;

/** Its lease is over before anybody can look. */
const died = { leaseMs: -1000 };

export function describePlaybookStoreContract(fresh: () => Storage): void {
  describe('PlaybookStore', () => {
    describeRuns(fresh);
    describeMatches(fresh);
  });
}

function describeRuns(fresh: () => Storage): void {
  it('shows a run from its beginning to its end', async () => {
    const { playbooks } = fresh();
    const { leaseMs, ...start } = playbookRun(1, {
      hostname: null,
      checkMode: true,
      source: 'user',
      startedBy: '$ada "a"',
    });
    await playbooks.begin({ ...start, leaseMs });
    const open = { ...start, endedAt: null, status: 'running', exitCode: null, message: '' };
    expect(await playbooks.find(start.id)).toEqual({ ...open, output: '' });
    expect(await playbooks.latest({ limit: 10 })).toEqual([open]);
    expect(await playbooks.keep({ id: start.id, leaseMs })).toBe('kept');
    expect(await playbooks.keep({ id: start.id, leaseMs, output: '$ half \u{1f600}' })).toBe('kept');
    expect(await playbooks.keep({ id: start.id, leaseMs })).toBe('kept');
    expect(await playbooks.find(start.id)).toEqual({ ...open, output: '$ half \u{1f600}' });
    const end = { ...ended, status: 'failed', exitCode: 2, message: '$it failed', output: '$all' } as const;
    expect(await playbooks.end({ id: start.id, ...end })).toBe(true);
    const { at, output, ...told } = end;
    expect(await playbooks.find(start.id)).toEqual({ ...start, ...told, endedAt: at, output });
    expect(await playbooks.latest({ limit: 10 })).toEqual([{ ...start, ...told, endedAt: at }]);
  });

  it('keeps what was chosen for a run, and of others nothing', async () => {
    const { playbooks } = fresh();
    const hosts = { count: 2, first: ['$a', 'web*:!db'] };
    const choices = { search: '$rack:"R04" AND ~^w', group: '$g.x', hosts, variables: ['$v', 'a.b'] };
    await playbooks.begin(playbookRun(1, { hostname: null, choices }));
    await playbooks.begin(playbookRun(2, { choices: { variables: ['release'] } }));
    await playbooks.begin(playbookRun(3));
    await playbooks.end({ id: ruleId(1), ...ended });
    expect((await playbooks.find(ruleId(1)))?.choices).toEqual(choices);
    const latest = await playbooks.latest({ limit: 3 });
    expect(latest.map((run) => run.choices)).toEqual([undefined, { variables: ['release'] }, choices]);
  });

  it('ends a run once', async () => {
    const { playbooks } = fresh();
    await playbooks.begin(playbookRun(1));
    expect(await playbooks.end({ id: ruleId(1), ...ended })).toBe(true);
    expect(await playbooks.end({ id: ruleId(1), ...ended, status: 'cancelled', output: 'late' })).toBe(false);
    expect(await playbooks.keep({ id: ruleId(1), leaseMs: 1000, output: 'late' })).toBe('ended');
    expect(await playbooks.find(ruleId(1))).toMatchObject({ status: 'succeeded', exitCode: 0, output: 'ok\n' });
    expect(await playbooks.end({ id: ruleId(9), ...ended })).toBe(false);
    expect(await playbooks.keep({ id: ruleId(9), leaseMs: 1000 })).toBe('ended');
    expect(await playbooks.find(ruleId(9))).toBeUndefined();
  });

  it('counts a run as lost whose lease is over, until somebody hears of it again', async () => {
    const { playbooks } = fresh();
    await playbooks.begin(playbookRun(1, died));
    expect(await playbooks.find(ruleId(1))).toMatchObject({ status: 'lost', endedAt: null });
    expect(await playbooks.latest({ limit: 1 })).toMatchObject([{ status: 'lost' }]);
    expect(await playbooks.keep({ id: ruleId(1), leaseMs: 600_000 })).toBe('kept');
    expect(await playbooks.find(ruleId(1))).toMatchObject({ status: 'running' });
    await playbooks.keep({ id: ruleId(1), leaseMs: -1000 });
    expect(await playbooks.find(ruleId(1))).toMatchObject({ status: 'lost' });
    expect(await playbooks.end({ id: ruleId(1), ...ended })).toBe(true);
    expect(await playbooks.find(ruleId(1))).toMatchObject({ status: 'succeeded', endedAt: minute(30) });
  });

  it('tells whoever runs it that it shall be cancelled', async () => {
    const { playbooks } = fresh();
    for (const run of [playbookRun(1), playbookRun(2, died), playbookRun(3)]) await playbooks.begin(run);
    await playbooks.end({ id: ruleId(3), ...ended });
    expect(await playbooks.requestCancel(ruleId(1))).toBe('requested');
    expect(await playbooks.requestCancel(ruleId(1))).toBe('requested');
    expect(await playbooks.requestCancel(ruleId(2))).toBe('not_running');
    expect(await playbooks.requestCancel(ruleId(3))).toBe('not_running');
    expect(await playbooks.requestCancel(ruleId(9))).toBe('not_found');
    expect(await playbooks.keep({ id: ruleId(1), leaseMs: 1000 })).toBe('cancel');
    expect(await playbooks.keep({ id: ruleId(2), leaseMs: 1000 })).toBe('kept');
    await playbooks.end({ id: ruleId(1), ...ended, status: 'cancelled', exitCode: null });
    expect(await playbooks.find(ruleId(1))).toMatchObject({ status: 'cancelled', exitCode: null });
  });

  it('lists the newest first, by start, then id descending, and goes on behind any', async () => {
    const { playbooks } = fresh();
    const starts = [2, 1, 3, 4].map((number) => playbookRun(number, { startedAt: minute(number === 1 ? 9 : 5) }));
    for (const run of [...starts, playbookRun(5, { startedAt: minute(1) })]) await playbooks.begin(run);
    const order = [1, 4, 3, 2, 5].map(ruleId);
    const idsOf = async (request: Parameters<typeof playbooks.latest>[0]) =>
      (await playbooks.latest(request)).map(({ id }) => id);
    expect(await idsOf({ limit: 10 })).toEqual(order);
    expect(await idsOf({ limit: 2 })).toEqual(order.slice(0, 2));
    expect(await idsOf({ limit: 0 })).toEqual([]);
    for (const [index, { id, startedAt }] of (await playbooks.latest({ limit: 10 })).entries()) {
      expect(await idsOf({ limit: 2, before: { id, startedAt } })).toEqual(order.slice(index + 1, index + 3));
    }
    expect(await idsOf({ limit: 10, before: { id: ruleId(99), startedAt: minute(5) } })).toEqual(order.slice(1));
  });

  it('prunes what began before, but nothing that runs', async () => {
    const { playbooks } = fresh();
    for (const run of [playbookRun(1), playbookRun(2), playbookRun(3, died), playbookRun(4)])
      await playbooks.begin(run);
    for (const number of [1, 4]) await playbooks.end({ id: ruleId(number), ...ended });
    expect(await playbooks.prune(minute(4))).toBe(2);
    expect((await playbooks.latest({ limit: 10 })).map(({ id }) => id)).toEqual([4, 2].map(ruleId));
    expect(await playbooks.prune(minute(4))).toBe(0);
  });
}

function describeMatches(fresh: () => Storage): void {
  async function remembered({ playbooks }: Storage, batchSize = 100): Promise<RememberedMatch[]> {
    const all: RememberedMatch[] = [];
    for await (const batch of playbooks.matches(batchSize)) {
      expect(batch.length).toBeGreaterThan(0);
      expect(batch.length).toBeLessThanOrEqual(batchSize);
      all.push(...batch);
    }
    return all;
  }

  it('remembers a match once, whoever asks', async () => {
    const storage = fresh();
    const { playbooks } = storage;
    const all = Array.from({ length: 20 }, (_, n) => playbooks.remember(playbookMatch('a', { since: minute(n) })));
    const outcomes = await Promise.all(all);
    expect(outcomes.filter((first) => first)).toEqual([true]);
    const first = outcomes.indexOf(true);
    expect(await remembered(storage)).toEqual([playbookMatch('a', { since: minute(first) })]);
    expect(await playbooks.remember(playbookMatch('a', { playbook: 'b.yml' }))).toBe(true);
    expect(await playbooks.remember(playbookMatch('a', { ruleId: ruleId(2) }))).toBe(true);
    expect(await playbooks.remember(playbookMatch('A'))).toBe(true);
  });

  it('gives all matches in byte order of host, rule and playbook, in batches', async () => {
    const storage = fresh();
    const hostnames = ['B', 'a', 'a.b', 'ab', '\u00e9', '\uffff', '\u{10000}'];
    const wanted = hostnames.flatMap((hostname) =>
      [1, 2].flatMap((number) =>
        ['', 'a-b.yml', 'a/b.yml'].map((playbook) => playbookMatch(hostname, { ruleId: ruleId(number), playbook })),
      ),
    );
    for (const match of wanted.toReversed()) await storage.playbooks.remember(match);
    for (const batchSize of [1, 3, 28, 100]) expect(await remembered(storage, batchSize)).toEqual(wanted);
  });

  it('gives what stays, whatever is forgotten meanwhile', async () => {
    const storage = fresh();
    for (const hostname of ['a', 'b', 'c', 'd']) await storage.playbooks.remember(playbookMatch(hostname));
    const seen: string[] = [];
    for await (const [match] of storage.playbooks.matches(1)) {
      seen.push((match as PlaybookMatch).hostname);
      await storage.playbooks.forget([playbookMatch('a')]);
    }
    expect(seen).toEqual(['a', 'b', 'c', 'd']);
  });

  it('forgets the matches that it is told, and remembers them anew', async () => {
    const storage = fresh();
    const { playbooks } = storage;
    const other = playbookMatch('a', { playbook: 'b.yml' });
    for (const match of [playbookMatch('a'), playbookMatch('b'), other]) await playbooks.remember(match);
    expect(await playbooks.forget([playbookMatch('a'), playbookMatch('zzz'), playbookMatch('b')])).toBe(2);
    expect(await remembered(storage)).toEqual([other]);
    expect(await playbooks.forget([])).toBe(0);
    expect(await playbooks.remember(playbookMatch('a', { since: minute(7) }))).toBe(true);
    expect(await remembered(storage)).toEqual([playbookMatch('a', { since: minute(7) }), other]);
  });
}
