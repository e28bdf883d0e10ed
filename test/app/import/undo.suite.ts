import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UndoReport } from '../../../src/app/undo/undo-run.ts';
import { undoRun } from '../../../src/app/undo/undo-run.ts';
import { undoWording } from '../../../src/app/undo/words.ts';
import { textOf } from '../../../src/kit/worded.ts';
import type { Actor, JsonValue, SourceItem } from '../../../src/ports/index.ts';
import type { CreateStore } from './support.ts';
import { OTHER, record, sourceOf, WEB, type World, worlds } from './support.ts';

const ARCHIVES = { delete_host_if_not_found_on_import: true, delete_threshold_percent: 100, allow_empty: true };
const actor = { kind: 'user', name: 'olga' } as const;

interface Run {
  readonly began: Date;
  readonly ended: Date;
}

/** An import with when it began and ended. */
async function imported(here: World, items: readonly SourceItem[], options: object = ARCHIVES): Promise<Run> {
  const began = here.deps.clock.now();
  const { status, message } = await here.run(sourceOf([...items]), { options });
  expect(status, message).toBe('done');
  return { began, ended: here.deps.clock.now() };
}

function undone(here: World, run: Run, preview = false, onlyArchived = false): Promise<UndoReport> {
  const { hosts, history } = here.storage;
  return undoRun(
    { hosts, history, clock: here.deps.clock },
    {
      run: { ...run, accountId: WEB.id, account: WEB.name },
      actor,
      preview,
      onlyArchived,
      signal: new AbortController().signal,
      progress: () => undefined,
    },
  );
}

/** What readers of active hosts see. */
async function seen(here: World): Promise<Record<string, unknown>> {
  const all = await here.storage.hosts.page({
    filter: { scope: null, kind: 'all', state: 'active' },
    offset: 0,
    limit: 1000,
  });
  return Object.fromEntries(
    all.map(({ hostname, labels, inventory, accountId }) => [
      hostname,
      { labels: labels.value, inventory: inventory.value, accountId },
    ]),
  );
}

const names = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const labels = fc.dictionary(
  fc.constantFrom('os', 'site', 'a.b', '__proto__', 'tags'),
  fc.oneof(fc.constantFrom('x', 'y', ''), fc.integer({ min: 0, max: 3 }), fc.constant(null), fc.constant(['p', 'q'])),
);
const imports = fc
  .uniqueArray(fc.record({ name: names, labels }), { selector: ({ name }) => name })
  .map((hosts) => hosts.map(({ name, labels: values }) => record(name, values as Record<string, JsonValue>)));

export function describeUndo(create?: CreateStore): void {
  const world = worlds(create);

  describe('an import that is taken back', () => {
    it('leaves what readers see as it was before it', async () => {
      const here = await world();
      await imported(here, [
        record('kept', { os: 'debian' }),
        record('changed', { os: 'debian', n: 1 }),
        record('gone'),
      ]);
      const before = await seen(here);
      const wrong = await imported(here, [
        record('kept', { os: 'debian' }),
        record('changed', { os: '?' }),
        { ...(record('new') as SourceItem & { kind: 'record' }), inventory: { facts: { cores: 4 } } },
      ]);
      const planned = await undone(here, wrong, true);
      expect(Object.keys(await seen(here)).sort()).toEqual(['changed', 'kept', 'new']);
      const report = await undone(here, wrong);
      expect(report).toMatchObject({ changed: 1, archived: 1, restored: 1, renamed: 0, unchanged: 0, left: 0 });
      expect({ ...planned }).toEqual({ ...report });
      expect(textOf(undoWording(report, false))).toBe('1 change undone, 1 host archived, 1 host restored');
      expect(textOf(undoWording(planned, true))).toMatch(/^dry run: 1 change undone/);
      expect(await seen(here)).toEqual(before);
      expect(await undone(here, wrong)).toMatchObject({ changed: 0, archived: 0, restored: 0, unchanged: 3, left: 0 });
      expect((await here.storage.history.ofHost('changed', 1))[0]?.actor).toEqual(actor);
    });

    it('comes back with the next run', async () => {
      const here = await world();
      await imported(here, [record('a', { os: 'debian' })]);
      const right = await imported(here, [record('a', { os: 'rocky' }), record('b')]);
      const after = await seen(here);
      await undone(here, right);
      await imported(here, [record('a', { os: 'rocky' }), record('b')]);
      expect(await seen(here)).toEqual(after);
    });

    it('leaves alone, by name, what something else changed since', async () => {
      const here = await world();
      await imported(here, [record('a', { os: 'debian' }), record('b', { os: 'debian' })]);
      const wrong = await imported(here, [record('a', { os: '?' }), record('b', { os: '?' }), record('c')]);
      await imported(here, [record('a', { os: 'rocky' }), record('b', { os: '?' }), record('c', { os: 'rocky' })]);
      const report = await undone(here, wrong);
      expect(report).toMatchObject({ changed: 1, archived: 0, left: 2, hostnames: ['b'] });
      expect(report.leftAlone).toEqual([
        { hostname: 'c', reason: 'something else changed it since the run made it' },
        { hostname: 'a', reason: 'something else changed it since, or archived it' },
      ]);
      expect(await here.labels('a')).toEqual({ os: 'rocky' });
    });

    it('touches nothing that others did meanwhile', async () => {
      const here = await world();
      await here.run(sourceOf([record('theirs', { os: 'debian' })]), { account: OTHER });
      const began = here.deps.clock.now();
      await here.run(sourceOf([record('ours')]));
      await here.run(sourceOf([record('theirs', { os: 'rocky' }), record('new')]), { account: OTHER });
      const [account, at] = [{ id: WEB.id, isObject: false, objectType: 'host' }, here.deps.clock.now()];
      const { StoredJson } = await import('../../../src/ports/index.ts');
      const entries = [{ hostname: 'by-hand', labels: StoredJson.ofValue({ os: 'debian' }) }];
      await here.storage.hosts.saveLabels({ account, entries, at, actor });
      const report = await undone(here, { began, ended: here.deps.clock.now() });
      expect(report).toMatchObject({ archived: 1, left: 1, hostnames: ['ours'] });
      expect(await here.active()).toEqual(['by-hand', 'new', 'theirs']);
      expect(await here.labels('theirs')).toEqual({ os: 'rocky' });
    });

    it('gives hosts their names back that were found by their keys', async () => {
      const here = await world();
      const keyed = (hostname: string, os: string): SourceItem => ({
        ...(record(hostname, { os }) as SourceItem & { kind: 'record' }),
        keys: { serial: ['J4711'] },
      });
      await imported(here, [keyed('old', 'debian')]);
      const before = await seen(here);
      const wrong = await imported(here, [keyed('new', 'rocky')]);
      expect(await here.active()).toEqual(['new']);
      expect(await undone(here, wrong)).toMatchObject({ renamed: 1, changed: 1, left: 0 });
      expect(await seen(here)).toEqual(before);
    });

    it('gives hosts their first names back that it renamed several times', async () => {
      const here = await world();
      await imported(here, [record('a'), record('b'), record('c')]);
      const began = here.deps.clock.now();
      const rename = async (from: string, to: string, by: Actor): Promise<void> => {
        const at = here.deps.clock.now();
        expect(await here.storage.hosts.rename({ hosts: [{ from, to }], at, actor: by })).toEqual(['renamed']);
      };
      const account = { kind: 'account', name: WEB.name } as const;
      await rename('a', 'z', account);
      await rename('z', 'm', account);
      await rename('b', 'n', account);
      await rename('c', 'o', account);
      await rename('o', 'c', account);
      const run = { began, ended: here.deps.clock.now() };
      await rename('n', 'by-hand', actor);
      for (const preview of [true, false]) {
        const report = await undone(here, run, preview);
        expect(report).toMatchObject({ renamed: 2, unchanged: 2, left: 1 });
        expect(report.leftAlone).toEqual([{ hostname: 'by-hand', reason: 'something else renamed it since' }]);
      }
      expect(await here.active()).toEqual(['a', 'by-hand', 'c']);
    });

    it('gives back only the hosts that it archived, where no more is wanted', async () => {
      const here = await world();
      await imported(here, [record('changed', { os: 'debian' }), record('gone', { os: 'debian' })]);
      const wrong = await imported(here, [record('changed', { os: 'rocky' }), record('new')]);
      const expected = { restored: 1, changed: 0, archived: 0, left: 0, hostnames: ['gone'] };
      expect(await undone(here, wrong, true, true)).toMatchObject(expected);
      expect(await undone(here, wrong, false, true)).toMatchObject(expected);
      expect(await here.active()).toEqual(['changed', 'gone', 'new']);
      expect(await here.labels('changed')).toEqual({ os: 'rocky' });
    });

    it('is as before, whatever it did', async () => {
      await fc.assert(
        fc.asyncProperty(imports, imports, async (first, second) => {
          const here = await world();
          await imported(here, first);
          const before = await seen(here);
          const wrong = await imported(here, second);
          const report = await undone(here, wrong);
          expect(report.left).toBe(0);
          expect(await seen(here)).toEqual(before);
        }),
        { numRuns: create === undefined ? 60 : 6 },
      );
    });
  });
}
