import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HostStore, LabelOutcome, Storage } from '../../../src/ports/index.ts';
import { StoredJson } from '../../../src/ports/index.ts';
import { actor, blue, documentOf, labelsOf, labelWrite, red } from '../../../src/testing/samples.ts';
import { dropDatabase, everything, freshUrl, openStorage, withRaw } from './harness.ts';

/** How long both nodes write; longer finds more. */
const DURATION_MS = Number(process.env.TWO_NODES_MS ?? 4_000);
/** What was acknowledged is looked at this often, because the next writes hide what was lost. */
const ROUNDS = 8;
const WRITERS_A_NODE = 4;
/** Only written, archived and restored: what was acknowledged of them can be told at the end. */
const steady = Array.from({ length: 24 }, (_, n) => `steady-${n}`);
/** Also replaced, handed over and purged: they must stay whole. */
const wild = Array.from({ length: 8 }, (_, n) => `wild-${n}`);

/** A call in the order of this process, which sees both nodes. */
interface Call {
  readonly began: number;
  readonly ended: number;
}

interface Saved extends Call {
  readonly hostname: string;
  readonly at: number;
}

/** What may have put hosts into the archive that were last seen before `seenBefore`, or whenever. */
interface Archiving extends Call {
  readonly hostnames: ReadonlySet<string>;
  readonly seenBefore: number;
}

class Traffic {
  readonly saved: Saved[] = [];
  readonly archivings: Archiving[] = [];
  readonly sections = new Map<string, Set<string>>();
  readonly outcomes = new Map<LabelOutcome, number>();
  #now = Date.UTC(2026, 0, 1);
  #step = 0;
  #runs = 0;

  /** A moment that nobody else has, later than all before. */
  now(): Date {
    return new Date(++this.#now);
  }

  async timed<T>(work: () => Promise<T>): Promise<{ readonly answer: T } & Call> {
    const began = ++this.#step;
    const answer = await work();
    return { answer, began, ended: ++this.#step };
  }

  async save(hosts: HostStore, names: readonly string[], runId?: string): Promise<void> {
    const at = this.now();
    const entries = names.map((name) => [name, { os: pick(['linux', 'linux', 'linux', 'bsd']) }] as const);
    const write = labelWrite(entries, { at, ...(runId === undefined ? {} : { runId }) });
    const { answer, ...call } = await this.timed(() => hosts.saveLabels(write));
    for (const [index, hostname] of names.entries()) {
      const outcome = answer[index];
      if (outcome === undefined) continue;
      this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
      if (outcome === 'created' || outcome === 'updated' || outcome === 'unchanged') {
        this.saved.push({ ...call, hostname, at: at.getTime() });
      }
    }
  }

  /** An import: some hosts in portions, then the sweep. */
  async run(hosts: HostStore): Promise<void> {
    const startedAt = this.now();
    const runId = `run-${++this.#runs}`;
    const seen = [...steady, ...wild].filter(() => Math.random() < 0.7);
    for (let start = 0; start < seen.length; start += 9) await this.save(hosts, seen.slice(start, start + 9), runId);
    const limits = { thresholdPercent: 100, activeBefore: 1_000, except: [] };
    const sweep = { ...limits, accountId: red.id, runId, seenBefore: startedAt, at: this.now(), actor };
    const { answer: _, ...call } = await this.timed(() => hosts.archiveUnseen(sweep));
    this.archivings.push({ ...call, hostnames: new Set(steady), seenBefore: startedAt.getTime() });
  }

  async stale(hosts: HostStore): Promise<void> {
    const seenBefore = new Date(this.now().getTime() - 20);
    const { answer, ...call } = await this.timed(() => hosts.archiveStale({ seenBefore, at: this.now(), actor }));
    this.archivings.push({ ...call, hostnames: new Set(answer), seenBefore: seenBefore.getTime() });
  }

  async archive(hosts: HostStore, by: 'api' | 'operator'): Promise<void> {
    const hostnames = [pick(steady), pick(wild)];
    const request = { hostnames, by, scope: null, at: this.now(), actor };
    const { answer, ...call } = await this.timed(() => hosts.archive(request));
    const gone = hostnames.filter((_, index) => answer[index] === 'archived');
    this.archivings.push({ ...call, hostnames: new Set(gone), seenBefore: Number.POSITIVE_INFINITY });
  }

  async restore(hosts: HostStore): Promise<void> {
    await hosts.restore({ hostnames: [...steady, ...wild], scope: null, at: this.now(), actor });
  }

  async inventory(hosts: HostStore): Promise<void> {
    const key = `k${++this.#step}`;
    const entries = [pick(steady), pick(wild)].map((hostname) => ({ hostname, key, section: StoredJson.ofValue({}) }));
    const outcomes = await hosts.saveInventory({ entries, scope: null, at: this.now(), actor });
    for (const [index, { hostname }] of entries.entries()) {
      if (outcomes[index] === 'updated')
        this.sections.set(hostname, (this.sections.get(hostname) ?? new Set()).add(key));
    }
  }

  async handOver(hosts: HostStore): Promise<void> {
    const account = pick([red, blue]);
    await hosts.saveLabels(labelWrite({ [pick(wild)]: { os: 'linux' } }, { account, takeOver: true, at: this.now() }));
  }

  async contribute(hosts: HostStore): Promise<void> {
    const entries = [{ hostname: pick(wild), labels: labelsOf({ by: pick(['a', 'b']) }) }];
    const more = { accountId: blue.id, precedence: 1, at: this.now(), actor, runId: `run-${++this.#runs}` };
    await hosts.contributeLabels({ ...more, entries });
  }

  async replace(hosts: HostStore): Promise<void> {
    const record = documentOf(pick(wild), { createdAt: this.now(), lastSeen: pick([null, this.now()]) });
    await hosts.putDocuments([{ record, mode: 'replace', relations: [] }], actor);
  }

  async purge(hosts: HostStore): Promise<void> {
    await hosts.archive({ hostnames: [pick(wild)], by: 'operator', scope: null, at: new Date(0), actor });
    await hosts.purgeArchived(new Date(1), { at: new Date(2), actor });
  }

  /** True when the save must show at the end: nothing that could archive its host came behind its beginning. */
  lasts({ hostname, at, began }: Saved): boolean {
    return !this.archivings.some(
      (archiving) => archiving.ended > began && archiving.hostnames.has(hostname) && archiving.seenBefore > at,
    );
  }
}

function pick<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)] as T;
}

describe('MongoDB: two nodes that write the same hosts', () => {
  let url: string;
  let nodes: readonly Storage[];

  beforeAll(async () => {
    url = await freshUrl();
    nodes = [openStorage(url), openStorage(url)];
    for (const node of nodes) await node.start();
  });

  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await dropDatabase(url);
  });

  /** Both nodes write all the time, and watch that nothing moves back. */
  async function write(traffic: Traffic): Promise<void> {
    const until = performance.now() + DURATION_MS / ROUNDS;
    const works: readonly ((hosts: HostStore) => Promise<void>)[] = [
      (hosts) => traffic.run(hosts),
      (hosts) => traffic.run(hosts),
      (hosts) => traffic.save(hosts, [pick(steady), pick(wild)]),
      (hosts) => traffic.save(hosts, steady),
      (hosts) => traffic.stale(hosts),
      (hosts) => traffic.archive(hosts, 'api'),
      (hosts) => traffic.archive(hosts, 'operator'),
      (hosts) => traffic.restore(hosts),
      (hosts) => traffic.inventory(hosts),
      (hosts) => traffic.handOver(hosts),
      (hosts) => traffic.contribute(hosts),
      (hosts) => traffic.replace(hosts),
      (hosts) => traffic.purge(hosts),
    ];
    const writers = nodes.flatMap(({ hosts }) =>
      Array.from({ length: WRITERS_A_NODE }, async () => {
        while (performance.now() < until) await pick(works)(hosts);
      }),
    );
    const watchers = nodes.map(async ({ hosts }) => {
      const seen = new Map<string, number>();
      while (performance.now() < until) {
        for (const [name, host] of (await hosts.findEach(steady)).entries()) {
          const sight = host?.lastSeen?.getTime() ?? 0;
          const hostname = steady[name] ?? '';
          expect(sight, `last sight of ${hostname}`).toBeGreaterThanOrEqual(seen.get(hostname) ?? 0);
          seen.set(hostname, sight);
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
    await Promise.all([...writers, ...watchers]);
  }

  async function verify(traffic: Traffic): Promise<void> {
    const [reader, checker] = nodes as readonly [Storage, Storage];
    const found = new Map(steady.map((name) => [name, reader.hosts.find(name)]));
    for (const saved of traffic.saved.filter(({ hostname }) => found.has(hostname))) {
      const host = await found.get(saved.hostname);
      expect(host?.lastSeen?.getTime(), saved.hostname).toBeGreaterThanOrEqual(saved.at);
      if (traffic.lasts(saved)) expect(host?.archive, JSON.stringify(saved)).toBeNull();
    }
    for (const [name, host] of found) {
      const sections = Object.keys((await host)?.inventory.value ?? {});
      expect(new Set(sections), name).toEqual(traffic.sections.get(name) ?? new Set());
    }
    const heads = await withRaw(url, (db) =>
      db
        .collection('hosts')
        .find({}, { projection: { change: 1 } })
        .toArray(),
    );
    const chains = heads.map(({ _id }) => reader.history.ofHost(String(_id), 100_000));
    for (const [index, { _id, change }] of heads.entries()) {
      expect((await chains[index])?.length, String(_id)).toBe((change?.seq ?? 0) + 1);
    }
    const problems = await everything(checker.check({ fix: false }));
    expect(problems.filter(({ subject }) => !subject.startsWith('account '))).toEqual([]);
  }

  it('keep what they acknowledged', async () => {
    const traffic = new Traffic();
    for (let round = 0; round < ROUNDS; round++) {
      await write(traffic);
      await verify(traffic);
    }
    // Enough of everything happened to mean something.
    expect(traffic.saved.length).toBeGreaterThan(200);
    for (const outcome of ['updated', 'unchanged', 'archived'] as const) {
      expect(traffic.outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(0);
    }
    // No run names a host twice.
    expect(traffic.outcomes.get('duplicate')).toBeUndefined();
  }, 60_000);
});
