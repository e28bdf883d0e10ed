import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AppError,
  type HostRecord,
  StoredJson,
  type Target,
  type TargetHost,
  type TargetRun,
} from '../../../src/ports/index.ts';
import { type ExportWorld, exportWorld, hostname, labelsAsVariables, targetOf } from './support.ts';

const writeAll = targetOf((host, run) => run.written(host));

/** A target that plain JavaScript could be. */
function careless(write: (hosts: AsyncIterable<readonly TargetHost[]>, run: TargetRun) => unknown): Target {
  return { write: write as Target['write'] };
}

async function takeAll(hosts: AsyncIterable<readonly TargetHost[]>): Promise<TargetHost[]> {
  const all: TargetHost[] = [];
  for await (const batch of hosts) all.push(...batch);
  return all;
}

describe('an export', () => {
  it('hands over every host once, by hostname, in batches, and counts what happened to them', async () => {
    const world = await exportWorld(1_001);
    const names: string[] = [];
    const sizes: number[] = [];
    const report = await world.run({
      async write(hosts, run) {
        for await (const batch of hosts) {
          sizes.push(batch.length);
          for (const host of batch) {
            names.push(host.hostname);
            if (host.variables.value.n === 7) run.failed(host, 'is refused');
            else if (host.variables.value.n === 8) run.unchanged(host);
            else run.written(host);
          }
        }
        return {};
      },
    });
    expect(names).toEqual(Array.from({ length: 1_001 }, (_, index) => hostname(index)));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(250);
    expect(report).toMatchObject({
      status: 'partial',
      summary: { seen: 1_001, written: 999, unchanged: 1, failed: 1 },
      failures: [{ hostname: 'h00007', reason: 'is refused' }],
      failuresTotal: 1,
    });
  });

  it('says of hosts that nobody could decide on that they are missing', async () => {
    const world = await exportWorld(3);
    const evaluator = labelsAsVariables();
    const undecided = (host: HostRecord) =>
      host.hostname === 'h00001'
        ? { ...evaluator.evaluate(host), included: false, undecided: true }
        : evaluator.evaluate(host);
    const missing: number[] = [];
    const target: Target = {
      async write(hosts, run) {
        for (const host of await takeAll(hosts)) run.written(host);
        missing.push(run.undecided());
        return {};
      },
    };
    const report = await world.run(target, { opened: { evaluator: { ...evaluator, evaluate: undecided } } });
    await world.run(target);
    expect(missing).toEqual([1, 0]);
    expect(report).toMatchObject({ status: 'partial', failures: [{ hostname: 'h00001' }] });
  });

  it('makes the next batch only when it is asked for', async () => {
    const world = await exportWorld(1_000);
    let evaluated = 0;
    const evaluator = labelsAsVariables();
    const counting = {
      ...evaluator,
      evaluate(host: HostRecord) {
        evaluated++;
        return evaluator.evaluate(host);
      },
    };
    const seen: number[] = [];
    await world.run(
      {
        async write(hosts, run) {
          for await (const batch of hosts) {
            await new Promise((resolve) => setTimeout(resolve, 5));
            seen.push(evaluated);
            for (const host of batch) run.written(host);
          }
          return {};
        },
      },
      { opened: { evaluator: counting } },
    );
    expect(seen).toEqual([250, 500, 750, 1_000]);
  });

  it('hands over no host that a filter took out', async () => {
    const world = await exportWorld(3);
    await world.storage.hosts.saveLabels({
      account: { id: 'a'.repeat(24), isObject: false, objectType: 'host' },
      entries: [{ hostname: hostname(1), labels: StoredJson.ofValue({ hidden: true }) }],
      at: new Date(Date.UTC(2026, 0, 1)),
      actor: { kind: 'account', name: 'test' },
    });
    expect(await world.run(writeAll)).toMatchObject({ status: 'done', summary: { seen: 2, written: 2 } });
  });

  it('counts the hosts that are not reported singly as the target answers', async () => {
    const world = await exportWorld(5);
    const one = (host: TargetHost, run: TargetRun) => host.hostname === 'h00002' && run.failed(host, 'no');
    expect((await world.run(targetOf(one, () => ({ others: 'unchanged' })))).summary).toMatchObject({
      written: 0,
      unchanged: 4,
      failed: 1,
    });
  });

  it('is in the log, with an error where there is one', async () => {
    const world = await exportWorld(120);
    await world.run(writeAll);
    await world.run(targetOf((host, run) => run.failed(host, 'is full')));
    await world.run(careless(() => Promise.reject(new Error('is gone'))));
    const entries = await world.logs();
    expect(entries.map(({ source, hasError }) => [source, hasError])).toEqual([
      ['export:there', true],
      ['export:there', true],
      ['export:there', false],
    ]);
    expect(entries[0]?.message).toMatch(/^Export of there failed: plugin sample: .*is gone/);
    expect(entries[1]?.details.filter(({ level }) => level === 'error')).toHaveLength(101);
    expect(entries[1]?.details.at(-1)?.message).toBe('20 more hosts failed');
  });

  it('in a dry run says so to the target and writes no log entry', async () => {
    const world = await exportWorld(2);
    const dry: boolean[] = [];
    const report = await world.run(
      targetOf((host, run) => {
        dry.push(run.dryRun);
        run.written(host);
      }),
      { dryRun: true },
    );
    expect(report).toMatchObject({ status: 'done', summary: { written: 2 }, message: '2 hosts: 2 would be written' });
    expect(dry).toEqual([true, true]);
    expect(await world.logs()).toEqual([]);
  });

  it('shows how files would begin, and no secret of the account in half', async () => {
    const world = await exportWorld(1);
    const begins = async (beginning: string, dryRun = true) => {
      const target = {
        async write(hosts: AsyncIterable<readonly unknown[]>) {
          for await (const _ of hosts);
          return { others: 'written' as const, documents: [{ name: 'f', change: 'created' as const, beginning }] };
        },
      };
      return (await world.run(target, { dryRun })).documents?.[0]?.beginning;
    };
    expect(await begins('a hunter2 b')).toBe('a *** b');
    expect(await begins('a hunter2 b', false)).toBeUndefined();
    expect(await begins(`${'x'.repeat(1_997)}hunter2 and more`)).toBe(`${'x'.repeat(1_997)}***`);
    // Masked texts are shorter: what was cut at its end comes near to the beginning.
    const cut = `${'hunter2'.repeat(2_857)}h`;
    expect(cut).toHaveLength(20_000);
    expect(await begins(cut)).not.toMatch(/h/);
  });

  it('tells how far it is', async () => {
    const world = await exportWorld(600);
    const states: [number, number, string][] = [];
    const target = targetOf((host, run) => {
      run.written(host);
      if (host.hostname === 'h00599') run.progress('commits');
    });
    await world.run(target, { progress: ({ done, total, note }) => states.push([done, total, note]) });
    expect(states).toEqual([
      [250, 600, '0 written'],
      [500, 600, '250 written'],
      [600, 600, '500 written'],
      [600, 600, 'commits'],
    ]);
  });

  it('of nothing fails, unless the account allows it', async () => {
    const world = await exportWorld(0);
    let ended = false;
    const target = careless(async (hosts) => {
      await takeAll(hosts);
      ended = true;
    });
    expect(await world.run(target)).toMatchObject({ status: 'failed', message: expect.stringMatching(/allow_empty/) });
    expect(ended).toBe(false);
    const allowed = { options: { project: '', allow_empty: true, runs_at: '' } };
    expect(await world.run(target, { opened: allowed })).toMatchObject({ status: 'done', summary: { seen: 0 } });
    expect(ended).toBe(true);
  });
});

describe('a target', () => {
  const plugin = /^plugin sample: export to account there /;

  async function failureOf(target: Target, settings: Parameters<ExportWorld['run']>[1] = {}) {
    const world = await exportWorld(600);
    const report = await world.run(target, settings);
    expect(report.status).toBe('failed');
    const [entry] = await world.logs();
    expect(entry).toMatchObject({ source: 'export:there', hasError: true });
    return report;
  }

  it('that throws is a failed run that names plugin and account', async () => {
    for (const thrown of [new Error('no route'), new AppError('failed', 'no route'), 'no route']) {
      const { message } = await failureOf(careless(() => Promise.reject(thrown)));
      expect(message).toMatch(plugin);
      expect(message).toMatch(/no route$/);
    }
    const now = careless(() => {
      throw new Error('no route');
    });
    expect((await failureOf(now)).message).toMatch(/no route$/);
  });

  it('that throws in the middle keeps its counts', async () => {
    let left = 300;
    const target = targetOf((host, run) => {
      if (left-- === 0) throw new Error('is full');
      run.written(host);
    });
    expect((await failureOf(target)).summary).toMatchObject({ seen: 500, written: 300 });
  });

  it.each([
    ['takes no host', () => new Promise(() => undefined)],
    ['hangs with a batch', targetOf(() => new Promise(() => undefined)).write],
    [
      'hangs at the end',
      async (hosts: AsyncIterable<readonly TargetHost[]>) => {
        await takeAll(hosts);
        await new Promise(() => undefined);
      },
    ],
  ])('that %s is given up', async (_, write) => {
    let signal: AbortSignal | undefined;
    const target = careless((hosts, run) => {
      signal = run.signal;
      return write(hosts, run as never);
    });
    const { message } = await failureOf(target, { timeoutSeconds: 0.05 });
    expect(message).toMatch(plugin);
    expect(message).toMatch(/no progress for 0.05 seconds/);
    expect(signal?.aborted).toBe(true);
  });

  it('may take long as long as it does something', async () => {
    const world = await exportWorld(4);
    const target = careless(async (hosts, run) => {
      for (const host of await takeAll(hosts)) {
        await new Promise((resolve) => setTimeout(resolve, 150));
        run.written(host);
      }
      for (let step = 0; step < 4; step++) {
        await new Promise((resolve) => setTimeout(resolve, 150));
        run.progress();
      }
    });
    expect(await world.run(target, { timeoutSeconds: 0.5 })).toMatchObject({ status: 'done' });
  });

  it('is not blamed for a store that is slow', async () => {
    const world = await exportWorld(2);
    const { hosts } = world.storage;
    const slow = {
      count: hosts.count.bind(hosts),
      async *scan(...parameters: Parameters<typeof hosts.scan>) {
        await new Promise((resolve) => setTimeout(resolve, 300));
        yield* hosts.scan(...parameters);
      },
    };
    expect(await world.run(writeAll, { hosts: slow, timeoutSeconds: 0.1 })).toMatchObject({ status: 'done' });
  });

  it.each<[string, RegExp, Target]>([
    [
      'reports a host twice',
      /"h00000"/,
      targetOf((host, run) => {
        run.written(host);
        run.unchanged(host);
      }),
    ],
    ['reports a host that it made itself', /"h00000"/, targetOf((host, run) => run.written({ ...host }))],
    ['reports a name', /"h00000"/, targetOf((host, run) => run.written(host.hostname as never))],
    ['reports nothing', /something/, targetOf((_, run) => run.written(undefined as never))],
    [
      'swallows that',
      /"h00000"/,
      targetOf((host, run) => {
        try {
          run.written({ ...host });
        } catch {
          run.written(host);
        }
      }),
    ],
    [
      'leaves a host out',
      /did not report 1 host as/,
      targetOf((host, run) => host.hostname === 'h00003' || run.written(host)),
    ],
    [
      'answers a text',
      /others/,
      targetOf(
        (host, run) => run.written(host),
        () => 'done' as never,
      ),
    ],
    [
      'answers another outcome',
      /others/,
      targetOf(
        () => undefined,
        () => ({ others: 'fine' }),
      ),
    ],
    ['takes no host and ends', /before it had taken every host/, careless(() => undefined)],
    [
      'ends early',
      /before it had taken every host/,
      careless(async (hosts, run) => {
        for await (const batch of hosts) {
          for (const host of batch) run.written(host);
          break;
        }
      }),
    ],
  ])('that %s is a failed run', async (_, message, target) => {
    const report = await failureOf(target);
    expect(report.message).toMatch(plugin);
    expect(report.message).toMatch(message);
  });

  it('that swallows the end of the hosts does not make a run of it', async () => {
    const world = await exportWorld(600);
    const { hosts } = world.storage;
    const broken = {
      count: hosts.count.bind(hosts),
      async *scan(...parameters: Parameters<typeof hosts.scan>) {
        for await (const batch of hosts.scan(...parameters)) {
          yield batch;
          throw new AppError('unavailable', 'the storage does not answer');
        }
      },
    };
    const target = careless(async (all, run) => {
      await takeAll(all).catch(() => undefined);
      return { others: run.signal.aborted ? 'unchanged' : 'written' };
    });
    const report = await world.run(target, { hosts: broken });
    expect(report).toMatchObject({ status: 'failed', message: 'the storage does not answer' });
    expect(report.summary).toMatchObject({ seen: 250, written: 0, unchanged: 0 });
  });

  it('that forgets the hosts does not keep them open', async () => {
    const world = await exportWorld(600);
    const { hosts } = world.storage;
    let closed = false;
    const watched = {
      count: hosts.count.bind(hosts),
      async *scan(...parameters: Parameters<typeof hosts.scan>) {
        try {
          yield* hosts.scan(...parameters);
        } finally {
          closed = true;
        }
      },
    };
    const target = careless(async (all) => {
      await all[Symbol.asyncIterator]().next();
    });
    expect((await world.run(target, { hosts: watched })).status).toBe('failed');
    await new Promise(setImmediate);
    expect(closed).toBe(true);
  });

  it('is told when the run is called off, and its later reports count for nothing', async () => {
    const world = await exportWorld(600);
    const controller = new AbortController();
    let late: (() => void) | undefined;
    const target = targetOf((host, run) => {
      if (host.hostname === 'h00250') {
        controller.abort();
        late = () => {
          run.written(host);
          run.failed(host, 'a second time, which would throw');
        };
        return run.progress();
      }
      run.written(host);
    });
    const report = await world.run(target, { signal: controller.signal });
    expect(report).toMatchObject({ status: 'failed', cancelled: true });
    // It has the second batch already, and what it writes of that counts.
    expect(report.summary).toMatchObject({ seen: 500, written: 499 });
    expect(late).not.toThrow();
    expect(report.failures).toEqual([]);
  });

  it('cannot bring a secret into report and log', async () => {
    const world = await exportWorld(2);
    await world.run(targetOf((host, run) => run.failed(host, 'login with hunter2 refused')));
    await world.run(careless(() => Promise.reject(new Error('https://admin:hunter2@there refused'))));
    const text = JSON.stringify(await world.logs());
    expect(text).toContain('***');
    expect(text).not.toContain('hunter2');
  });

  it('may give any reason, or none', async () => {
    const world = await exportWorld(3);
    const reasons = [new Error('is full'), undefined, 'x'.repeat(5_000)];
    const report = await world.run(targetOf((host, run) => run.failed(host, reasons.shift() as string)));
    expect(report.failures[0]?.reason).toBe('is full');
    expect(report.failures[1]?.reason).toMatch(/no reason/);
    expect(report.failures[2]?.reason.length).toBeLessThan(1_100);
  });
});

describe('whatever a target does', () => {
  const act = fc.constantFrom('written', 'unchanged', 'failed', 'later', 'twice', 'throw');
  const end = fc.constantFrom<object>({}, { others: 'written' }, { others: 'unchanged' });

  it('the counts of a run that did not fail add up', async () => {
    const world = await exportWorld(40);
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 40, maxLength: 40 }), end, async (acts, answer) => {
        const script = [...acts];
        const target = targetOf(
          (host, run) => {
            const next = script.shift();
            if (next === 'throw') throw new Error('no');
            if (next === 'failed') run.failed(host, 'no');
            else if (next === 'written' || next === 'unchanged') run[next](host);
            else if (next === 'twice') for (const _ of [0, 1]) run.written(host);
          },
          () => answer,
        );
        const { status, summary, failuresTotal } = await world.run(target);
        const { seen, written, unchanged, failed } = summary;
        const sound =
          !acts.includes('throw') && !acts.includes('twice') && !(acts.includes('later') && !('others' in answer));
        expect(status).toBe(sound ? (acts.includes('failed') ? 'partial' : 'done') : 'failed');
        expect(failuresTotal).toBe(failed);
        if (sound) expect(written + unchanged + failed).toBe(seen);
        else expect(written + unchanged + failed).toBeLessThanOrEqual(seen);
      }),
      { numRuns: 60 },
    );
  });
});
