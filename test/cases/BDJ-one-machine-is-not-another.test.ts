import { beforeEach, describe, expect, it } from 'vitest';
import {
  likelySpellings,
  spellingDifference,
  spellingOf,
  withoutUnseen,
} from '../../src/app/hosts/decisions/name-spelling.ts';
import { DuplicateFinder } from '../../src/app/search/decisions/quality/duplicates.ts';
import { listedRecord } from '../../src/kit/records/object-record.ts';
import { textOf } from '../../src/kit/worded.ts';
import { type JsonValue, type SourceItem, type SourceRecord, StoredJson } from '../../src/ports/index.ts';
import { OTHER, sourceOf, type World, world } from '../app/import/support.ts';

function record(hostname: string, more: Partial<SourceRecord> = {}): SourceItem {
  return { kind: 'record', position: 'line 2', hostname, labels: {}, ...more };
}

const ARCHIVES = { delete_host_if_not_found_on_import: true, delete_threshold_percent: 100 };
let here: World;

beforeEach(async () => {
  here = await world();
});

describe('a repeated run writes nothing', () => {
  it('where several rows of a host fill a section, near to each other or not', async () => {
    await here.run(sourceOf([record('web01'), record('web02')]), { account: OTHER });
    const rows = [
      record('web01', { labels: { app: 'nginx' } }),
      ...Array.from({ length: 700 }, () => record('web02')),
      record('web01', { labels: { app: 'sshd' } }),
    ];
    const options = { fills: 'section', section: 'apps' } as const;
    expect((await here.run(sourceOf(rows), { options })).summary).toMatchObject({
      seen: 702,
      updated: 2,
      unchanged: 700,
    });
    expect((await here.run(sourceOf(rows), { options })).summary).toMatchObject({ updated: 0, unchanged: 702 });
  });

  it.each([
    [['example.org', 'berlin.example.org']],
    [['berlin.example.org', 'example.org']],
    [['org', 'web01.berlin.example.org', 'example.org']],
  ])('where domains are below each other: %s', async (domains) => {
    await here.run(sourceOf([record('web01.berlin.example.org')]), { account: OTHER });
    const source = sourceOf(domains.map((domain) => record(domain, { labels: { of: domain } })));
    const options = { inventorize_key: 'net', inventorize_match_by_domain: true };
    await here.run(source, { options, inventorize: true });
    const [host] = await here.storage.hosts.findEach(['web01.berlin.example.org']);
    const precise = domains.toSorted((a, b) => b.length - a.length)[0];
    expect(host?.inventory.value).toEqual({ net: { of: precise } });
    expect((await here.run(source, { options, inventorize: true })).summary).toMatchObject({ updated: 0 });
  });

  it.each([false, true])(
    'where two machines have one name, in whatever order they come (far apart: %s)',
    async (isFar) => {
      const machine = (id: string): SourceItem => record('web', { labels: { id }, keys: { id: [id] } });
      const others = isFar ? Array.from({ length: 600 }, (_, index) => record(`other${index}`)) : [];
      await here.run(sourceOf([machine('i-0001'), ...others, machine('i-0002')]));
      const turned = sourceOf([machine('i-0002'), ...others, machine('i-0001')]);
      const report = await here.run(turned, { dryRun: true });
      expect(report.summary).toMatchObject({ updated: 0, skipped: 1 });
      expect((await here.run(turned)).summary).toMatchObject({ updated: 0, skipped: 1 });
      expect(await here.labels('web')).toEqual({ id: 'i-0001' });
      await here.run(sourceOf([machine('i-0003'), ...others]));
      expect(await here.labels('web')).toEqual({ id: 'i-0003' });
    },
  );
});

describe('spellings of one name', () => {
  it.each([
    ['WEB01.example.org', 'web01.example.org', 'upper and lower case'],
    ['web01.example.org.', 'web01.example.org', 'a dot at the end'],
    ['caf\u00e9.example.org', 'cafe\u0301.example.org', 'composed letters'],
    ['xn--mnchen-3ya.example.org', 'm\u00fcnchen.example.org', 'the form of DNS (xn--)'],
    ['web\u00ad01', 'web01', 'signs that are not seen'],
  ])('%s and %s differ in %s', (one, other, difference) => {
    expect(spellingOf(one)).toBe(spellingOf(other));
    expect(textOf(spellingDifference(one, other))).toBe(difference);
    expect(textOf(spellingDifference(other, one))).toBe(difference);
  });

  it.each([
    ['WEB01.example.org', 'web01.example.org'],
    ['web01.example.org.', 'web01.example.org'],
    ['m\u00fcnchen', 'xn--mnchen-3ya'],
  ])('are a warning, and neither is archived: %s, then %s', async (before, after) => {
    await here.run(sourceOf([record(before)]), { options: ARCHIVES });
    for (const dryRun of [true, false, false]) {
      const report = await here.run(sourceOf([record(after)]), { options: ARCHIVES, dryRun });
      expect(report).toMatchObject({ status: 'done', warningsTotal: 1, summary: { archived: 0 } });
      expect(textOf(report.warnings[0]?.reason ?? '')).toContain(before);
    }
    expect(await here.active()).toHaveLength(2);
  });

  it('are told where a contribution finds no host', async () => {
    await here.run(sourceOf([record('web01.example.org')]), { account: OTHER });
    const report = await here.run(sourceOf([record('WEB01.EXAMPLE.org')]), { options: { mode: 'contribute' } });
    expect(textOf(report.warnings[0]?.reason ?? '')).toContain('"web01.example.org"');
  });

  it.each([
    ['web01.example.org', 'WEB01.example.org'],
    ['WEB01.EXAMPLE.org', 'web01.example.org'],
    ['web01.example.org', 'web01.example.org.'],
    ['münchen', 'xn--mnchen-3ya'],
    ['cafe\u0301', 'caf\u00e9'],
  ])('are looked up at once, where there is no host %s but %s', (asked, stored) => {
    expect(likelySpellings(asked)).toContain(stored);
  });

  it('hold no signs that nobody sees, but for hosts that were stored with them', async () => {
    expect(
      ['\u200bweb03', 'web\u00ad03', 'web03\ufeff', 'web\u00a003', '\u2066web03\u2069'].map(withoutUnseen),
    ).toEqual(Array(5).fill('web03'));
    await here.storage.hosts.saveLabels({
      account: OTHER,
      entries: [],
      at: here.deps.clock.now(),
      actor: { kind: 'user', name: 'op' },
      runId: 'x',
      takeOver: false,
    });
    await here.run(sourceOf([record('\u200bweb04')]));
    expect(await here.active()).toEqual(['web04']);
  });

  it('of UUIDs with swapped bytes are told', async () => {
    await here.run(sourceOf([record('a', { keys: { uuid: ['4c4c4544-0042-3510-8051-b7c04f4a3132'] } })]));
    const items = [record('b', { keys: { uuid: ['44454c4c-4200-1035-8051-b7c04f4a3132'] } })];
    expect(textOf((await here.run(sourceOf(items))).warnings[0]?.reason ?? '')).toMatch(/swapped bytes/);
    const finder = new DuplicateFinder();
    for (const [hostname, uuid] of [
      ['a', '4c4c4544-0042-3510-8051-b7c04f4a3132'],
      ['b', '{44454C4C-4200-1035-8051-B7C04F4A3132}'],
      ['c', '00000000-0000-0000-0000-000000000000'],
      ['d', '00000000-0000-0000-0000-000000000000'],
    ] as const)
      finder.add({ hostname, labels: StoredJson.ofValue({ bios_uuid: uuid }) });
    expect(finder.found('uuid').map(({ sample }) => sample)).toEqual([['a', 'b']]);
  });

  it('are told of a read that is not whole too', async () => {
    await here.run(sourceOf([record('WEB01'), record('web02')]));
    const gap = { kind: 'gap', what: 'the rest', reason: 'it is not there' } as const;
    const report = await here.run(sourceOf([record('web01'), gap]));
    expect(report.warnings.map(({ hostname }) => hostname)).toEqual(['web01']);
  });
});

describe('what says that nothing is known', () => {
  it.each(['NULL', '(null)', 'n\\a', '#REF!', '-', 'NaN'])('is no name: %s', async (name) => {
    const isKept = name === 'n\\a';
    expect(await here.run(sourceOf([record('web01'), record(name)]))).toMatchObject({
      summary: { created: isKept ? 2 : 1, skipped: isKept ? 0 : 1 },
    });
  });

  it('is said of a name that no host can have too', async () => {
    const report = await here.run(sourceOf([record('web01'), record('N/A')]));
    expect(textOf(report.notWritten[0]?.reason ?? '')).toContain('says that nothing is known');
  });

  it('leaves labels as they are, unless the account names such texts', async () => {
    const items = [record('web01', { labels: { a: 'NULL', b: '\\N', c: 'x' } })];
    await here.run(sourceOf(items));
    expect(await here.labels('web01')).toEqual({ a: 'NULL', b: '\\N', c: 'x' });
    await here.run(sourceOf(items), { options: { null_values: ['NULL', '\\N'] } });
    expect(await here.labels('web01')).toEqual({ c: 'x' });
  });

  it('is no key and no name where the account names such texts', async () => {
    const options = { null_values: ['UNSET'] };
    await here.run(sourceOf([record('old', { keys: { serial: ['UNSET'] } })]), { options });
    const report = await here.run(sourceOf([record('new', { keys: { serial: ['UNSET'] } }), record('UNSET')]), {
      options,
    });
    expect(report).toMatchObject({ renamed: 0, summary: { created: 1, skipped: 1 } });
  });
});

describe('one bad member', () => {
  it.each<[string, Record<string, unknown>]>([
    ['$id', { $id: '1' }],
    ['', { '': '1' }],
    ['half a letter', { note: 'a\ud800' }],
    ['too long', { ['k'.repeat(1_100)]: '1' }],
    ['nested', { nested: { a: 1 } }],
  ])('loses itself and not the host: %s', async (_, bad) => {
    const labels = { ...bad, os: 'x' } as Record<string, JsonValue>;
    const report = await here.run(sourceOf([record('w1', { labels: labels as SourceRecord['labels'] })]));
    expect(report).toMatchObject({ status: 'done', warningsTotal: 1, summary: { created: 1, skipped: 0 } });
    expect(await here.labels('w1')).toEqual({ os: 'x' });
  });

  it('that a vault encrypts is no key, and stops nothing', async () => {
    const vaulted = '$ANSIBLE_VAULT;1.1;AES256\n31';
    const report = await here.run(
      sourceOf([record('web01', { keys: { serial: [vaulted, 'J47111'] } }), record('web02')]),
    );
    expect(report).toMatchObject({ status: 'done', summary: { created: 2 } });
    expect((await here.storage.marks.holders(['serial=J47111'])).map(({ hostname }) => hostname)).toEqual(['web01']);
  });

  it('of two of one name says so, and the one of that very name counts', () => {
    const options = { hostname_field: 'host', inventory_fields: [] };
    for (const element of [
      { host: 'a', site: { name: 'nested' }, 'site.name': 'flat' },
      { host: 'a', 'site.name': 'flat', site: { name: 'nested' } },
    ]) {
      const item = listedRecord(element, 'record 1', options);
      expect(item).toMatchObject({ labels: { 'site.name': 'flat' }, warnings: [expect.anything()] });
    }
  });
});

describe('a name that is missing for a while', () => {
  const guest = (name: string, keys?: SourceRecord['keys'], isLater = false): SourceItem =>
    record(name, { ...(keys && { keys }), ...(isLater && { laterName: true }) });

  it('archives nothing', async () => {
    await here.run(sourceOf([guest('app01.example.org'), guest('x')]), { options: ARCHIVES });
    const report = await here.run(sourceOf([guest('app01-vm', undefined, true), guest('x')]), { options: ARCHIVES });
    expect(report).toMatchObject({ status: 'partial', summary: { archived: 0 } });
    expect(await here.active()).toContain('app01.example.org');
  });

  it('spares the host whose key the record without a name has, whatever the account does with hosts', async () => {
    const nameless = {
      kind: 'skipped',
      position: 'record 2',
      reason: 'has no name',
      keys: { serial: ['J47112'] },
    } as const;
    const guests = [guest('app01', { serial: ['J47111'] }), guest('app02', { serial: ['J47112'] })];
    await here.run(sourceOf([...guests, guest('app03')]), { options: ARCHIVES });
    const report = await here.run(sourceOf([guests[0] as SourceItem, nameless]), { options: ARCHIVES });
    expect(report).toMatchObject({ status: 'done', summary: { archived: 1, skipped: 1 } });
    expect(await here.active()).toEqual(['app01', 'app02']);
  });

  it('leaves the host its name where its key is known', async () => {
    const keys = { uuid: ['4c4c4544-0042-3510-8051-b7c04f4a3132'] };
    await here.run(sourceOf([guest('app01.example.org', keys)]), { options: ARCHIVES });
    const report = await here.run(sourceOf([guest('app01-vm', keys, true)]), { options: ARCHIVES });
    expect(report).toMatchObject({ renamed: 0, summary: { archived: 0, created: 0 } });
    expect(await here.active()).toEqual(['app01.example.org']);
  });
});
