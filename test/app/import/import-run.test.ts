import { describe, expect, it } from 'vitest';
import type { ImportDeps } from '../../../src/app/runs/import/import-run.ts';
import type { HostDiff } from '../../../src/app/runs/import/import-stage.ts';
import { compileHostnameTemplate } from '../../../src/kit/options/hostname-template.ts';
import { AppError, type HostStore, type Source, type SourceItem } from '../../../src/ports/index.ts';
import { gap, hostNames, OTHER, record, skipped, sourceOf, WEB, withReasons, world } from './support.ts';

const DELETE = { delete_host_if_not_found_on_import: true };

describe('counting', () => {
  it('counts every record once', async () => {
    const { run, storage, deps } = await world();
    await run(sourceOf([record('foreign')]), { account: OTHER });
    await run(sourceOf([record('kept', { a: 1 }), record('changed', { a: 1 }), record('shelved')]));
    const actor = { kind: 'user', name: 'op' } as const;
    await storage.hosts.archive({ hostnames: ['shelved'], by: 'operator', at: deps.clock.now(), scope: null, actor });
    const report = await run(
      sourceOf([
        record('kept', { a: 1 }),
        record('changed', { a: 2 }),
        record('new'),
        record('foreign'),
        record('shelved'),
        record(' new '),
        record('bad/name'),
        record('bad', { $x: 1 }),
        skipped('has no name'),
      ]),
    );
    expect(report.summary).toMatchObject({
      seen: 9,
      created: 2,
      updated: 1,
      unchanged: 1,
      conflicts: 1,
      skipped: 4,
      failed: 0,
      archived: 0,
    });
    expect(report.status).toBe('done');
    const reasons = new Map(withReasons(report.notWritten).map((unwritten) => [unwritten.hostname, unwritten]));
    expect(reasons.get('foreign')).toMatchObject({ kind: 'conflict', reason: 'the host belongs to another account' });
    expect(reasons.get('shelved')?.reason).toMatch(/operator archived/);
    expect(reasons.get('new')?.reason).toMatch(/earlier record/);
    expect(reasons.get('bad/name')?.reason).toMatch(/slash/);
    expect(withReasons(report.warnings)).toMatchObject([
      { hostname: 'bad', reason: expect.stringMatching(/label "\$x"/) },
    ]);
    expect(reasons.get('')).toMatchObject({ position: 'line 9', reason: 'has no name' });
  });

  it('says which hosts of the account the source no longer names, and leaves them', async () => {
    const { run, storage } = await world();
    await run(sourceOf([record('foreign')]), { account: OTHER });
    await run(sourceOf([record('kept'), record('gone'), record('lost'), record('unreadable')]));
    const next = () => sourceOf([record('kept'), record('unreadable', { $x: 1 })]);
    const told = { count: 2, sample: ['gone', 'lost'] };
    expect((await run(next(), { dryRun: true })).unseen).toEqual(told);
    const report = await run(next());
    expect(report).toMatchObject({ status: 'done', unseen: told, summary: { archived: 0 } });
    expect(await storage.hosts.find('gone')).toMatchObject({ archive: null });
    expect((await run(next(), { options: DELETE })).unseen).toEqual({ count: 0, sample: [] });
    expect((await run(sourceOf([record('kept'), gap('page 2')]))).unseen).toEqual({ count: 0, sample: [] });
  });

  it('lets the first of several records win, however far apart they are', async () => {
    const { run, labels } = await world();
    const report = await run(
      sourceOf([record('x', { v: 'first' }), record('x', { v: 'same batch' })], hostNames(3_000), [
        record('x', { v: 'far' }),
      ]),
    );
    expect(report.summary).toMatchObject({ created: 3_001, skipped: 2 });
    expect(await labels('x')).toEqual({ v: 'first' });
  });

  it('changes nothing the second time', async () => {
    const { run, storage } = await world();
    await run(sourceOf(hostNames(1_200)));
    const before = await storage.hosts.get('h00007', null);
    const report = await run(sourceOf(hostNames(1_200)));
    const after = await storage.hosts.get('h00007', null);
    expect(report.summary).toMatchObject({ unchanged: 1_200, updated: 0, created: 0 });
    expect(after?.lastUpdate).toEqual(before?.lastUpdate);
    expect(after?.lastSeen?.getTime()).toBeGreaterThan(before?.lastSeen?.getTime() ?? 0);
  });

  it('names only the first thousand of the records it could not use, and counts all', async () => {
    const { run, storage } = await world();
    let told = 0;
    const report = await run(
      sourceOf(
        [record('ok')],
        Array.from({ length: 1_500 }, () => skipped('has no name')),
      ),
      {
        onNotWritten: () => told++,
      },
    );
    expect(withReasons(report.notWritten)).toHaveLength(1_000);
    expect([report.notWrittenTotal, told, report.summary.skipped]).toEqual([1_500, 1_500, 1_500]);
    const [entry] = await storage.logs.latest({ limit: 1 });
    expect(entry?.details.at(-1)?.message).toBe('1,400 more records were not written');
  });
});

describe('failed runs', () => {
  it('archives nothing when the read fails, keeps what was written, and says why', async () => {
    const { run, active, storage } = await world();
    await run(sourceOf(hostNames(10)));
    const fault = new AppError('failed', 'nodes.csv is cut off');
    const report = await run(sourceOf([record('h00000', { n: 1 }), record('fresh')], fault), { options: DELETE });
    expect(report).toMatchObject({ status: 'failed', message: 'nodes.csv is cut off', cancelled: false });
    expect(await active()).toHaveLength(10);
    const [entry] = await storage.logs.latest({ limit: 1, source: 'import:web' });
    expect(entry).toMatchObject({ hasError: true, message: 'Import of web failed: nodes.csv is cut off' });
  });

  it('keeps the batches that were complete before the fault', async () => {
    const { run, active } = await world();
    const report = await run(sourceOf(hostNames(2_000), new AppError('failed', 'x')));
    expect(report.summary.created).toBe((await active()).length);
    expect(report.summary.created).toBeGreaterThanOrEqual(1_500);
  });

  it('fails without a single record unless that is allowed', async () => {
    const { run, active } = await world();
    await run(sourceOf(hostNames(4)));
    expect(await run(sourceOf([]), { options: DELETE })).toMatchObject({ status: 'failed', summary: { archived: 0 } });
    const options = { ...DELETE, allow_empty: true, delete_threshold_percent: 100 };
    expect(await run(sourceOf([]), { options })).toMatchObject({ status: 'done', summary: { archived: 4 } });
    expect(await active()).toEqual([]);
  });

  it('fails when no record can be used, as with a wrong hostname field', async () => {
    const { run } = await world();
    const report = await run(sourceOf([skipped('has no name: "host" is missing')]), { options: DELETE });
    expect(report.status).toBe('failed');
    expect(report.message).toMatch(/the only record can become no host .*line 9: has no name: "host" is missing/);
  });

  it('hides what is unexpected', async () => {
    const { run } = await world();
    const report = await run(sourceOf(new Error('password=hunter2')));
    expect(report.status).toBe('failed');
    expect(report.message).not.toMatch(/hunter2/);
  });

  it('fails when the store does not answer', async () => {
    const { run, deps } = await world();
    const hosts: ImportDeps['hosts'] = {
      ...deps.hosts,
      saveLabels: () => Promise.reject(new AppError('unavailable', 'the database does not answer')),
    };
    const report = await run(sourceOf(hostNames(5_000)), { hosts, longestOutageMs: 300 });
    expect(report).toMatchObject({ status: 'failed', message: 'the database does not answer' });
  });

  it('ends cleanly when called off', async () => {
    const { run, active, storage } = await world();
    await run(sourceOf(hostNames(10, 90_000)));
    const abort = new AbortController();
    const source: Source = {
      async *read() {
        yield hostNames(600);
        abort.abort();
        yield hostNames(600, 600);
      },
    };
    const report = await run(source, { signal: abort.signal, options: DELETE });
    expect(report).toMatchObject({ status: 'failed', cancelled: true, summary: { archived: 0 } });
    expect(await active()).toHaveLength(510);
    expect(await storage.logs.latest({ limit: 5 })).toHaveLength(2);
  });
});

describe('single records that the store refuses', () => {
  it('cost nobody else, and are not archived', async () => {
    const { run, deps, active, storage } = await world();
    await run(sourceOf(hostNames(1_000)));
    const hosts: ImportDeps['hosts'] = {
      ...deps.hosts,
      saveLabels: (write) =>
        write.entries.some(({ hostname }) => hostname === 'h00123' || hostname === 'h00700')
          ? Promise.reject(new AppError('too_large', 'the host is too large'))
          : deps.hosts.saveLabels(write),
    };
    const report = await run(sourceOf(hostNames(1_000)), { hosts, options: DELETE });
    expect(report.summary).toMatchObject({ seen: 1_000, unchanged: 998, failed: 2, archived: 0 });
    expect(report.status).toBe('partial');
    expect(
      withReasons(report.notWritten)
        .map(({ hostname }) => hostname)
        .sort(),
    ).toEqual(['h00123', 'h00700']);
    expect(withReasons(report.notWritten)[0]).toMatchObject({ kind: 'failed', reason: 'the host is too large' });
    expect(await active()).toHaveLength(1_000);
    expect((await storage.logs.latest({ limit: 1 }))[0]?.hasError).toBe(true);
  });

  it('fail the run when it is all of them', async () => {
    const { run, deps } = await world();
    let calls = 0;
    const saveLabels: HostStore['saveLabels'] = () => {
      calls++;
      return Promise.reject(new Error('disk full'));
    };
    const report = await run(sourceOf(hostNames(5_000)), { hosts: { ...deps.hosts, saveLabels } });
    expect(report.status).toBe('failed');
    expect(report.message).toMatch(/refuses every record/);
    expect(calls).toBeLessThan(200);
  });
});

describe('archiving what the source dropped', () => {
  it('happens only when the account wants it', async () => {
    const { run, active } = await world();
    await run(sourceOf(hostNames(10)));
    await run(sourceOf(hostNames(9)));
    expect(await active()).toHaveLength(10);
    const report = await run(sourceOf(hostNames(9)), { options: DELETE });
    expect(report).toMatchObject({ summary: { archived: 1 }, archivedSample: ['h00009'] });
    expect(await active()).toHaveLength(9);
  });

  it('stops at the threshold with numbers', async () => {
    const { run, active } = await world();
    await run(sourceOf(hostNames(964)));
    const report = await run(sourceOf(hostNames(664), hostNames(3_000, 5_000)), { options: DELETE });
    expect(report).toMatchObject({ status: 'failed', summary: { archived: 0, created: 3_000 } });
    expect(report.message).toMatch(/300 of 964 hosts \(31 %\).*threshold is 20 %.*--archive-up-to 300/);
    expect(await active()).toHaveLength(3_964);
    const options = { ...DELETE, delete_threshold_percent: 32 };
    expect((await run(sourceOf(hostNames(664), hostNames(3_000, 5_000)), { options })).status).toBe('done');
  });

  it('may go beyond the threshold once, for as many as a person expects and no more', async () => {
    const { run, active } = await world();
    await run(sourceOf(hostNames(100)));
    const refused = await run(sourceOf(hostNames(39)), { options: DELETE });
    expect(refused).toMatchObject({ status: 'failed', refused: 61 });
    const tooFew = await run(sourceOf(hostNames(38)), { options: DELETE, archiveUpTo: 61 });
    expect(tooFew).toMatchObject({
      status: 'failed',
      refused: 62,
      message: expect.stringContaining('this run may archive 61 at most'),
    });
    expect(await active()).toHaveLength(100);
    const report = await run(sourceOf(hostNames(39)), { options: DELETE, archiveUpTo: 61 });
    expect(report).toMatchObject({ status: 'done', refused: 0, summary: { archived: 61 } });
    // It counts for that run alone.
    expect((await run(sourceOf(hostNames(10)), { options: DELETE })).status).toBe('failed');
  });

  it('spares hosts that the source still names in records it could not use', async () => {
    const { run, active } = await world();
    await run(sourceOf([record('Short', {}), record('Bad', {}), record('ok')]), {
      options: { lowercase_hostname: true },
    });
    const options = { ...DELETE, lowercase_hostname: true, delete_threshold_percent: 100 };
    await run(sourceOf([skipped('too short', 'Short'), record('Bad', { $x: 1 }), record('ok')]), { options });
    expect(await active()).toEqual(['bad', 'ok', 'short']);
  });

  it('spares hosts that would become too large, and what an account adds to them', async () => {
    const { run, labels, fill } = await world();
    const large = { text: 'x'.repeat(1_000) };
    await run(sourceOf(hostNames(10)));
    for (const hostname of ['h00000', 'h00009']) await fill(hostname);
    const own = await run(sourceOf(hostNames(9), [record('h00009', large)]), { options: DELETE });
    expect(own).toMatchObject({ status: 'done', summary: { unchanged: 9, skipped: 1, archived: 0 } });
    const adds = { account: OTHER, options: { mode: 'contribute', precedence: 1 } as const };
    await run(sourceOf([record('h00000', { rack: 1 }), record('h00001', { rack: 1 })]), adds);
    const report = await run(sourceOf([record('h00000', large), record('h00001', { rack: 1 })]), adds);
    expect(report).toMatchObject({ withdrawn: 0, summary: { unchanged: 1, skipped: 1 }, warningsTotal: 0 });
    expect(await labels('h00000')).toEqual({ n: 0, rack: 1 });
  });

  it('does not happen while a template fails for named records', async () => {
    const { run, active } = await world();
    const template = compileHostnameTemplate('{{ HOSTNAME }}.{{ site }}');
    await run(sourceOf([record('a', { site: 'x' }), record('b', { site: 'x' })]), { template });
    const report = await run(sourceOf([record('a', { site: 'x' }), record('b')]), {
      template,
      options: { ...DELETE, delete_threshold_percent: 100 },
    });
    expect(report.status).toBe('failed');
    expect(report.message).toMatch(/rewrite_hostname fails/);
    expect(await active()).toEqual(['a.x', 'b.x']);
  });

  it.each([
    "{{ HOSTNAME }}.{{ site | default('local') }}",
    '{{ HOSTNAME }}{% if site is defined %}.{{ site }}{% endif %}',
    "{{ HOSTNAME }}.{{ attributes.get('site', 'local') }}",
    "{{ HOSTNAME }}{{ '' if not site is defined else '.' ~ site }}",
  ])('does not happen while %s may have made another name of a record that could not be read', async (text) => {
    const { run, active } = await world();
    const template = compileHostnameTemplate(text);
    await run(sourceOf([record('a', { site: 'x' }), record('b', { site: 'x' })]), { template });
    const options = { ...DELETE, delete_threshold_percent: 100 };
    const source = sourceOf([record('a', { site: 'x' }), skipped('lacks a cell', 'b')]);
    const report = await run(source, { template, options });
    expect(report).toMatchObject({ status: 'failed', summary: { archived: 0 } });
    expect(report.message).toContain('or needs fields of them that could not be read');
    expect(await active()).toEqual(['a.x', 'b.x']);
  });

  it.each(['{{ HOSTNAME | lower }}.x', '{{ host }}.x'])(
    'goes on where %s needs nothing but the name of a record that could not be read',
    async (text) => {
      const { run, active } = await world();
      const settings = { template: compileHostnameTemplate(text), hostnameField: 'host' };
      await run(sourceOf([record('a'), record('b'), record('c')]), settings);
      const options = { ...DELETE, delete_threshold_percent: 100 };
      await run(sourceOf([record('a'), skipped('lacks a cell', 'b')]), { ...settings, options });
      expect(await active()).toEqual(['a.x', 'b.x']);
    },
  );

  it('goes on where a template makes a name that no host can have', async () => {
    const { run, active } = await world();
    const template = compileHostnameTemplate('{{ HOSTNAME }}');
    const options = { ...DELETE, delete_threshold_percent: 100 };
    await run(sourceOf([record('a'), record('b')]), { template, options });
    const report = await run(sourceOf([record('a'), record('c/d')]), { template, options });
    expect(report).toMatchObject({ status: 'done', summary: { unchanged: 1, skipped: 1, archived: 1 } });
    expect(await active()).toEqual(['a']);
  });
});

describe('hostnames', () => {
  it('are rewritten by template with the fields of the record', async () => {
    const { run, active } = await world();
    const template = compileHostnameTemplate(
      '{{ HOSTNAME|lower }}-{{ host|length }}.{{ site.name }}.{{ attributes["a/b"] }}',
    );
    await run(sourceOf([record('WEB1', { 'site.name': 'ams', 'site.rack.id': 1, 'a/b': 'x' })]), {
      template,
      hostnameField: 'host',
    });
    expect(await active()).toEqual(['web1-4.ams.x']);
  });

  it('name the record whose rewriting fails or yields nothing', async () => {
    const { run } = await world();
    const template = compileHostnameTemplate('{{ site }}');
    const report = await run(sourceOf([record('a'), record('b', { site: ' ' }), record('c', { site: 'x' })]), {
      template,
    });
    expect(withReasons(report.notWritten).map(({ hostname, reason }) => [hostname, reason.split(':')[0]])).toEqual([
      ['a', 'rewrite_hostname fails for "a"'],
      ['b', 'rewrite_hostname turns "b" into an empty name'],
    ]);
  });

  it('can be held to stricter rules', async () => {
    const { run, active } = await world();
    const names = [
      'ok.example.com',
      'under_score.example.com',
      '-dash.example.com',
      'short',
      '10.0.0.1',
      `${'x'.repeat(64)}.de`,
    ];
    await run(sourceOf(names.map((name) => record(name))), { options: { check_for_valid_hostname: true } });
    expect(await active()).toEqual(['10.0.0.1', 'ok.example.com', 'short']);
    const second = await world();
    await second.run(sourceOf(names.map((name) => record(name))), { options: { require_fqdn: true } });
    expect(await second.active()).not.toContain('short');
    expect(await second.active()).not.toContain('10.0.0.1');
    expect(await second.active()).toContain('under_score.example.com');
  });
});

describe('accounts', () => {
  it('of a master take hosts over', async () => {
    const { run, storage } = await world();
    await run(sourceOf([record('x', { a: 1 })]), { account: OTHER });
    expect((await run(sourceOf([record('x')]))).summary.conflicts).toBe(1);
    expect((await run(sourceOf([record('x')]), { account: { ...WEB, isMaster: true } })).summary.updated).toBe(1);
    expect((await storage.hosts.get('x', null))?.accountId).toBe(WEB.id);
  });

  it('give only the labels they own', async () => {
    const { run, labels } = await world();
    const all = JSON.parse('{"site":1,"net.ip":2,"net.mac":3,"__proto__":4,"other":5}');
    await run(sourceOf([record('x', all)]), { options: { owned_labels: ['site', 'net.*', '!net.mac', '__proto__'] } });
    expect(JSON.stringify(await labels('x'))).toBe('{"site":1,"net.ip":2,"__proto__":4}');
    await run(sourceOf([record('x', all)]), { options: { owned_labels: ['!net.*'] } });
    expect(Object.keys((await labels('x')) as object).sort()).toEqual(['__proto__', 'other', 'site']);
  });

  it('that contribute add labels, lose them again, and create nothing', async () => {
    const { run, labels, storage } = await world();
    await run(sourceOf([record('x', { a: 1 }), record('y', { a: 1 })]), { account: OTHER });
    const options = { mode: 'contribute', precedence: 5 } as const;
    const first = await run(sourceOf([record('x', { b: 2, a: 9 }), record('y', { b: 2 }), record('z')]), { options });
    expect(first.summary).toMatchObject({ seen: 3, updated: 2, created: 0, skipped: 1 });
    expect(withReasons(first.notWritten)[0]).toMatchObject({
      hostname: 'z',
      reason: expect.stringMatching(/the host does not exist/),
    });
    expect(await labels('x')).toEqual({ a: 9, b: 2 });
    expect((await storage.hosts.get('x', null))?.accountId).toBe(OTHER.id);
    const second = await run(sourceOf([record('x', { b: 2, a: 9 }), record('bad/y')]), { options });
    expect(second).toMatchObject({ withdrawn: 1, summary: { unchanged: 1 } });
    expect(await labels('y')).toEqual({ a: 1 });
  });
});

describe('gaps', () => {
  it('keep what was read, archive nothing, and are named in the report and the log', async () => {
    const { run, active, storage } = await world();
    await run(sourceOf(hostNames(3)), { options: DELETE });
    const source = sourceOf([record('h00000', { n: 7 })], [gap()], [record('h00009'), gap('page 3 of 3', 'cut off')]);
    const report = await run(source, { options: DELETE });
    expect(report).toMatchObject({
      status: 'partial',
      gapsTotal: 2,
      summary: { seen: 2, created: 1, updated: 1, archived: 0 },
    });
    expect(report.gaps).toEqual([
      { what: 'page 2 of 3', reason: 'the server answered 500' },
      { what: 'page 3 of 3', reason: 'cut off' },
    ]);
    expect(report.message).toBe(
      '2 records: 1 created, 1 updated; page 2 of 3 could not be read (the server answered 500), nor could 1 more part; nothing was archived',
    );
    expect(await active()).toEqual(['h00000', 'h00001', 'h00002', 'h00009']);
    expect(JSON.stringify(await storage.logs.latest({ limit: 1 }))).toContain(
      'page 2 of 3 could not be read: the server answered 500',
    );
    expect(
      (await run(sourceOf([record('h00000', { n: 7 })]), { options: { ...DELETE, delete_threshold_percent: 100 } }))
        .summary.archived,
    ).toBe(3);
  });

  it('take no contribution back', async () => {
    const { run, labels } = await world();
    await run(sourceOf([record('x', { a: 1 }), record('y', { a: 1 })]), { account: OTHER });
    const options = { mode: 'contribute', precedence: 5 } as const;
    await run(sourceOf([record('x', { b: 2 }), record('y', { b: 2 })]), { options });
    expect(await run(sourceOf([record('x', { b: 2 }), gap()]), { options })).toMatchObject({ withdrawn: 0 });
    expect(await labels('y')).toEqual({ a: 1, b: 2 });
  });

  it('are told from records that an option left out', async () => {
    const { run, active, storage } = await world();
    const leftOut: SourceItem = { kind: 'left_out', count: 2, reason: 'left out by record_filter' };
    await run(sourceOf(hostNames(3)));
    const options = { ...DELETE, delete_threshold_percent: 100 };
    const report = await run(sourceOf([record('h00001', { n: 1 }), leftOut]), { options });
    expect(report).toMatchObject({
      status: 'done',
      message: '1 record: 1 unchanged, 2 archived; 2 records left out by record_filter',
      leftOut: 2,
      summary: { seen: 1, archived: 2 },
    });
    expect(await active()).toEqual(['h00001']);
    expect(JSON.stringify(await storage.logs.latest({ limit: 1 }))).toContain(
      'left out by options or processors: 2 records',
    );
    const none = await run(sourceOf([leftOut]), { options });
    expect(none).toMatchObject({
      status: 'failed',
      message:
        'all 2 records of the source are left out by record_filter; if that is intended, set allow_empty of the account',
    });
    expect(await active()).toEqual(['h00001']);
    expect(await run(sourceOf([leftOut]), { options: { ...options, allow_empty: true } })).toMatchObject({
      leftOut: 2,
    });
    expect(await active()).toEqual([]);
  });

  it('fail the run when there is nothing else', async () => {
    const { run, active } = await world();
    await run(sourceOf(hostNames(3)), { options: DELETE });
    const report = await run(sourceOf([gap()]), { options: { ...DELETE, allow_empty: true } });
    expect(report).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('page 2 of 3 could not be read'),
    });
    expect(await active()).toHaveLength(3);
  });

  it('hide the secrets of the account', async () => {
    const { run } = await world();
    const mask = (text: string) => text.replaceAll('hunter2', '********');
    const report = await run(sourceOf([record('x'), gap('page hunter2', 'no hunter2')]), { mask });
    expect(JSON.stringify(report)).not.toContain('hunter2');
  });
});

describe('inventory sections', () => {
  it('are written with the labels and count as a change', async () => {
    const { run, storage } = await world();
    const withFacts = (kernel: string) => [{ ...record('x', { a: 1 }), inventory: { facts: { kernel } } }] as never;
    expect((await run(sourceOf(withFacts('Linux')))).summary).toMatchObject({ created: 1 });
    expect((await storage.hosts.get('x', null))?.inventory.value).toEqual({ facts: { kernel: 'Linux' } });
    expect((await run(sourceOf(withFacts('Linux')))).summary).toMatchObject({ unchanged: 1 });
    expect((await run(sourceOf(withFacts('BSD')), { dryRun: true })).summary).toMatchObject({ updated: 1 });
    expect((await run(sourceOf(withFacts('BSD')))).summary).toMatchObject({ updated: 1 });
  });
});

describe('dry runs', () => {
  it('answer the summary of the real run, tell the differences, and write nothing', async () => {
    const { run, storage, active } = await world();
    await run(sourceOf([record('foreign')]), { account: OTHER });
    await run(sourceOf([record('a', { x: 1, gone: 'y' }), record('b'), record('dropped')]));
    const revision = (await storage.revisions()).get('hosts');
    const logs = await storage.logs.latest({ limit: 99 });
    const items = [record('a', { x: '1' }), record('b'), record('new', { n: 1 }), record('foreign'), record('a')];
    const settings = { options: { ...DELETE, delete_threshold_percent: 50 } };
    const diffs: HostDiff[] = [];
    const dry = await run(sourceOf(items), { ...settings, dryRun: true, onDiff: (diff) => diffs.push(diff) });
    expect((await storage.revisions()).get('hosts')).toBe(revision);
    expect(await storage.logs.latest({ limit: 99 })).toEqual(logs);
    expect(diffs).toEqual([
      {
        hostname: 'a',
        outcome: 'updated',
        changes: [
          { path: 'labels.gone', before: 'y' },
          { path: 'labels.x', before: 1, after: '1' },
        ],
      },
      { hostname: 'new', outcome: 'created', changes: [{ path: 'labels.n', after: 1 }] },
    ]);
    const real = await run(sourceOf(items), settings);
    expect({ ...real.summary, duration_ms: 0 }).toEqual({ ...dry.summary, duration_ms: 0 });
    expect(dry.archivedSample).toEqual(real.archivedSample);
    expect(await active()).not.toContain('dropped');
  });

  it('refuse as the real run would', async () => {
    const { run } = await world();
    await run(sourceOf(hostNames(10)));
    const dry = await run(sourceOf(hostNames(5)), { options: DELETE, dryRun: true });
    expect(dry.status).toBe('failed');
    expect(dry.message).toMatch(/5 of 10 hosts \(50 %\)/);
  });

  it('of contributing accounts tell what would change', async () => {
    const { run, labels } = await world();
    await run(sourceOf([record('x', { a: 1 })]), { account: OTHER });
    const options = { mode: 'contribute', precedence: 1 } as const;
    const items = [record('x', { b: 2 }), record('nowhere')];
    const diffs: HostDiff[] = [];
    const dry = await run(sourceOf(items), { options, dryRun: true, onDiff: (diff) => diffs.push(diff) });
    expect(await labels('x')).toEqual({ a: 1 });
    expect(diffs).toEqual([{ hostname: 'x', outcome: 'updated', changes: [{ path: 'labels.b', after: 2 }] }]);
    const real = await run(sourceOf(items), { options });
    expect({ ...real.summary, duration_ms: 0 }).toEqual({ ...dry.summary, duration_ms: 0 });
    expect((await run(sourceOf(items), { options, dryRun: true })).summary).toMatchObject({ unchanged: 1, skipped: 1 });
  });

  it('name the section that would change, of own hosts and of those that an account adds to', async () => {
    const { run, storage } = await world();
    const withFacts = (kernel: string) => [{ ...record('x', { a: 1 }), inventory: { facts: { kernel } } }] as never;
    await run(sourceOf(withFacts('Linux')), { account: OTHER });
    const contribute = { options: { mode: 'contribute', precedence: 1 } as const };
    await run(sourceOf(withFacts('Linux')), contribute);
    for (const settings of [{ account: OTHER }, contribute]) {
      const diffs: HostDiff[] = [];
      const onDiff = (diff: HostDiff) => diffs.push(diff);
      const dry = await run(sourceOf(withFacts('BSD')), { ...settings, dryRun: true, onDiff });
      expect(dry.summary).toMatchObject({ updated: 1, unchanged: 0 });
      const change = { path: 'inventory.facts', before: { kernel: 'Linux' }, after: { kernel: 'BSD' } };
      expect(diffs).toEqual([{ hostname: 'x', outcome: 'updated', changes: [change] }]);
    }
    expect((await storage.hosts.get('x', null))?.inventory.value).toEqual({ facts: { kernel: 'Linux' } });
  });

  it('ask again for records that the store refused, as the real run does', async () => {
    const { run, deps } = await world();
    const hosts: ImportDeps['hosts'] = {
      ...deps.hosts,
      async previewLabels(write) {
        if (write.entries.some(({ hostname }) => hostname === 'bad')) throw new Error('refused');
        return deps.hosts.previewLabels(write);
      },
    };
    const dry = await run(sourceOf([record('a'), record('bad'), record('c')]), { hosts, dryRun: true });
    expect(dry.summary).toMatchObject({ created: 2, failed: 1 });
  });
});

describe('dry runs of contributing accounts', () => {
  it.each([
    ['below the owner', -1, 5],
    ['above the owner', 1, 0],
    ['below, and then above', -1, 1],
  ])('tell what becomes visible, as the history of the real run does: %s', async (_, first, then) => {
    const { run, storage } = await world();
    await run(sourceOf([record('x', { site: 'a', own: 1 }), record('y', { site: 'a' })]), { account: OTHER });
    for (const [precedence, records] of [
      [first, [record('x', { site: 'b', rack: 1 }), record('y', { site: 'b' })]],
      [then, [record('x', { site: 'b', rack: 2 }), record('y', { site: 'b' })]],
    ] as const) {
      const options = { mode: 'contribute', precedence } as const;
      const diffs: HostDiff[] = [];
      const dry = await run(sourceOf(records), { options, dryRun: true, onDiff: (diff) => diffs.push(diff) });
      const before = new Map(
        await Promise.all(['x', 'y'].map(async (name) => [name, await storage.history.ofHost(name, 10)] as const)),
      );
      const real = await run(sourceOf(records), { options });
      expect({ ...real.summary, duration_ms: 0 }).toEqual({ ...dry.summary, duration_ms: 0 });
      for (const name of ['x', 'y']) {
        const news = (await storage.history.ofHost(name, 10)).slice(0, -(before.get(name)?.length ?? 0));
        const changes = news.flatMap((entry) => entry.changes).sort((a, b) => (a.path < b.path ? -1 : 1));
        expect(diffs.filter(({ hostname }) => hostname === name).flatMap((diff) => diff.changes)).toEqual(changes);
        expect(diffs.filter(({ hostname }) => hostname === name)).toHaveLength(news.length);
      }
    }
  });

  it('compare what the owner gives where the account owns the host', async () => {
    const { run } = await world();
    await run(sourceOf([record('x', { a: 1 })]));
    const options = { mode: 'contribute', precedence: 1 } as const;
    const dry = await run(sourceOf([record('x', { a: 1 })]), { options, dryRun: true });
    const real = await run(sourceOf([record('x', { a: 1 })]), { options });
    expect({ ...dry.summary, duration_ms: 0 }).toEqual({ ...real.summary, duration_ms: 0 });
    expect(dry.summary).toMatchObject({ unchanged: 1 });
  });
});

describe('reading and writing', () => {
  it('overlap, with at most four batches under way', async () => {
    const { run, deps } = await world();
    let underWay = 0;
    let most = 0;
    const hosts: ImportDeps['hosts'] = {
      ...deps.hosts,
      async saveLabels(write) {
        most = Math.max(most, ++underWay);
        await new Promise((resolve) => setTimeout(resolve, 2));
        underWay--;
        return deps.hosts.saveLabels(write);
      },
    };
    const report = await run(sourceOf(hostNames(6_000)), { hosts });
    expect(report.summary.created).toBe(6_000);
    expect(most).toBe(4);
  });

  it('tell how far they are', async () => {
    const { run } = await world();
    const source: Source = {
      async *read({ progress }) {
        progress(5, 10);
        yield [record('x')];
        progress(10, 10);
      },
    };
    const steps: unknown[] = [];
    await run(source, { progress: (step) => steps.push(step) });
    expect(steps).toEqual([
      { seen: 0, done: 5, total: 10 },
      { seen: 1, done: 10, total: 10 },
    ]);
  });
});
