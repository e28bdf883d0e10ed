import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { openProcessors } from '../../../src/app/runs/import/processors.ts';
import { checkedProcessors, processorList } from '../../../src/kit/account-options/chosen-processors.ts';
import { textOf } from '../../../src/kit/worded.ts';
import type {
  ProcessedRecord,
  RecordProcessor,
  RecordProcessorType,
  Source,
  SourceItem,
  SourceRecord,
} from '../../../src/ports/index.ts';
import { silent, withReasons, world } from './support.ts';

type Process = RecordProcessor['process'];

function typeOf(id: string, process: Process): RecordProcessorType {
  return { id, title: id, description: id, options: z.strictObject({}), open: () => ({ process }) };
}

function opened(...processes: readonly Process[]) {
  const processors = processes.map((process, index) => ({
    pluginId: 'probe',
    type: typeOf(`step-${index + 1}`, process),
    options: {},
  }));
  const services = { logger: silent, http: { client: () => expect.fail('nothing is asked') } };
  return openProcessors(processors, { account: 'web', timeoutSeconds: 5, services });
}

function record(hostname: string, more: Partial<SourceRecord> = {}): SourceRecord {
  return { kind: 'record', position: `record ${hostname}`, hostname, labels: { site: 'codfw' }, ...more };
}

async function* batches(...given: readonly (readonly SourceItem[])[]): AsyncGenerator<readonly SourceItem[]> {
  yield* given;
}

async function through(items: AsyncIterable<readonly SourceItem[]>, ...processes: readonly Process[]) {
  const all: SourceItem[] = [];
  for await (const batch of opened(...processes)(items, { signal: new AbortController().signal })) all.push(...batch);
  return all;
}

function sourceOf(items: readonly SourceItem[], ...processes: readonly Process[]): Source {
  return { read: (context) => opened(...processes)(batches(items), context) };
}

const labelled =
  (name: string): Process =>
  (records) =>
    records.map((each) => ({ ...each, labels: { ...each.labels, [name]: Object.keys(each.labels).length } }));
const failingFor =
  (...names: readonly string[]): Process =>
  (records) => {
    const bad = records.find(({ hostname }) => names.includes(hostname));
    if (bad !== undefined) throw new Error(`${bad.hostname} is too much for it`);
    return records;
  };

describe('processors of an account', () => {
  it('see records in the order in which the account names them, and nothing else of the source', async () => {
    const gap = { kind: 'gap', what: 'page 2', reason: 'it timed out' } as const;
    const items = await through(batches([record('mw1'), gap, record('mw2')]), labelled('first'), labelled('second'));
    expect(items).toEqual([
      record('mw1', { labels: { site: 'codfw', first: 1, second: 2 } }),
      gap,
      record('mw2', { labels: { site: 'codfw', first: 1, second: 2 } }),
    ]);
  });

  it('cannot move a record to another place or part of the source', async () => {
    const moved: Process = (records) => records.map((each) => ({ ...each, position: 'nowhere', part: 'vms' }));
    expect(await through(batches([record('mw1', { part: 'devices' }), record('mw2')]), moved)).toEqual([
      record('mw1', { part: 'devices' }),
      record('mw2'),
    ]);
  });

  it('lose no record, whatever becomes of each', async () => {
    const outcomes = fc.array(fc.constantFrom('kept', 'left_out', 'named', 'nameless', 'thrown'), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(outcomes, fc.integer({ min: 1, max: 7 }), async (wanted, size) => {
        fc.pre(wanted.filter((each) => each === 'thrown').length < 20);
        const records = wanted.map((each, index) => record(`${each}-${index}`));
        const process: Process = (given) =>
          given.map((each): ProcessedRecord => {
            const [kind = ''] = each.hostname.split('-');
            if (kind === 'thrown') throw new Error('no');
            if (kind === 'left_out') return { kind };
            if (kind === 'named') return { kind: 'skipped', reason: 'no', hostname: 'web' };
            return kind === 'nameless' ? { kind: 'skipped', reason: 'no' } : each;
          });
        const parts = Array.from({ length: Math.ceil(records.length / size) }, (_, index) =>
          records.slice(index * size, (index + 1) * size),
        );
        const items = await through(batches(...parts), process);
        const count = (kind: SourceItem['kind']) => items.filter((item) => item.kind === kind).length;
        const has = (...kinds: readonly string[]) => wanted.filter((each) => kinds.includes(each)).length;
        const leftOut = items.find((item) => item.kind === 'left_out');
        expect(count('record')).toBe(has('kept'));
        expect(leftOut?.count ?? 0).toBe(has('left_out'));
        expect(count('skipped')).toBe(has('named', 'nameless', 'thrown'));
        expect(count('gap')).toBe(has('nameless', 'thrown') > 0 ? 1 : 0);
      }),
      { numRuns: 200 },
    );
  });

  it('that throw for one record cost no other, and nothing is archived', async () => {
    const { run, active } = await world();
    const records = ['mw1', 'mw2', 'mw3'].map((name) => record(name));
    const options = { delete_host_if_not_found_on_import: true, delete_threshold_percent: 100 };
    await run(sourceOf(records), { options });
    const report = await run(sourceOf(records.slice(0, 2), failingFor('mw2')), { options });
    expect(report).toMatchObject({ status: 'partial', gapsTotal: 1 });
    expect(withReasons(report.notWritten)).toMatchObject([
      { hostname: 'mw2', kind: 'skipped', reason: expect.stringContaining('mw2 is too much for it') },
    ]);
    expect(await active()).toEqual(['mw1', 'mw2', 'mw3']);
  });

  it('that throw for every record fail the run after a few of them', async () => {
    let calls = 0;
    const broken: Process = () => {
      calls++;
      throw new Error('the register is away');
    };
    const { run } = await world();
    const records = Array.from({ length: 400 }, (_, index) => record(`mw${index}`));
    const report = await run(sourceOf(records, broken));
    expect(report).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/step-1 of account web fails for every record.*the register is away/),
    });
    expect(calls).toBeLessThan(30);
  });

  it('that rename records archive nothing while the source skips one, whose new name is not known', async () => {
    const { run, active } = await world();
    const options = { delete_host_if_not_found_on_import: true, delete_threshold_percent: 100 };
    const qualified: Process = (records) =>
      records.map((each) => ({ ...each, hostname: `${each.hostname}.example.org` }));
    const skipped: SourceItem = { kind: 'skipped', position: 'line 3', hostname: 'mw2', reason: 'lacks a cell' };
    await run(sourceOf([record('mw1'), record('mw2')], qualified), { options });
    const report = await run(sourceOf([record('mw1'), skipped], qualified), { options });
    expect(report).toMatchObject({ status: 'partial', summary: { skipped: 1, archived: 0 } });
    expect(report.gaps.map(({ what, reason }) => `${textOf(what)}: ${textOf(reason)}`)).toEqual([
      '1 record that the source skipped: processor step-1 gives records other names, so which hosts they are is not known',
    ]);
    const refusing: Process = (records) =>
      records.map((each) => (each.hostname === 'mw2' ? { kind: 'skipped', hostname: 'mw2', reason: 'no' } : each));
    const refused = await run(sourceOf([record('mw1'), record('mw2')], refusing, qualified), { options });
    expect(refused).toMatchObject({ status: 'partial', gapsTotal: 1 });
    expect(await active()).toEqual(['mw1.example.org', 'mw2.example.org']);
  });

  it('that rename no record spare what the source skips', async () => {
    const { run, active } = await world();
    const options = { delete_host_if_not_found_on_import: true, delete_threshold_percent: 100 };
    const skipped: SourceItem = { kind: 'skipped', position: 'line 3', hostname: 'mw2', reason: 'lacks a cell' };
    await run(sourceOf(['mw1', 'mw2', 'mw3'].map((name) => record(name))), { options });
    const report = await run(sourceOf([record('mw1'), skipped], labelled('seen')), { options });
    expect(report).toMatchObject({ status: 'done', gapsTotal: 0, summary: { archived: 1 } });
    expect(await active()).toEqual(['mw1', 'mw2']);
  });

  it('leave out hosts that are archived then, like a filter of the source', async () => {
    const { run, active } = await world();
    const options = { delete_host_if_not_found_on_import: true, delete_threshold_percent: 100 };
    await run(sourceOf([record('mw1'), record('mw2')]), { options });
    const withoutSecond: Process = (records) =>
      records.map((each) => (each.hostname === 'mw2' ? { kind: 'left_out' } : each));
    const report = await run(sourceOf([record('mw1'), record('mw2')], withoutSecond), { options });
    expect(report).toMatchObject({ status: 'done', leftOut: 1, summary: { archived: 1 } });
    expect(await active()).toEqual(['mw1']);
  });

  it.each([
    ['too few', () => [], 'it answered 0 for 2 records'],
    ['no list', () => 'all' as never, 'neither a record nor'],
    [
      'a record without labels',
      (records: readonly SourceRecord[]) => records.map(() => ({ kind: 'record' }) as never),
      'neither a record nor',
    ],
  ] as const)('that answer %s are named', async (_, process, message) => {
    const items = await through(batches([record('mw1'), record('mw2')]), process as Process).catch((error) => error);
    const told = Array.isArray(items)
      ? items.map((item) => ('reason' in item ? item.reason : '')).join()
      : String(items);
    expect(told).toContain('processor step-1 of account web');
    if (message !== 'it answered 0 for 2 records') expect(told).toContain(message);
  });
});

describe('the option that names processors', () => {
  it.each([
    ['', []],
    ['site-city', [{ use: 'site-city', options: {} }]],
    [
      'site-city, lower',
      [
        { use: 'site-city', options: {} },
        { use: 'lower', options: {} },
      ],
    ],
    [
      '["lower", {"use": "site-city", "options": {"a": [1]}}]',
      [
        { use: 'lower', options: {} },
        { use: 'site-city', options: { a: [1] } },
      ],
    ],
  ])('reads %s', (text, expected) => {
    expect(processorList().parse(text)).toEqual(expected);
  });

  it.each(['[', '[1]', '[{"name": "x"}]', '["", "a"]'])('refuses %s', (text) => {
    expect(processorList().safeParse(text).success).toBe(false);
  });

  it('refuses a processor that is not there, and options that it does not know', () => {
    const known = { pluginId: 'probe', item: typeOf('lower', (records) => records) };
    const plugins = {
      recordProcessor: (id: string) => (id === 'lower' ? known : undefined),
      recordProcessorIds: () => ['lower'],
    };
    expect(() => checkedProcessors(plugins, [{ use: 'upper', options: {} }])).toThrow(
      /there is no processor upper; known ones: lower/,
    );
    expect(() => checkedProcessors(plugins, [{ use: 'lower', options: { x: 1 } }])).toThrow(/options of lower: .*x/);
  });
});
