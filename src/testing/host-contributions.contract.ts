import { describe, expect, it } from 'vitest';
import {
  type ContributionOutcome,
  type ContributionWrite,
  type HostStore,
  type Labels,
  type Storage,
  StoredJson,
} from '../ports/index.ts';
import { actor, archiveNames, blue, minute, red, save } from './samples.ts';

const green = 'dddddddddddddddddddddddd';

function contribute(
  hosts: HostStore,
  entries: Readonly<Record<string, Labels>>,
  options: Partial<Omit<ContributionWrite, 'entries'>> = {},
): Promise<readonly ContributionOutcome[]> {
  return hosts.contributeLabels({
    accountId: blue.id,
    precedence: 10,
    at: minute(2),
    actor,
    runId: 'run-1',
    ...options,
    entries: Object.entries(entries).map(([hostname, labels]) => ({ hostname, labels: StoredJson.ofValue(labels) })),
  });
}

async function labels(hosts: HostStore, hostname = 'alpha'): Promise<Labels | undefined> {
  return (await hosts.find(hostname))?.labels.value;
}

/** Several accounts that give one host labels. */
export function describeContributionContract(fresh: () => Storage): void {
  describe('contributeLabels', () => {
    it("lays contributions over the owner's labels by precedence", async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: { own: 1, os: 'own', site: 'own' } });
      expect(await contribute(hosts, { alpha: { os: 'blue', site: 'blue', more: 1 } })).toEqual(['updated']);
      expect(await contribute(hosts, { alpha: { site: 'green' } }, { accountId: green, precedence: 20 })).toEqual([
        'updated',
      ]);
      expect(await labels(hosts)).toEqual({ own: 1, os: 'blue', site: 'green', more: 1 });
    });

    it('puts a negative precedence under the owner and lets the greater account id win a tie', async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: { os: 'own' } });
      await contribute(hosts, { alpha: { os: 'blue', fill: 'blue' } }, { precedence: -1 });
      expect(await labels(hosts)).toEqual({ os: 'own', fill: 'blue' });
      await contribute(hosts, { alpha: { fill: 'green' } }, { accountId: green, precedence: -1 });
      expect(await labels(hosts)).toEqual({ os: 'own', fill: 'green' });
      await contribute(hosts, { alpha: { os: 'blue' } }, { precedence: 0, runId: 'run-2' });
      expect(await labels(hosts)).toEqual({ os: 'blue', fill: 'green' });
    });

    it('shows everybody, highest precedence first, the owner only while others contribute', async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: { a: 1 } });
      expect(await hosts.contributions('alpha')).toEqual([]);
      expect(await hosts.contributions('unknown')).toEqual([]);
      await contribute(hosts, { alpha: { a: 2 } });
      await contribute(hosts, { alpha: { a: 3 } }, { accountId: green, at: minute(3) });
      await contribute(hosts, { alpha: { a: 4 } }, { accountId: '111111111111111111111111', precedence: -5 });
      const all = await hosts.contributions('alpha');
      expect(all.map(({ labels: given, ...rest }) => ({ ...rest, labels: given.value }))).toEqual([
        { accountId: green, precedence: 10, owner: false, at: minute(3), labels: { a: 3 } },
        { accountId: blue.id, precedence: 10, owner: false, at: minute(2), labels: { a: 2 } },
        { accountId: red.id, precedence: 0, owner: true, at: minute(1), labels: { a: 1 } },
        { accountId: '111111111111111111111111', precedence: -5, owner: false, at: minute(2), labels: { a: 4 } },
      ]);
    });

    it('leaves the owner and lastSeen, and moves lastUpdate only when the visible labels changed', async () => {
      const storage = fresh();
      const { hosts } = storage;
      await save(hosts, { alpha: { a: 1 } });
      const before = (await storage.revisions()).get('hosts') ?? 0;
      await contribute(hosts, { alpha: { a: 1 } }, { at: minute(2) });
      expect(await hosts.get('alpha', null)).toMatchObject({
        accountId: red.id,
        lastSeen: minute(1),
        lastUpdate: minute(1),
      });
      expect((await storage.revisions()).get('hosts') ?? 0).toBe(before);
      await contribute(hosts, { alpha: { a: 2 } }, { at: minute(3), runId: 'run-2' });
      expect(await hosts.get('alpha', null)).toMatchObject({
        accountId: red.id,
        lastSeen: minute(1),
        lastUpdate: minute(3),
      });
      expect((await storage.revisions()).get('hosts') ?? 0).toBeGreaterThan(before);
    });

    it('replaces what the account gave before', async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: { own: 1 } });
      await contribute(hosts, { alpha: { a: 1, b: 1 } });
      expect(await contribute(hosts, { alpha: { b: 1, a: 1 } }, { runId: 'run-2' })).toEqual(['unchanged']);
      expect(await contribute(hosts, { alpha: { a: 9 } }, { runId: 'run-3' })).toEqual(['updated']);
      expect(await labels(hosts)).toEqual({ own: 1, a: 9 });
      expect(await contribute(hosts, { alpha: { a: 9 } }, { runId: 'run-4', precedence: 11 })).toEqual(['updated']);
    });

    it('leaves alone what the same run wrote before', async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: {} });
      expect(await contribute(hosts, { alpha: { a: 1 } })).toEqual(['updated']);
      expect(await contribute(hosts, { alpha: { a: 2 } })).toEqual(['duplicate']);
      expect(await contribute(hosts, { alpha: { a: 1 } }, { runId: 'run-2' })).toEqual(['unchanged']);
      expect(await contribute(hosts, { alpha: { a: 2 } }, { runId: 'run-2' })).toEqual(['duplicate']);
    });

    it('never creates or restores a host', async () => {
      const { hosts } = fresh();
      await save(hosts, { gone: { a: 1 } });
      await archiveNames(hosts, ['gone']);
      expect(await contribute(hosts, { gone: { a: 2 }, unknown: {} })).toEqual(['not_found', 'not_found']);
      expect(await hosts.find('unknown')).toBeUndefined();
      expect((await hosts.find('gone'))?.archive).not.toBeNull();
      expect(await hosts.contributions('gone')).toEqual([]);
    });

    it("keeps contributions over the owner's later writes", async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: { a: 1, b: 1 } });
      await contribute(hosts, { alpha: { a: 2 } });
      expect(await save(hosts, { alpha: { a: 1, b: 1 } }, { at: minute(4) })).toEqual(['unchanged']);
      expect(await save(hosts, { alpha: { a: 3, b: 3 } }, { at: minute(5) })).toEqual(['updated']);
      expect(await labels(hosts)).toEqual({ a: 2, b: 3 });
      const owner = (await hosts.contributions('alpha')).find((item) => item.owner);
      expect(owner?.labels.value).toEqual({ a: 3, b: 3 });
    });

    it("replaces the owner's labels where the account owns the host itself", async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: { a: 1 } });
      expect(await contribute(hosts, { alpha: { a: 2 } }, { accountId: red.id })).toEqual(['updated']);
      expect(await labels(hosts)).toEqual({ a: 2 });
      expect(await hosts.contributions('alpha')).toEqual([]);
      expect((await hosts.get('alpha', null))?.lastSeen).toEqual(minute(1));
    });

    it('makes a contributor that takes over the owner of its labels', async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: { a: 1, own: 1 } });
      await contribute(hosts, { alpha: { a: 2 } });
      await contribute(hosts, { alpha: { a: 3 } }, { accountId: green });
      await save(hosts, { alpha: { b: 5 } }, { account: blue, takeOver: true });
      expect(await labels(hosts)).toEqual({ a: 3, b: 5 });
      expect((await hosts.contributions('alpha')).map((item) => [item.accountId, item.owner])).toEqual([
        [green, false],
        [blue.id, true],
      ]);
    });

    it('survives fifty contributors at once', async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: { own: 1 } });
      await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          contribute(hosts, { alpha: { [`k${n}`]: n } }, { accountId: n.toString(16).padStart(24, '0') }),
        ),
      );
      expect(Object.keys((await labels(hosts)) ?? {}).length).toBe(51);
      expect((await hosts.contributions('alpha')).length).toBe(51);
    });
  });

  describe('withdrawContributions', () => {
    const request = { accountId: blue.id, except: [], at: minute(7), actor };

    it('takes back what the run did not write; the next in precedence shows again', async () => {
      const storage = fresh();
      const { hosts } = storage;
      await save(hosts, { alpha: { a: 'own' }, beta: { a: 'own' }, gamma: { a: 'own' }, delta: { a: 'own' } });
      await contribute(hosts, { alpha: { a: 'blue' }, beta: { a: 'blue' }, gamma: { a: 'blue' } }, { precedence: 20 });
      await contribute(hosts, { beta: { a: 'green' } }, { accountId: green });
      await contribute(hosts, { gamma: { a: 'blue' } }, { precedence: 20, runId: 'run-2' });
      const before = (await storage.revisions()).get('hosts') ?? 0;
      expect(await hosts.withdrawContributions({ ...request, runId: 'run-2' })).toBe(2);
      expect((await storage.revisions()).get('hosts') ?? 0).toBeGreaterThan(before);
      expect(await labels(hosts, 'alpha')).toEqual({ a: 'own' });
      expect(await labels(hosts, 'beta')).toEqual({ a: 'green' });
      expect(await labels(hosts, 'gamma')).toEqual({ a: 'blue' });
      expect(await hosts.contributions('alpha')).toEqual([]);
      expect(await hosts.get('alpha', null)).toMatchObject({ lastUpdate: minute(7), lastSeen: minute(1) });
    });

    it('spares the named hosts, and takes all of them without a run', async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: { a: 1 }, beta: { a: 1 } });
      await contribute(hosts, { alpha: { a: 2 }, beta: { a: 2 } });
      expect(await hosts.withdrawContributions({ ...request, except: ['alpha'] })).toBe(1);
      expect(await labels(hosts, 'alpha')).toEqual({ a: 2 });
      expect(await labels(hosts, 'beta')).toEqual({ a: 1 });
      expect(await hosts.withdrawContributions(request)).toBe(1);
      expect(await hosts.withdrawContributions(request)).toBe(0);
    });

    it('leaves alone what was given since the run began, in whatever order runs wrote, and archived hosts', async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: { a: 1 }, beta: { a: 1 }, gamma: { a: 1 }, delta: { a: 1 } });
      await contribute(hosts, { alpha: { a: 2 }, beta: { a: 2 }, gamma: { a: 2 }, delta: { a: 2 } });
      await contribute(hosts, { alpha: { a: 2 } }, { runId: 'later', at: minute(6) });
      await contribute(hosts, { beta: { a: 3 } }, { runId: 'later', at: minute(6) });
      await contribute(hosts, { alpha: { a: 2 }, beta: { a: 2 } }, { runId: 'earlier', at: minute(4) });
      await archiveNames(hosts, ['delta']);
      const later = { ...request, runId: 'later', seenBefore: minute(5) };
      expect(await hosts.withdrawContributions(later)).toBe(1);
      expect(await labels(hosts, 'gamma')).toEqual({ a: 1 });
      expect(await labels(hosts, 'alpha')).toEqual({ a: 2 });
      await hosts.restore({ hostnames: ['delta'], at: minute(8), scope: null, actor });
      expect(await labels(hosts, 'delta')).toEqual({ a: 2 });
    });

    it("leaves the owner's own labels", async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: { a: 1 } });
      await contribute(hosts, { alpha: { b: 2 } });
      expect(await hosts.withdrawContributions({ ...request, accountId: red.id })).toBe(0);
      expect(await labels(hosts)).toEqual({ a: 1, b: 2 });
    });
  });
}
