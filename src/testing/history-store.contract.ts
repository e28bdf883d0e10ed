import { describe, expect, it } from 'vitest';
import { type HostChange, type Storage, StoredJson } from '../ports/index.ts';
import {
  actor,
  archiveNames,
  blue,
  documentOf,
  labelsText,
  minute,
  red,
  save,
  saveNames,
  saveSection,
} from './samples.ts';

export function describeHistoryStoreContract(fresh: () => Storage): void {
  describe('HistoryStore', () => {
    it('tells what changed, newest first, by whom', async () => {
      const { hosts, history } = fresh();
      const robot = { kind: 'account', name: 'robot' } as const;
      await save(hosts, { alpha: { keep: 1, gone: 'x', old: 1 } }, { actor: robot });
      await save(hosts, { alpha: { keep: 1, old: '1', fresh: [1] } }, { at: minute(2) });
      await saveSection(hosts, 'alpha', 'hw', { cpu: 1 }, 3);
      await saveSection(hosts, 'alpha', 'hw', { cpu: 2 }, 4);
      const changes = await history.ofHost('alpha', 10);
      const common = { hostname: 'alpha', actor };
      expect(changes.slice(0, 2)).toEqual([
        {
          ...common,
          at: minute(4),
          kind: 'inventory',
          changes: [{ path: 'inventory.hw', before: { cpu: 1 }, after: { cpu: 2 } }],
        },
        { ...common, at: minute(3), kind: 'inventory', changes: [{ path: 'inventory.hw', after: { cpu: 1 } }] },
      ]);
      expect(changes[2]).toMatchObject({ ...common, at: minute(2), kind: 'labels' });
      expect(new Set(changes[2]?.changes)).toEqual(
        new Set([
          { path: 'labels.gone', before: 'x' },
          { path: 'labels.old', before: 1, after: '1' },
          { path: 'labels.fresh', after: [1] },
        ]),
      );
      expect(changes[3]).toEqual({ hostname: 'alpha', at: minute(1), actor: robot, kind: 'created', changes: [] });
      expect(changes.length).toBe(4);
    });

    it('gives at most the limit, and nothing for an unknown host', async () => {
      const { hosts, history } = fresh();
      await save(hosts, { alpha: { n: 1 } });
      await save(hosts, { alpha: { n: 2 } }, { at: minute(2) });
      await save(hosts, { alpha: { n: 3 } }, { at: minute(3) });
      expect((await history.ofHost('alpha', 2)).map((change) => change.at)).toEqual([minute(3), minute(2)]);
      expect((await history.ofHost('alpha', 3)).map((change) => change.kind)).toEqual(['labels', 'labels', 'created']);
      expect(await history.ofHost('alpha', 0)).toEqual([]);
      expect(await history.ofHost('unknown', 10)).toEqual([]);
    });

    it('gives no more than a page of characters, and one change at least', async () => {
      const { hosts, history } = fresh();
      await save(hosts, { alpha: {} });
      // Each holds what was before and what came, 1.8 million characters but for the first.
      for (const n of [1, 2, 3, 4, 5, 6, 7]) {
        await saveSection(hosts, 'alpha', 'hw', { text: `${n}`.repeat(900_000) }, n + 1);
      }
      const times = (await history.ofHost('alpha', 10)).map(({ at }) => at);
      expect(times).toEqual([minute(8), minute(7), minute(6), minute(5), minute(4)]);
      expect((await history.ofHost('alpha', 1)).map(({ at }) => at)).toEqual([minute(8)]);
    });

    it('keeps nothing for what did not change', async () => {
      const { hosts, history } = fresh();
      await save(hosts, { alpha: { n: 1 } });
      await save(hosts, { alpha: { n: 1 } }, { at: minute(2) });
      await save(hosts, { alpha: { n: 2 } }, { account: blue });
      await hosts.previewLabels({
        account: red,
        entries: [{ hostname: 'alpha', labels: StoredJson.ofValue({ n: 9 }) }],
      });
      expect((await history.ofHost('alpha', 10)).map((change) => change.kind)).toEqual(['created']);
    });

    it('keeps archive, return and a new owner', async () => {
      const { hosts, history } = fresh();
      await save(hosts, { alpha: { n: 1 } });
      await archiveNames(hosts, ['alpha']);
      await save(hosts, { alpha: { n: 1 } }, { at: minute(6) });
      await save(hosts, { alpha: { n: 1 } }, { at: minute(7), account: blue, takeOver: true });
      await hosts.archive({ hostnames: ['alpha'], by: 'operator', at: minute(8), scope: null, actor });
      await hosts.restore({ hostnames: ['alpha'], at: minute(9), scope: null, actor });
      const changes = await history.ofHost('alpha', 10);
      const archived = (number: number, by: string) => ({ at: minute(number).toISOString(), by });
      expect(changes.map(({ kind, changes: paths }) => [kind, ...paths])).toEqual([
        ['restored', { path: 'archive', before: archived(8, 'operator') }],
        ['archived', { path: 'archive', after: archived(8, 'operator') }],
        ['account', { path: 'account', before: red.id, after: blue.id }],
        ['restored', { path: 'archive', before: archived(5, 'api') }],
        ['archived', { path: 'archive', after: archived(5, 'api') }],
        ['created'],
      ]);
    });

    it('tells each change of the account of some hosts, newest first', async () => {
      const { hosts, history } = fresh();
      await save(hosts, { alpha: { n: 1 }, beta: { n: 1 }, gamma: { n: 1 } });
      await save(hosts, { alpha: { n: 2 }, gamma: { n: 2 } }, { at: minute(2), account: blue, takeOver: true });
      await save(hosts, { alpha: { n: 3 } }, { at: minute(3), account: red, takeOver: true });
      await save(hosts, { alpha: { n: 4 } }, { at: minute(4) });
      await hosts.rename({ hosts: [{ from: 'alpha', to: 'delta' }], at: minute(5), actor });
      const moves = await history.moves(['beta', 'delta', 'alpha', 'unknown']);
      const of = (number: number, before: string, after: string) => {
        return {
          hostname: 'delta',
          at: minute(number),
          actor,
          kind: 'account',
          changes: [{ path: 'account', before, after }],
        };
      };
      expect(moves).toEqual([of(3, blue.id, red.id), of(2, red.id, blue.id)]);
      expect(await history.moves([])).toEqual([]);
    });

    it('keeps what contributions, sweeps and documents change', async () => {
      const { hosts, history } = fresh();
      await saveNames(hosts, ['alpha', 'stale', 'unseen']);
      await hosts.contributeLabels({
        accountId: blue.id,
        precedence: 1,
        entries: [{ hostname: 'alpha', labels: StoredJson.ofValue({ b: 1 }) }],
        at: minute(2),
        actor,
        runId: 'run-1',
      });
      await hosts.withdrawContributions({ accountId: blue.id, except: [], at: minute(3), actor });
      const kinds = async (name: string) => (await history.ofHost(name, 10)).map((change: HostChange) => change.kind);
      expect(await kinds('alpha')).toEqual(['labels', 'labels', 'created']);
      await saveNames(hosts, ['alpha', 'stale'], { at: minute(4), runId: 'run-2' });
      const sweep = {
        accountId: red.id,
        runId: 'run-2',
        seenBefore: minute(5),
        except: [],
        thresholdPercent: 100,
        activeBefore: 3,
      };
      await hosts.archiveUnseen({ ...sweep, at: minute(5), actor });
      expect(await kinds('unseen')).toEqual(['archived', 'created']);
      await hosts.archiveStale({ seenBefore: minute(5), at: minute(6), actor });
      expect(await kinds('stale')).toEqual(['archived', 'created']);
      const record = documentOf('alpha', {
        labels: StoredJson.ofValue({ os: 'bsd' }),
        inventory: StoredJson.ofValue({ hw: {} }),
        accountId: blue.id,
      });
      await hosts.putDocuments([{ record, mode: 'replace', relations: [] }], actor);
      expect((await kinds('alpha')).slice(0, 4).sort()).toEqual(['account', 'inventory', 'labels', 'restored']);
    });

    it('keeps keys and values of any kind', async () => {
      const { hosts, history } = fresh();
      await hosts.saveLabels({
        account: red,
        at: minute(1),
        actor,
        entries: [{ hostname: 'a', labels: labelsText('{}') }],
      });
      const text = '{"__proto__":"p","a.b":["x",null],"10":1,"\\ud800":"\\udfff"}';
      await hosts.saveLabels({
        account: red,
        at: minute(2),
        actor,
        entries: [{ hostname: 'a', labels: labelsText(text) }],
      });
      const [change] = await history.ofHost('a', 1);
      expect(new Map(change?.changes.map((item) => [item.path, item.after]))).toEqual(
        new Map<string, unknown>([
          ['labels.__proto__', 'p'],
          ['labels.a.b', ['x', null]],
          ['labels.10', 1],
          ['labels.\ud800', '\udfff'],
        ]),
      );
    });

    it('tells what changed anywhere, newest first and at one moment by hostname, page by page', async () => {
      const { hosts, history } = fresh();
      const names = ['alpha', 'beta', 'gamma', 'über'];
      await save(hosts, Object.fromEntries(names.map((name) => [name, { n: 1 }])));
      expect(await history.latest({ limit: 10 })).toEqual([]);
      for (const n of [2, 3]) {
        await save(hosts, Object.fromEntries(names.map((name) => [name, { n }])), { at: minute(n) });
      }
      await archiveNames(hosts, ['beta']);
      await hosts.rename({ hosts: [{ from: 'gamma', to: 'delta' }], at: minute(9), actor });
      const told = (changes: readonly HostChange[]) =>
        changes.map(({ hostname, at, kind }) => [hostname, at.getTime() / 60_000 - minute(0).getTime() / 60_000, kind]);
      const all = [
        ['delta', 9, 'renamed'],
        ['beta', 5, 'archived'],
        ...[3, 2].flatMap((n) => ['alpha', 'beta', 'delta', 'über'].map((name) => [name, n, 'labels'])),
      ];
      const changes = await history.latest({ limit: 100 });
      expect(told(changes)).toEqual(all);
      expect(changes.at(-1)).toEqual({
        hostname: 'über',
        at: minute(2),
        actor,
        kind: 'labels',
        changes: [{ path: 'labels.n', before: 1, after: 2 }],
      });
      expect(told(await history.latest({ limit: 100, from: minute(3) }))).toEqual(all.slice(0, 6));
      const paged: HostChange[] = [];
      for (;;) {
        const last = paged.at(-1);
        const page = await history.latest({ limit: 3, ...(last === undefined ? {} : { before: last }) });
        if (page.length === 0) break;
        expect(page.length).toBe(Math.min(3, all.length - paged.length));
        paged.push(...page);
      }
      expect(told(paged)).toEqual(all);
      expect(
        told(await history.latest({ limit: 2, from: minute(3), before: { at: minute(3), hostname: 'b' } })),
      ).toEqual(all.slice(3, 5));
      expect(await history.latest({ limit: 5, before: { at: minute(1), hostname: '' } })).toEqual([]);
    });

    it('tears nothing apart that happened to one host at one moment', async () => {
      const { hosts, history } = fresh();
      await save(hosts, { alpha: { n: 1 }, beta: { n: 1 } });
      await save(hosts, { beta: { n: 2 } }, { at: minute(2) });
      await saveSection(hosts, 'alpha', 'hw', { cpu: 1 }, 3);
      await saveSection(hosts, 'alpha', 'sw', { os: 1 }, 3);
      const first = await history.latest({ limit: 1 });
      expect(first.map(({ changes }) => changes[0]?.path)).toEqual(['inventory.sw', 'inventory.hw']);
      const [last] = first.slice(-1);
      const rest = await history.latest({ limit: 1, ...(last === undefined ? {} : { before: last }) });
      expect(rest.map(({ hostname }) => hostname)).toEqual(['beta']);
    });

    it('gives no more changes of all hosts than a page of characters', async () => {
      const { hosts, history } = fresh();
      await saveNames(hosts, ['alpha']);
      for (const n of [1, 2, 3, 4, 5, 6]) {
        await saveSection(hosts, 'alpha', 'hw', { text: `${n}`.repeat(900_000) }, n + 1);
      }
      const page = await history.latest({ limit: 10 });
      expect(page.length).toBeGreaterThanOrEqual(1);
      expect(page.length).toBeLessThan(6);
      const last = page.at(-1);
      const rest = await history.latest({ limit: 10, ...(last === undefined ? {} : { before: last }) });
      expect([...page, ...rest].map(({ at }) => at)).toEqual([7, 6, 5, 4, 3, 2].map(minute));
    });

    it('prunes what is older, but never the creation', async () => {
      const { hosts, history } = fresh();
      await save(hosts, { alpha: { n: 1 }, beta: { n: 1 } });
      for (const n of [2, 3, 4]) await save(hosts, { alpha: { n }, beta: { n } }, { at: minute(n) });
      expect(await history.prune(minute(4))).toBe(4);
      expect((await history.ofHost('alpha', 10)).map((change) => change.at)).toEqual([minute(4), minute(1)]);
      expect(await history.prune(minute(4))).toBe(0);
    });
  });
}
