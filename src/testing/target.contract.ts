import { describe, expect, it } from 'vitest';
import { type JsonObject, StoredJson, type Target, type TargetHost, type TargetRun } from '../ports/index.ts';
import { LONG_TIMEOUT } from './timeouts.ts';
import { usedGroups } from './used-groups.ts';

/** A system that a target writes to, for one test. It holds nothing at first. */
export interface TargetSystem {
  /** The target, opened for one more run on the same system. */
  open(): Target | Promise<Target>;
  /** Names of the hosts in the system, in any order. */
  hostnames(): Promise<readonly string[]>;
  /** Everything that runs of the target put into the system, as a text to compare. */
  snapshot(): Promise<string>;
}

/** How a target shows itself to its contract. */
export interface TargetHarness {
  create(): Promise<TargetSystem>;
  /** A target whose system is missing or refuses everything. */
  broken(): Promise<Target>;
  /** True where each host has something of its own in the system, and not its place in one document. */
  readonly isApart?: boolean;
}

/** Everything that a target promises. */
export function describeTargetContract(name: string, harness: TargetHarness): void {
  describe(`${name}: target contract`, LONG_TIMEOUT, () => {
    it('makes the system hold the hosts that it is handed, and says so of each', async () => {
      const system = await harness.create();
      const outcomes = await run(system, [['a', 'b'], ['c'], ['d']]);
      expect([...outcomes.keys()].sort()).toEqual(['a', 'b', 'c', 'd']);
      expect([...outcomes.values()].filter((outcome) => outcome !== 'written')).toEqual([]);
      expect(await hostsIn(system)).toEqual(['a', 'b', 'c', 'd']);
    });

    it('changes nothing when it is handed the same again', async () => {
      const system = await harness.create();
      await run(system, [['a', 'b'], ['c']]);
      const before = await system.snapshot();
      await run(system, [['a'], ['b', 'c']]);
      expect(await system.snapshot()).toBe(before);
    });

    it('writes a host that changed', async () => {
      const system = await harness.create();
      await run(system, [['a', 'b']]);
      const before = await system.snapshot();
      const outcomes = await run(system, [['a', 'b']], { variables: { os: 'other' } });
      expect([...outcomes.values()]).toContain('written');
      expect(await system.snapshot()).not.toBe(before);
    });

    it('takes away what it wrote before and is no longer handed, after a complete run', async () => {
      const system = await harness.create();
      await run(system, [['a', 'b', 'c']]);
      await run(system, [['b'], ['d']]);
      expect(await hostsIn(system)).toEqual(['b', 'd']);
    });

    if (harness.isApart === true) {
      it('leaves what may be of a host that nobody could decide on, until somebody can', async () => {
        const system = await harness.create();
        await run(system, [['a', 'b', 'c']]);
        await run(system, [['b', 'd']], { undecided: 1 });
        expect(await hostsIn(system)).toEqual(['a', 'b', 'c', 'd']);
        await run(system, [['b', 'c', 'd']]);
        expect(await hostsIn(system)).toEqual(['b', 'c', 'd']);
      });
    }

    it('takes an empty set for what it is', async () => {
      const system = await harness.create();
      await run(system, [['a']]);
      await run(system, []);
      expect(await hostsIn(system)).toEqual([]);
    });

    it('takes nothing away when the hosts break off, and fails', async () => {
      const system = await harness.create();
      await run(system, [['a', 'b', 'c']]);
      await expect(run(system, [['a'], new Error('the store is gone')])).rejects.toThrow();
      expect(await hostsIn(system)).toEqual(expect.arrayContaining(['a', 'b', 'c']));
      await expect(run(system, [new Error('the store is gone')])).rejects.toThrow();
      expect(await hostsIn(system)).toEqual(expect.arrayContaining(['a', 'b', 'c']));
    });

    it('takes nothing away when it is called off, and fails', async () => {
      const system = await harness.create();
      await run(system, [['a', 'b', 'c']]);
      const controller = new AbortController();
      await expect(
        run(system, [['a'], ['b']], {
          signal: controller.signal,
          onBatch: () => controller.abort(new Error('stop')),
        }),
      ).rejects.toThrow();
      expect(await hostsIn(system)).toEqual(expect.arrayContaining(['a', 'b', 'c']));
    });

    it('takes nothing away when it is called off after the last host', async () => {
      const system = await harness.create();
      await run(system, [['a', 'b', 'c']]);
      const controller = new AbortController();
      await run(system, [['a']], {
        signal: controller.signal,
        onEnd: () => controller.abort(new Error('stop')),
      }).catch(() => undefined);
      expect(await hostsIn(system)).toEqual(expect.arrayContaining(['a', 'b', 'c']));
    });

    it('comes back from a failed run by the next one', async () => {
      const system = await harness.create();
      await run(system, [['a', 'b']]);
      await run(system, [['b'], new Error('the store is gone')]).catch(() => undefined);
      await run(system, [['b', 'c']]);
      expect(await hostsIn(system)).toEqual(['b', 'c']);
    });

    it('says in a dry run what it would do, and changes nothing', async () => {
      const system = await harness.create();
      const empty = await system.snapshot();
      const outcomes = await run(system, [['a', 'b']], { dryRun: true });
      expect([...outcomes.values()]).toEqual(['written', 'written']);
      expect(await system.snapshot()).toBe(empty);
      await run(system, [['a', 'b']]);
      const before = await system.snapshot();
      await run(system, [['b', 'c']], { dryRun: true });
      expect(await system.snapshot()).toBe(before);
    });

    it('throws an error that callers can show when the system refuses everything', async () => {
      const target = await harness.broken();
      await expect(run({ open: () => target }, [['a']])).rejects.toMatchObject({
        name: 'AppError',
        code: expect.stringMatching(/^(failed|invalid_input|unavailable)$/),
        message: expect.stringMatching(/./),
      });
    });

    it('says of its system what a run would write to, when it can', async () => {
      const system = await harness.create();
      const before = await system.snapshot();
      const said = await (await system.open()).check?.({ signal: new AbortController().signal });
      if (said !== undefined) expect(said).not.toBe('');
      expect(await system.snapshot()).toBe(before);
    });
  });
}

type Outcome = 'written' | 'unchanged' | 'failed';

interface RunSettings {
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
  readonly variables?: JsonObject;
  readonly undecided?: number;
  /** Called while the target has the first batch. */
  onBatch?(): void;
  /** Called when the last batch is taken, before the iteration ends. */
  onEnd?(): void;
}

/** One run over batches of names; an error in their place is thrown there. Answers what happened to each host. */
async function run(
  system: Pick<TargetSystem, 'open'>,
  batches: readonly (readonly string[] | Error)[],
  settings: RunSettings = {},
): Promise<ReadonlyMap<string, Outcome>> {
  const signal = settings.signal ?? new AbortController().signal;
  const outstanding = new Set<TargetHost>();
  const outcomes = new Map<string, Outcome>();
  let ended = false;

  async function* hosts(): AsyncGenerator<readonly TargetHost[]> {
    for (const batch of batches) {
      signal.throwIfAborted();
      if (batch instanceof Error) throw batch;
      const made = batch.map((hostname) => hostOf(hostname, settings.variables));
      for (const host of made) outstanding.add(host);
      yield made;
      settings.onBatch?.();
      signal.throwIfAborted();
    }
    ended = true;
    settings.onEnd?.();
  }

  const report = (outcome: Outcome) => (host: TargetHost) => {
    expect(outstanding.delete(host), `${host.hostname} is reported once, as the object that was handed over`).toBe(
      true,
    );
    outcomes.set(host.hostname, outcome);
  };
  const context: TargetRun = {
    dryRun: settings.dryRun === true,
    signal,
    written: report('written'),
    unchanged: report('unchanged'),
    failed: report('failed'),
    undecided: () => settings.undecided ?? 0,
    groups: usedGroups,
    progress: () => undefined,
  };
  const { others } = (await (await system.open()).write(hosts(), context)) ?? {};
  expect(ended, 'every batch was taken').toBe(true);
  if (others === undefined) expect([...outstanding], 'hosts that nothing was said of').toEqual([]);
  else for (const host of outstanding) outcomes.set(host.hostname, others);
  return outcomes;
}

function hostOf(hostname: string, variables: JsonObject = { os: 'debian', site: 'berlin' }): TargetHost {
  return {
    hostname,
    variables: StoredJson.ofValue({ ...variables, HOSTNAME: hostname }),
    groups: ['all_of_them'],
    outcomes: {},
  };
}

async function hostsIn(system: TargetSystem): Promise<readonly string[]> {
  return [...(await system.hostnames())].sort();
}
