import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppError, type Storage } from '../../../src/ports/index.ts';
import { createStorage as createMongodb } from '../../adapters/mongodb/harness.ts';
import { createSqlite } from '../../adapters/sqlite/sqlite-harness.ts';
import { EngineHarness } from './engine-harness.ts';

let harness: EngineHarness;

beforeEach(async () => {
  harness = await EngineHarness.create();
});

async function overStorage(change: (storage: Storage) => Partial<Storage>): Promise<void> {
  harness = await EngineHarness.create((storage) => Object.assign(Object.create(storage), change(storage)));
}

describe('an engine that drains', () => {
  it('lets what runs end, and starts neither what waits for its turn nor what is due', async () => {
    const names = ['One', 'Two', 'Three', 'Four'];
    const gates = names.map((name) => harness.gate(name));
    for (const [index, name] of [...names, 'Five'].entries()) await harness.group(name, [name], { sort_field: index });
    const engine = harness.engine();
    const runs = await engine.startDue();
    await Promise.all(gates.map((gate) => gate.beginning()));
    engine.drain();
    for (const gate of gates) gate.open();
    const reports = await Promise.all(runs);
    expect(reports.map((report) => report?.state)).toEqual(['done', 'done', 'done', 'done', undefined]);
    harness.pass(600);
    expect(await engine.startDue()).toEqual([]);
    expect(harness.events).toEqual(names);
    // Another node takes over.
    expect(await harness.engine('other').startDue()).toHaveLength(5);
    for (const gate of gates) gate.open();
  });
});

describe('a pass', () => {
  it('runs what is due, in the order of sort_field, and the jobs of a group in theirs', async () => {
    await harness.group('last', ['Six'], { sort_field: 3 });
    await harness.group('first', ['One', 'Two'], { sort_field: 1 });
    await harness.group('second', ['Three', 'Four'], { sort_field: 2 });
    const reports = await harness.engine().runDue();
    expect(reports.map(({ group, state }) => [group, state])).toEqual([
      ['first', 'done'],
      ['second', 'done'],
      ['last', 'done'],
    ]);
    const { events } = harness;
    expect(['One', 'Three', 'Six'].map((job) => events.indexOf(job))).toEqual([0, 1, 2]);
    expect(events.indexOf('Two')).toBeGreaterThan(events.indexOf('One'));
    expect(events.indexOf('Four')).toBeGreaterThan(events.indexOf('Three'));
    expect(events).toHaveLength(5);
  });

  it('lets more groups than four wait for their turn, in their order', async () => {
    const names = ['One', 'Two', 'Three', 'Four', 'Five'];
    const gates = new Map(names.map((name) => [name, harness.gate(name)]));
    for (const [index, name] of ['One', 'Two', 'Three', 'Four', 'Five', 'Six'].entries()) {
      await harness.group(name, [name], { sort_field: index });
    }
    const engine = harness.engine();
    const runs = await engine.startDue();
    await Promise.all(names.slice(0, 4).map((name) => gates.get(name)?.beginning()));
    expect(harness.events).toEqual(['One', 'Two', 'Three', 'Four']);
    gates.get('Three')?.open();
    await gates.get('Five')?.beginning();
    expect(harness.events).toEqual(['One', 'Two', 'Three', 'Four', 'Five']);
    for (const gate of gates.values()) gate.open();
    await Promise.all(runs);
    expect(harness.events.at(-1)).toBe('Six');
  });

  it.each([
    ['goes before', 9, ['Six', 'Five']],
    ['goes behind', 11, ['Five', 'Six']],
  ])(
    'a group that is requested %s one that has been waiting for its turn for %i minutes',
    async (_, minutes, order) => {
      const gates = ['One', 'Two', 'Three', 'Four'].map((name) => harness.gate(name));
      for (const [index, name] of ['One', 'Two', 'Three', 'Four', 'Five'].entries())
        await harness.group(name, [name], { sort_field: index });
      const engine = harness.engine();
      const runs = await engine.startDue();
      await Promise.all(gates.map((gate) => gate.beginning()));
      harness.pass(minutes);
      await harness.request(await harness.group('asked', ['Six']));
      const asked = await engine.startDue();
      gates[0]?.open();
      await vi.waitFor(() => expect(harness.events.slice(4)).toEqual(order));
      for (const gate of gates) gate.open();
      await Promise.all([...runs, ...asked]);
    },
  );

  it('lets a group go ahead that is requested while it waits for its turn', async () => {
    const gates = ['One', 'Two', 'Three', 'Four'].map((name) => harness.gate(name));
    let last = '';
    for (const [index, name] of ['One', 'Two', 'Three', 'Four', 'Five', 'Six'].entries())
      last = await harness.group(name, [name], { sort_field: index });
    const engine = harness.engine();
    const runs = await engine.startDue();
    await Promise.all(gates.map((gate) => gate.beginning()));
    await harness.request(last);
    expect(await engine.startDue()).toEqual([]);
    gates[0]?.open();
    await vi.waitFor(() => expect(harness.events.slice(4)).toEqual(['Six', 'Five']));
    for (const gate of gates) gate.open();
    await Promise.all(runs);
  });

  it('does nothing again until the interval is over', async () => {
    await harness.group('hourly', ['One']);
    const engine = harness.engine();
    await engine.runDue();
    harness.pass(59);
    expect(await engine.runDue()).toEqual([]);
    harness.pass(1);
    expect(await engine.runDue()).toHaveLength(1);
    expect(harness.events).toEqual(['One', 'One']);
  });

  it('loses no time to reading: ten minutes are ten passes of a minute', async () => {
    await harness.group('often', ['One'], { interval: '10min' });
    const { cron } = harness.storage;
    const { states } = cron;
    const second = 1 / 60;
    cron.states = async () => {
      harness.pass(0.02 * second);
      return states();
    };
    const engine = harness.engine();
    // Timers of a process are some milliseconds late, and the clock of the machine is put right now and then.
    const off = [0, 3, 1, -40, 0, 2];
    let next = harness.now().getTime();
    for (let pass = 0; pass <= 50; pass++) {
      const moment = next + (off[pass % off.length] ?? 0);
      harness.pass((moment - harness.now().getTime()) / 60_000);
      await engine.runDue();
      next += 60_000;
    }
    expect(harness.events).toHaveLength(6);
  });

  it('passes over what is disabled', async () => {
    await harness.group('off', ['One'], { enabled: false, run_once_next: true });
    expect(await harness.engine().runDue()).toEqual([]);
    expect(harness.events).toEqual([]);
  });

  it('looks at a group again when its turn comes', async () => {
    const gates = ['One', 'Two', 'Three', 'Four'].map((name) => harness.gate(name));
    for (const name of ['One', 'Two', 'Three', 'Four']) await harness.group(name, [name]);
    await harness.group('late', ['Five'], { sort_field: 9 });
    await harness.group('later', ['Six'], { sort_field: 10 });
    const engine = harness.engine();
    const runs = await engine.startDue();
    await Promise.all(gates.map((gate) => gate.beginning()));
    await harness.group('late', ['Five'], { sort_field: 9, enabled: false });
    await harness.group('later', ['Five'], { sort_field: 10 });
    for (const gate of gates) gate.open();
    const reports = await Promise.all(runs);
    expect(reports.map((report) => report?.group).sort()).toEqual(['Four', 'One', 'Three', 'Two', 'later', undefined]);
    expect(harness.events.slice(4)).toEqual(['Five']);
  });

  it('forgets groups that are gone', async () => {
    const id = await harness.group('gone', ['One']);
    await harness.group('here', ['Two']);
    const engine = harness.engine();
    await engine.runDue();
    await harness.storage.rules.remove({
      type: 'cron_groups',
      id,
      at: harness.now(),
      actor: { kind: 'system', name: 'test' },
    });
    await engine.runDue();
    expect(await harness.state(id)).toBeUndefined();
    expect(await harness.storage.cron.states()).toHaveLength(1);
  });
});

describe('a job that fails', () => {
  it('ends its group, and no other', async () => {
    harness.job('One', () => {
      throw new AppError('failed', 'the source is away; look at it');
    });
    await harness.group('broken', ['One', 'Two', 'Three'], { sort_field: 1 });
    await harness.group('whole', ['Four'], { sort_field: 2 });
    const [broken, whole] = await harness.engine().runDue();
    expect(broken).toMatchObject({
      state: 'failed',
      message: 'one: the source is away; look at it; 2 jobs after it not run',
      jobs: [{ name: 'one', failed: true }],
    });
    expect(whole).toMatchObject({ state: 'done', message: 'four: fine' });
    expect(harness.events).toEqual(['One', 'Four']);
    expect(await harness.status('broken')).toMatchObject({
      has_error: true,
      is_running: false,
      last_message: broken?.message,
      last_start: '2026-06-01 12:00:00',
      next_run: '2026-06-01 13:00:00',
    });
    expect(await harness.status('whole')).toMatchObject({ has_error: false, last_message: 'four: fine' });
  });

  it('does not end a group that continues on errors', async () => {
    harness.job('One', () => ({ failed: true, message: 'nothing found' }));
    await harness.group('stubborn', ['One', 'Two'], { continue_on_error: true });
    const [report] = await harness.engine().runDue();
    expect(harness.events).toEqual(['One', 'Two']);
    expect(report).toMatchObject({ state: 'failed', message: 'one: nothing found' });
    expect((await harness.status('stubborn')).has_error).toBe(true);
  });

  it('writes what happened to the log, also what went well', async () => {
    harness.job('One', () => ({ message: '3 records', details: [{ level: 'warning', message: 'line 4 skipped' }] }));
    harness.job('Two', () => ({ failed: true, message: 'away' }));
    await harness.group('nightly', ['One', 'Two']);
    await harness.engine().runDue();
    expect(await harness.storage.logs.latest({ limit: 9 })).toMatchObject([
      {
        source: 'cron:nightly',
        message: 'Cron group nightly failed',
        hasError: true,
        details: [
          { level: 'info', message: 'one: 3 records' },
          { level: 'warning', message: 'line 4 skipped' },
          { level: 'error', message: 'two: away' },
        ],
      },
    ]);
  });

  it('writes it, once, where the storage does not answer for a moment', async () => {
    const { logs } = harness.storage;
    const append = logs.append.bind(logs);
    const away = () => Promise.reject(new AppError('unavailable', 'away'));
    vi.spyOn(logs, 'append')
      .mockImplementationOnce(async (entry) => {
        await append(entry);
        return away();
      })
      .mockImplementationOnce(away);
    vi.spyOn(harness.storage.cron, 'finish').mockImplementationOnce(away);
    await harness.group('nightly', ['One']);
    expect(await harness.engine().runDue()).toMatchObject([{ state: 'done' }]);
    expect(await logs.latest({ limit: 9 })).toMatchObject([{ source: 'cron:nightly' }]);
    expect(harness.problems).toEqual([]);
  });

  it('that nobody registered is named, with what there is', async () => {
    await harness.group('typo', ['Tow']);
    const [report] = await harness.engine().runDue();
    expect(report?.state).toBe('failed');
    expect(report?.message).toMatch(/"Tow" is not a registered job; registered jobs: .*Two/);
  });

  it.each([
    ['no account', undefined, /needs an account/],
    ['an account that is not there', 'nobody', /there is no account nobody/],
  ])('for %s says so', async (_what, account, message) => {
    const job = { command: 'Load', ...(account === undefined ? {} : { account }) };
    await harness.group('loads', [], { jobs: [job] });
    const [report] = await harness.engine().runDue();
    expect(report?.message).toMatch(message);
    expect(harness.events).toEqual([]);
  });

  it.each([
    new Error('secret detail'),
    new AppError('internal', 'secret detail'),
    'secret detail',
    undefined,
    null,
    { message: 'secret detail' },
    Object.create(null),
  ])('with something odd (%#) tells the log and not the operators', async (thrown) => {
    harness.job('One', () => Promise.reject(thrown));
    await harness.group('odd', ['One']);
    const [report] = await harness.engine().runDue();
    expect(report?.state).toBe('failed');
    expect(report?.message).not.toContain('secret detail');
    expect(harness.problems).toEqual(['cron job failed']);
  });

  it.each([
    [42, 'done'],
    ['text', 'done'],
    [{}, 'done'],
    [{ message: 7, details: 'none' }, 'done'],
    [{ message: 'ok', details: [null, { level: 'loud', message: 'x' }, { level: 'info', message: 3 }] }, 'ok'],
  ])('is none that answers %j', async (answer, message) => {
    harness.job('One', () => answer);
    await harness.group('odd', ['One']);
    const [report] = await harness.engine().runDue();
    expect(report).toMatchObject({ state: 'done', message: `one: ${message}` });
    const [entry] = await harness.storage.logs.latest({ limit: 1 });
    expect(entry?.details).toMatchObject([{ level: 'info', message: `one: ${message}` }]);
  });

  it('has its message shortened in the status, not in the log', async () => {
    harness.job('One', () => ({ message: 'x'.repeat(50_000) }));
    await harness.group('long', ['One']);
    await harness.engine().runDue();
    expect((await harness.status('long')).last_message.length).toBeLessThan(3000);
    const [entry] = await harness.storage.logs.latest({ limit: 1 });
    expect(entry?.details[0]?.message).toHaveLength(50_005);
  });
});

describe('jobs', () => {
  it('get the name of their account, whether the group names it or its id', async () => {
    const id = await harness.put('accounts', 'crm', { type: 'api' });
    const jobs = [
      { command: 'Load', account: 'crm' },
      { command: 'load', account: { $oid: id } },
      { command: 'One', account: 'crm' },
    ];
    await harness.group('loads', [], { jobs });
    await harness.engine().runDue();
    expect(harness.events).toEqual(['Load crm', 'Load crm', 'One']);
  });

  it('call operations, whose failures they pass on', async () => {
    const calls: unknown[] = [];
    harness.callOperation = async (name, input, { signal }) => {
      calls.push([name, input, signal.aborted]);
      throw new AppError('not_found', 'there is no operation x');
    };
    harness.job('One', ({ operation }) => operation('x', { a: 1 }));
    await harness.group('calls', ['One']);
    const [report] = await harness.engine().runDue();
    expect(calls).toEqual([['x', { a: 1 }, false]]);
    expect(report?.message).toBe('one: there is no operation x');
  });

  it('that are none make an empty run', async () => {
    await harness.group('empty', []);
    const [report] = await harness.engine().runDue();
    expect(report).toEqual({ group: 'empty', state: 'done', message: 'the group has no jobs', jobs: [] });
  });
});

describe('a request', () => {
  it.each([
    ['memory', undefined],
    ['SQLite', createSqlite],
    ['MongoDB', createMongodb],
  ])('in %s is cleared before the jobs begin, so that one during the run gives another run', async (_, open) => {
    const opened = await open?.();
    if (opened !== undefined) {
      onTestFinished(() => opened.close());
      harness = await EngineHarness.create(() => opened.storage);
    }
    const id = await harness.group('asked', ['One'], { custom_interval_in_minutes: 1000 });
    const engine = harness.engine();
    await engine.runDue();
    await harness.request(id);
    const flag = async () => (await harness.storage.rules.get('cron_groups', id))?.document.value.run_once_next;
    const gate = harness.gate('One');
    const [run] = await engine.startDue();
    await gate.beginning();
    expect(await flag()).toBe(false);
    await harness.request(id);
    expect(await engine.startDue()).toEqual([]);
    gate.open();
    await run;
    expect(await flag()).toBe(true);
    const [again] = await engine.startDue();
    await gate.beginning();
    gate.open();
    expect(await again).toMatchObject({ state: 'done' });
    expect(await flag()).toBe(false);
    expect(await engine.runDue()).toEqual([]);
    expect(gate.begun).toBe(2);
  });

  it('that is taken back before the pass starts nothing', async () => {
    const id = await harness.group('asked', ['One'], { custom_interval_in_minutes: 1000 });
    const engine = harness.engine();
    await engine.runDue();
    await harness.request(id);
    await harness.group('asked', ['One'], { custom_interval_in_minutes: 1000, run_once_next: false });
    expect(await engine.runDue()).toEqual([]);
  });

  it('keeps other changes of the group that come at the same time', async () => {
    const id = await harness.group('asked', ['One'], { run_once_next: true, note: 'before' });
    await overRules();
    const engine = harness.engine();
    await engine.runDue();
    expect((await harness.storage.rules.get('cron_groups', id))?.document.value).toMatchObject({
      run_once_next: false,
      note: 'after',
    });

    /** Somebody changes the document between reading and writing. */
    async function overRules(): Promise<void> {
      const { rules } = harness.storage;
      const { replace } = rules;
      let changed = false;
      rules.replace = async (request) => {
        if (!changed) {
          changed = true;
          await harness.group('asked', ['One'], { run_once_next: true, note: 'after' });
        }
        return replace.call(rules, request);
      };
    }
  });

  it.each([1, 2, 3, 4])(
    'is answered by one run, also by an engine that is late by the time after its read %i',
    async (at) => {
      const id = await harness.group('asked', ['One'], { custom_interval_in_minutes: 1000 });
      const first = harness.engine('node1');
      const second = harness.engine('node2');
      await first.runDue();
      harness.pass(1);
      await harness.request(id);
      let reads = 0;
      const meanwhile = async <T>(answer: Promise<T>): Promise<T> => {
        const read = await answer;
        if (++reads === at) await first.runDue();
        return read;
      };
      const { storage } = harness;
      const { cron } = storage;
      const { states } = cron;
      const revisions = storage.revisions.bind(storage);
      cron.states = () => meanwhile(states());
      storage.revisions = () => meanwhile(revisions());
      await second.runDue();
      expect(reads).toBeGreaterThanOrEqual(at);
      expect(harness.events).toEqual(['One', 'One']);
    },
  );
});

describe('two engines on one store', () => {
  it('never run a group at once, nor twice', async () => {
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Six']) await harness.group(name, [name]);
    let running = 0;
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Six']) {
      let inside = 0;
      harness.job(name, async () => {
        expect(++inside).toBe(1);
        running++;
        await new Promise((resolve) => setImmediate(resolve));
        inside--;
      });
    }
    const engines = ['node1', 'node2', 'node3'].map((name) => harness.engine(name));
    for (let round = 1; round <= 20; round++) {
      const reports = await Promise.all(engines.flatMap((engine) => [engine.runDue(), engine.runDue()]));
      expect(reports.flat()).toHaveLength(6);
      expect(running).toBe(6 * round);
      harness.pass(60);
    }
  });

  it('show the same group as running', async () => {
    const id = await harness.group('slow', ['One']);
    const gate = harness.gate('One');
    const [run] = await harness.engine('node1').startDue();
    await gate.beginning();
    expect(await harness.engine('node2').runDue()).toEqual([]);
    expect(await harness.status('slow')).toMatchObject({ is_running: true, last_message: '' });
    expect(await harness.state(id)).toMatchObject({ isHeld: true });
    gate.open();
    await run;
    expect((await harness.status('slow')).is_running).toBe(false);
  });
});

describe('a holder that died', () => {
  it('on this machine is replaced at once', async () => {
    const id = await harness.group('torn', ['One']);
    await harness.hold(id, 'node0/1');
    const engine = harness.engine();
    expect(await engine.runDue()).toEqual([]);
    harness.dead.add('node0');
    expect((await engine.states()).get(id)).toMatchObject({ isHeld: false });
    expect(await harness.status('torn')).toMatchObject({
      is_running: false,
      has_error: true,
      last_message: 'the last run was interrupted before it ended',
    });
    expect(await engine.runDue()).toMatchObject([{ group: 'torn', state: 'done' }]);
    expect(await harness.status('torn')).toMatchObject({ has_error: false, last_message: 'one: fine' });
  });

  it('elsewhere is replaced when its lease is over, not before', async () => {
    const id = await harness.group('torn', ['One']);
    await harness.hold(id, 'elsewhere/1');
    const engine = harness.engine();
    harness.pass(14 / 60);
    expect(await engine.runDue()).toEqual([]);
    harness.pass(1 / 60);
    expect(await engine.runDue()).toHaveLength(1);
  });

  it('is replaced twice; what kills every holder waits for its schedule', async () => {
    const id = await harness.group('killer', ['One']);
    const engine = harness.engine();
    for (const holder of ['a', 'b', 'c']) {
      await harness.hold(id, `${holder}/1`);
      harness.dead.add(holder);
      harness.pass(1);
    }
    expect(await engine.runDue()).toEqual([]);
    expect(await harness.state(id)).toMatchObject({ attempts: 3, isHeld: false });
    harness.pass(58);
    expect(await engine.runDue()).toEqual([]);
    harness.pass(1);
    expect(await engine.runDue()).toHaveLength(1);
    expect(await harness.state(id)).toMatchObject({ attempts: 0 });
  });

  it('over a request is replaced outside of the window too', async () => {
    const id = await harness.group('asked', ['One'], { timerange_from: 1, timerange_to: 2, run_once_next: true });
    const engine = harness.engine();
    const gate = harness.gate('One');
    const [run] = await engine.startDue();
    await gate.beginning();
    harness.dead.add('node1');
    const other = harness.engine('node2');
    const [again] = await other.startDue();
    await gate.beginning();
    expect(await harness.state(id)).toMatchObject({ requested: true, attempts: 2 });
    gate.open();
    expect(await again).toMatchObject({ state: 'done' });
    void run;
  });
});

describe('a service that stops', () => {
  it('cuts its runs off; the next one begins them again', async () => {
    const id = await harness.group('long', ['One', 'Two']);
    harness.job(
      'One',
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    // More often than a run is begun again that dies: stops in good order do not count.
    for (let round = 1; round <= 5; round++) {
      const engine = harness.engine(`node${round}`);
      const [run] = await engine.startDue();
      while (harness.events.length < round) await new Promise((resolve) => setImmediate(resolve));
      await engine.stop();
      await engine.stop();
      expect(await run).toMatchObject({ state: 'stopped' });
      expect(harness.events).toEqual(Array(round).fill('One'));
      expect(await harness.state(id)).toMatchObject({ isHeld: false, attempts: 0 });
      expect(await engine.runDue()).toEqual([]);
    }
    harness.job('One', () => ({ message: 'whole' }));
    expect(await harness.engine('last').runDue()).toMatchObject([{ message: 'one: whole; two: fine' }]);
  });

  it('starts nothing that waited for its turn', async () => {
    const gates = ['One', 'Two', 'Three', 'Four'].map((name) => harness.gate(name));
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five'])
      await harness.group(name, [name], { sort_field: name === 'Five' ? 1 : 0 });
    const engine = harness.engine();
    const runs = await engine.startDue();
    await Promise.all(gates.map((gate) => gate.beginning()));
    const stopped = engine.stop();
    for (const gate of gates) gate.open();
    await stopped;
    expect((await Promise.all(runs)).at(-1)).toBeUndefined();
    expect(harness.events).not.toContain('Five');
  });
});

describe('a storage that fails', () => {
  it("in the pass is the caller's to know", async () => {
    await overStorage(({ cron }) => ({
      cron: { ...cron, states: () => Promise.reject(new AppError('unavailable', 'the database is away')) },
    }));
    await harness.group('any', ['One']);
    await expect(harness.engine().runDue()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('when a group is taken lets the others run', async () => {
    let calls = 0;
    await overStorage(({ cron }) => ({
      cron: {
        ...cron,
        claim: (claim) => (calls++ === 0 ? Promise.reject(new AppError('unavailable', 'away')) : cron.claim(claim)),
      },
    }));
    await harness.group('first', ['One'], { sort_field: 1 });
    await harness.group('second', ['Two'], { sort_field: 2 });
    const engine = harness.engine();
    expect((await engine.runDue()).map(({ state }) => state)).toEqual(['failed', 'done']);
    expect(harness.events).toEqual(['Two']);
    expect(await engine.runDue()).toMatchObject([{ group: 'first', state: 'done' }]);
  });

  it('in the log does not make the work be done again', async () => {
    await overStorage(({ logs }) => ({
      logs: { ...logs, append: () => Promise.reject(new AppError('unavailable', 'away')) },
    }));
    const id = await harness.group('group', ['One']);
    const engine = harness.engine();
    expect(await engine.runDue()).toMatchObject([{ state: 'done' }]);
    expect(await harness.state(id)).toMatchObject({ holder: null, attempts: 0, message: 'one: fine' });
    harness.pass(30);
    expect(await engine.runDue()).toEqual([]);
    expect(harness.problems).toContain('the log of a cron group could not be written');
  });

  it('at the end leaves a run that is begun again when the lease is over', async () => {
    let failing = true;
    await overStorage(({ cron }) => ({
      cron: {
        ...cron,
        finish: (end) => (failing ? Promise.reject(new AppError('unavailable', 'away')) : cron.finish(end)),
      },
    }));
    const id = await harness.group('group', ['One']);
    const engine = harness.engine();
    expect(await engine.runDue()).toMatchObject([{ state: 'failed' }]);
    failing = false;
    expect(await engine.runDue()).toEqual([]);
    harness.pass(1);
    expect(await engine.runDue()).toMatchObject([{ state: 'done' }]);
    expect(await harness.state(id)).toMatchObject({ holder: null });
  });
});
