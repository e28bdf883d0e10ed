import { beforeEach, describe, expect, it } from 'vitest';
import type { Source, SourceItem } from '../../../src/ports/index.ts';
import { gap, skipped, type World, withReasons, world } from './support.ts';

const HOUR = 3_600_000;
const CHANGES = { wholeReadHours: 24, account: 'account 1', full: false };
const ARCHIVES = { delete_host_if_not_found_on_import: true, delete_threshold_percent: 100 };

/** What a system has, by its ids. */
type System = Map<number, { readonly name: string; readonly at: number; readonly serial?: string }>;

let here: World;
let system: System;
/** What the source was asked to go on from, a run each. */
let asked: (string | undefined)[];

beforeEach(async () => {
  here = await world();
  asked = [];
  system = new Map([
    [1, { name: 'sw01', at: 10, serial: 'S1001' }],
    [2, { name: 'sw02', at: 11 }],
  ]);
});

/** Reads what changed since its bookmark, the time of the newest change; `items` come at the end. */
function source(...items: SourceItem[]): Source {
  return {
    async *read({ since }) {
      asked.push(since);
      const newest = Math.max(...[...system.values()].map(({ at }) => at));
      yield [{ kind: 'bookmark', text: `${newest}`, changesOnly: since !== undefined }];
      const found = [...system].filter(([, { at }]) => at >= Number(since ?? 0));
      yield found.map(([id, { name, at, serial }]) => ({
        kind: 'record',
        position: `device ${id}`,
        hostname: name,
        labels: { at },
        keys: { id: [`${id}`], ...(serial !== undefined && { serial: [serial] }) },
        relations: [{ type: 'member_of', target: `group${at}` }],
      }));
      yield items;
    },
  };
}

const run = (from: Source = source(), more: object = {}) =>
  here.run(from, { changes: CHANGES, options: ARCHIVES, ...more });

describe('a source that can read only what changed', () => {
  it('gets its bookmark back, and what did not change stays', async () => {
    expect(await run()).toMatchObject({ status: 'done', changesOnly: false, summary: { created: 2 } });
    system.set(3, { name: 'sw03', at: 20 });
    const report = await run();
    expect(report).toMatchObject({ status: 'done', changesOnly: true, summary: { created: 1, archived: 0 } });
    expect(report.message).toContain('only what changed was read');
    expect(report.relations).toEqual({ added: 0, removed: 0 });
    system.delete(1);
    await run();
    expect(await here.active()).toEqual(['sw01', 'sw02', 'sw03']);
    expect(asked).toEqual([undefined, '11', '20']);
  });

  it('may find that nothing changed', async () => {
    await run();
    system.clear();
    system.set(9, { name: 'other', at: 1 });
    const nothing: Source = {
      async *read({ since }) {
        yield [{ kind: 'bookmark', text: '12', changesOnly: since !== undefined }];
      },
    };
    expect(await run(nothing)).toMatchObject({ status: 'done', summary: { seen: 0 } });
    expect(await here.active()).toEqual(['sw01', 'sw02']);
  });

  it('is read whole after the hours of its account, which alone archives', async () => {
    await run();
    system.delete(2);
    here.advance(23 * HOUR);
    expect(await run()).toMatchObject({ changesOnly: true, summary: { archived: 0 } });
    here.advance(HOUR);
    expect(await run()).toMatchObject({ changesOnly: false, summary: { archived: 1 } });
    here.advance(23 * HOUR);
    expect(await run()).toMatchObject({ changesOnly: true });
    expect(await here.active()).toEqual(['sw01']);
  });

  it('is read whole when that is asked for, when the account was changed, and when a clock was set back', async () => {
    await run();
    expect(await run(source(), { changes: { ...CHANGES, full: true } })).toMatchObject({ changesOnly: false });
    expect(await run(source(), { changes: { ...CHANGES, account: 'account 2' } })).toMatchObject({
      changesOnly: false,
    });
    expect(await run(source()), 'the account before is forgotten').toMatchObject({ changesOnly: false });
    here.advance(-HOUR);
    expect(await run()).toMatchObject({ changesOnly: false });
    expect(await run(source(), { changes: { ...CHANGES, wholeReadHours: 0 } })).toMatchObject({ changesOnly: false });
    expect(await run(source(), { changes: undefined })).toMatchObject({ changesOnly: false });
  });

  it('goes on from the same place after a run that failed or was partial, and after a dry run', async () => {
    await run();
    system.set(3, { name: 'sw03', at: 20 });
    const failing: Source = {
      async *read(context) {
        yield* source().read(context);
        throw new Error('broken off');
      },
    };
    expect(await run(failing)).toMatchObject({ status: 'failed' });
    expect(await run(source(gap()))).toMatchObject({ status: 'partial', changesOnly: true });
    expect(await run(source(), { dryRun: true })).toMatchObject({ status: 'done', changesOnly: true });
    expect(await run()).toMatchObject({ status: 'done' });
    expect(await run()).toMatchObject({ status: 'done' });
    expect(asked).toEqual([undefined, '11', '11', '11', '11', '20']);
  });

  it('leaves no bookmark when it was partial from the start', async () => {
    expect(await run(source(gap()))).toMatchObject({ status: 'partial' });
    expect(await run()).toMatchObject({ changesOnly: false });
  });

  it('does not fail for changes of which none can be a host', async () => {
    await run();
    expect(await run(source(skipped('has no name')))).toMatchObject({ status: 'done', summary: { skipped: 1 } });
  });

  it('has a place for each of its parts', async () => {
    const parts = { parts: ['devices', 'vms'] };
    await run(source(), parts);
    expect(await run(source(), { ...parts, part: 'vms' })).toMatchObject({ changesOnly: false });
    system.set(3, { name: 'sw03', at: 20 });
    expect(await run(source(), { ...parts, part: 'vms' })).toMatchObject({ changesOnly: true });
    expect(await run(source(), parts)).toMatchObject({ changesOnly: true });
    expect(asked).toEqual([undefined, undefined, '11', '11']);
  });

  it('is read whole by accounts that fill sections', async () => {
    await run();
    await run(source(), { options: { fills: 'section', section: 'netbox' } });
    await run(source(), { inventorize: true, options: { inventorize_key: 'netbox' } });
    expect(asked).toEqual([undefined, undefined, undefined]);
    expect(await run(), 'which leaves the place as it was').toMatchObject({ changesOnly: true });
  });

  it('follows a rename by the next run, which reads everything', async () => {
    await run();
    system.set(1, { name: 'new01', at: 20, serial: 'S1001' });
    const report = await run();
    expect(report).toMatchObject({ status: 'done', summary: { skipped: 1, unchanged: 1 } });
    expect(withReasons(report.notWritten)[0]?.reason).toContain('the next run, which reads everything, decides');
    expect(await here.active()).toEqual(['sw01', 'sw02']);
    expect(await run()).toMatchObject({ changesOnly: false, renamed: 1 });
    expect(await run()).toMatchObject({ changesOnly: true, summary: { skipped: 0 } });
    expect(await here.active()).toEqual(['new01', 'sw02']);
  });

  it('does not take a new thing with the serial number of another for that one', async () => {
    await run();
    system.set(3, { name: 'copy', at: 20, serial: 'S1001' });
    await run();
    expect(await here.active()).toEqual(['sw01', 'sw02']);
    expect(await run()).toMatchObject({ changesOnly: false, renamed: 0 });
    expect(await here.active()).toEqual(['copy', 'sw01', 'sw02']);
  });

  it('does not write a second thing of a name over the first', async () => {
    system.set(3, { name: 'sw01', at: 9 });
    await run();
    system.set(3, { name: 'sw01', at: 20 });
    expect(await run()).toMatchObject({ changesOnly: true, summary: { skipped: 1 } });
    expect(await here.labels('sw01')).toEqual({ at: 10 });
  });

  it('gives a name to what has it now by the next run, where the other is gone', async () => {
    await run();
    system.delete(1);
    system.set(3, { name: 'sw01', at: 20 });
    await run();
    expect(await here.labels('sw01')).toEqual({ at: 10 });
    expect(await run()).toMatchObject({ changesOnly: false });
    expect(await here.labels('sw01')).toEqual({ at: 20 });
    expect(await run()).toMatchObject({ changesOnly: true, summary: { skipped: 0 } });
  });

  it('is read whole where all its hosts are gone from the store', async () => {
    await run();
    await here.storage.hosts.archive({
      hostnames: ['sw01', 'sw02'],
      by: 'operator',
      at: new Date(Date.UTC(2025, 0, 2)),
      scope: null,
      actor: { kind: 'user', name: 'ada' },
    });
    await run();
    expect(asked).toEqual([undefined, undefined]);
  });

  it('fails where the source says what cannot be', async () => {
    const late: Source = {
      async *read() {
        yield [{ kind: 'record', position: '1', hostname: 'x', labels: {} }];
        yield [{ kind: 'bookmark', text: '1', changesOnly: false }];
      },
    };
    const unasked: Source = {
      async *read() {
        yield [{ kind: 'bookmark', text: '1', changesOnly: true }];
      },
    };
    expect(await run(late)).toMatchObject({ status: 'failed', message: expect.stringContaining('after records') });
    expect(await run(unasked)).toMatchObject({ status: 'failed', message: expect.stringContaining('everything') });
    expect(await here.active()).not.toContain('sw01');
  });
});
