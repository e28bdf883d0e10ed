import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, ObjectReference } from '../ports/index.ts';
import { MusterProgram, type ProgramDatabase } from './muster-program.ts';

/**
 * Faults of systems, by their names in tests. `lost answer`: the request is carried out, and the connection breaks before the
 * answer. `slow answers` is not a fault; it gives other faults a moment in which to happen.
 */
export type TargetFault =
  | 'refused connection'
  | 'login refused'
  | 'right missing'
  | 'too many requests'
  | 'server error'
  | 'second part broken'
  | 'cut off'
  | 'invalid text'
  | 'empty answer'
  | 'large answer'
  | 'answer without end'
  | 'redirect to another host'
  | 'lost answer'
  | 'slow answers';

/** `reading`: all calls that change nothing. `write`: the n-th call from now on that changes something, from 1. `writing`: all of these. */
export type FaultMoment = 'reading' | 'writing' | { readonly write: number };

/** An object of the system. */
export interface SystemObject extends ObjectReference {
  /** As `wanted` names them; those that are compared. */
  readonly fields?: JsonObject;
  /** The complete content of the object, to detect any change to it. */
  readonly text?: string;
}

export interface TargetAccountSettings {
  /** Options of the account. */
  readonly settings: Readonly<Record<string, string>>;
  readonly password?: string;
}

/** A system for one account, empty at first, with which things can go wrong. */
export interface FaultyTargetSystem {
  readonly account: TargetAccountSettings;
  /** Options with which connections to the system cannot be secured. Absent: it cannot have that fault. */
  readonly withoutTls?: Readonly<Record<string, string>>;
  /** All existing objects, from any creator. */
  objects(): Promise<readonly SystemObject[]>;
  /** Adds an object that was made by someone else, even if there is one of that key, if the system allows that. */
  putForeign?(kind: string, key: string): Promise<void>;
  /** Changes a field of an object that Muster writes, as if by hand. */
  change?(kind: string, key: string): Promise<void>;
  /** Deletes an object, as if by hand. */
  remove?(kind: string, key: string): Promise<void>;
  /** From now on the system has this fault. False: it cannot. */
  fail(fault: TargetFault, moment: FaultMoment): Promise<boolean>;
  /** From now on it refuses to change objects of a kind, or whatever names that text. False: it cannot. */
  refuse(what: { readonly kind: string } | { readonly text: string }): Promise<boolean>;
  /** Calls this before the next change is done there. */
  beforeWrite?(then: () => Promise<void>): void;
  /** Takes the fault away, and answers how often it has happened. */
  heal(): Promise<number>;
  /** How many calls so far asked it to change something. */
  writes(): number;
  close(): Promise<void>;
}

export interface TargetFaultHarness {
  /** The plugin, as the key `PLUGINS` names it, with an absolute path. Absent: the type is built in. */
  readonly plugin?: string;
  /** The type of accounts. */
  readonly type: string;
  /** Rules that say what hosts want, by their type, where the type of accounts needs some. */
  readonly rules?: Readonly<Record<string, readonly JsonObject[]>>;
  /** Labels of the n-th host. Another `variant` changes what hosts want there. */
  labels(n: number, variant: number): JsonObject;
  /** Returns the objects that a host with these labels wants, in the order in which they are created. */
  wanted(hostname: string, labels: JsonObject): readonly SystemObject[];
  create(): Promise<FaultyTargetSystem>;
  /** Whether an object that is another one by now is left alone, because the system has versions. */
  readonly hasVersions?: boolean;
  /** Texts that must not appear anywhere, in addition to the password. */
  readonly secrets?: readonly string[];
  /** How many hosts there are. Default 60. */
  readonly hosts?: number;
  /** How many hosts are many. Default 20,000. */
  readonly many?: number;
  /** Which of the calls that write meet a fault, from 1; with each of them everything is gone through. Default: 1, 2 and 9. */
  readonly failingCalls?: readonly number[];
  /** How often an apply is killed. Default 3. */
  readonly kills?: number;
  /** The database of the program. Default: SQLite. */
  database?(): Promise<ProgramDatabase>;
}

const WHILE_READING: readonly TargetFault[] = [
  'refused connection',
  'login refused',
  'right missing',
  'too many requests',
  'server error',
  'second part broken',
  'cut off',
  'invalid text',
  'empty answer',
  'answer without end',
  'redirect to another host',
];

const WHILE_WRITING: readonly TargetFault[] = [
  'refused connection',
  'login refused',
  'right missing',
  'too many requests',
  'server error',
  'cut off',
  'invalid text',
  'empty answer',
  'answer without end',
  'redirect to another host',
  'lost answer',
];

/** The first, one among those that make objects, and one among those that change them. */
const FAILING_CALLS = [1, 2, 9];

const TEST = { timeout: 180_000 };
const LONG_TEST = { timeout: 900_000 };

/** A plan as the service answers it. */
interface PlanAnswer {
  readonly id: string;
  readonly status: string;
  readonly message: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly done: number;
  readonly failed: number;
}

interface EntryAnswer {
  readonly kind: string;
  readonly key: string;
  readonly outcome: string | null;
  readonly reason: string;
}

/**
 * Tests all faults of systems that have objects, with one target, in the program as people run it. Whatever the fault: nothing is
 * lost, nothing is there twice, nothing foreign is touched, no secret is revealed, and the message says what to do.
 */
export function describeTargetFaults(name: string, harness: TargetFaultHarness): void {
  describe(`${name}: faults of a target`, () => {
    let world: World;
    beforeAll(async () => {
      world = await World.start(harness);
    }, 120_000);
    afterAll(() => world?.stop());
    const fresh = (options?: Readonly<Record<string, string>>) => world.settled(options);

    describe('while it is read', () => {
      let there: Side;
      beforeAll(async () => {
        there = await world.settled();
      }, 180_000);
      afterAll(() => there?.close());

      for (const fault of WHILE_READING) {
        it(fault, TEST, async ({ skip }) => {
          await world.change();
          const before = await there.everything();
          if (!(await there.system.fail(fault, 'reading'))) return skip('the system cannot have this fault');
          const { problem, plan } = await there.plan();
          if ((await there.system.heal()) === 0) return skip('the system is asked in one part');
          expectHelp(problem, `what is said of a plan with ${fault}`);
          expect({ create: 0, delete: 0, ...plan?.counts }, 'nothing is known well enough').toMatchObject(NO_FATE);
          expect(await there.everything(), 'planning changes nothing').toEqual(before);
          // The system was readable for the plan and no longer is.
          const good = await there.planned();
          await there.system.fail(fault, 'reading');
          await there.apply(good.id);
          await there.system.heal();
          await there.run();
          await there.expectWhole();
        });
      }

      it('TLS error', TEST, async ({ skip }) => {
        const { withoutTls } = there.system;
        if (withoutTls === undefined) return skip('the system cannot have this fault');
        await world.change();
        const before = await there.everything();
        await there.set(withoutTls);
        const { problem } = await there.plan();
        expectHelp(problem, 'what is said of a plan without TLS');
        expect(await there.everything()).toEqual(before);
        await there.set(there.system.account.settings);
        await there.run();
        await there.expectWhole();
      });

      it('large answer', TEST, async ({ skip }) => {
        await world.change();
        if (!(await there.system.fail('large answer', 'reading'))) return skip('the system cannot have this fault');
        const { problem } = await there.plan();
        await there.system.heal();
        if (problem !== '') expectHelp(problem, 'what is said of a large answer');
        await there.run();
        await there.expectWhole();
      });
    });

    describe('while it is written', () => {
      let there: Side;
      beforeAll(async () => {
        there = await world.settled();
      }, 180_000);
      afterAll(() => there?.close());

      for (const fault of WHILE_WRITING) {
        it(fault, TEST, async ({ skip }) => {
          for (const write of harness.failingCalls ?? FAILING_CALLS) {
            await world.change();
            const { id } = await there.planned();
            if (!(await there.system.fail(fault, { write }))) return skip('the system cannot have this fault');
            const applied = await there.apply(id);
            const happened = await there.system.heal();
            if (happened > 0 && applied.status !== 'done') expectHelp(applied.message, `what is said of ${fault}`);
            await there.run();
            await there.expectWhole();
          }
        });
      }

      it('kill -9 in the middle', LONG_TEST, async () => {
        for (let round = 0; round < (harness.kills ?? 3); round++) {
          await world.change();
          const { id, counts } = await there.planned();
          await there.killApply(id, Math.random() * sumOf(counts));
          // The next command continues with the plan, or makes another one.
          if (round % 2 === 0) await there.apply(id);
          await there.run();
          await there.expectWhole();
        }
      });
    });

    it('writes nothing the second time', TEST, async () => {
      const there = await fresh();
      await there.expectWhole();
      await there.close();
    });

    it('an object that was changed, deleted or made since the plan is refused by name', TEST, async ({ skip }) => {
      const there = await fresh();
      const { system } = there;
      if (system.change === undefined || system.remove === undefined || system.putForeign === undefined) {
        await there.close();
        return skip('the system cannot have this fault');
      }
      await world.change();
      const [changed, gone] = world.keptHosts().map((host) => last(harness.wanted(...host)));
      const newcomer = world.newHost();
      const made = last(harness.wanted(...newcomer));
      if (changed === undefined || gone === undefined) throw new Error('there are no hosts');
      const { id, counts } = await there.planned();
      await system.change(changed.kind, changed.key);
      await system.remove(gone.kind, gone.key);
      await there.putForeign(made.kind, made.key);
      const text = await there.textOf(made);
      const applied = await there.apply(id);
      expect(applied).toMatchObject({ status: 'partial', failed: 3, done: sumOf(counts) - 3 });
      const outcomes = new Map((await there.entries(id)).map((entry) => [placeOf(entry), entry]));
      expect(outcomes.get(placeOf(changed))).toMatchObject({ outcome: 'changed' });
      expect(outcomes.get(placeOf(gone))).toMatchObject({ outcome: 'gone' });
      expect(outcomes.get(placeOf(made))).toMatchObject({ outcome: 'exists' });
      expect(await there.textOf(made)).toEqual(text);
      expect((await there.run()).counts).toMatchObject({ conflict: 1 });
      expect(await there.textOf(made)).toEqual(text);
      await world.remove([newcomer[0]]);
      await there.run();
      await there.expectWhole();
      await there.close();
    });

    it('an object that is changed just before it is written stays as it was made', TEST, async ({ skip }) => {
      const there = await fresh();
      const { system } = there;
      const { change } = system;
      if (harness.hasVersions !== true || change === undefined || system.beforeWrite === undefined) {
        await there.close();
        return skip('the system has no versions');
      }
      await world.change();
      const hosts = world.keptHosts();
      const object = last(harness.wanted(...last(hosts)));
      const { id } = await there.planned();
      system.beforeWrite(() => change.call(system, object.kind, object.key));
      const applied = await there.apply(id);
      expect(applied).toMatchObject({ status: 'partial', failed: 1 });
      expect((await there.entries(id)).find((entry) => placeOf(entry) === placeOf(object))).toMatchObject({
        outcome: 'changed',
      });
      await there.run();
      await there.expectWhole();
      await there.close();
    });

    it('a foreign object of the same name is not touched, nor are two of them', TEST, async ({ skip }) => {
      const there = await world.side();
      const [one, two] = world.keptHosts().map((host) => ({ host, object: last(harness.wanted(...host)) }));
      if (there.system.putForeign === undefined || one === undefined || two === undefined) {
        await there.close();
        return skip('the system cannot have this fault');
      }
      await there.putForeign(one.object.kind, one.object.key);
      for (let times = 0; times < 2; times++) await there.putForeign(two.object.kind, two.object.key);
      const texts = [await there.textOf(one.object), await there.textOf(two.object)];
      const report = await there.run();
      expect(report).toMatchObject({ status: 'partial', counts: { conflict: 2 } });
      expect([await there.textOf(one.object), await there.textOf(two.object)]).toEqual(texts);
      await world.remove([one.host[0], two.host[0]]);
      await there.run();
      await there.expectWhole();
      await there.close();
    });

    it('a permission that is missing for one kind stops what needs it, and nothing else', TEST, async ({ skip }) => {
      const kinds = new Set(world.wanted().map(({ kind }) => kind));
      for (const kind of kinds) {
        const there = await world.side();
        if (!(await there.system.refuse({ kind }))) {
          await there.close();
          return skip('the system cannot have this fault');
        }
        const applied = await there.run();
        await there.system.heal();
        expect(applied.status).toBe('partial');
        expectHelp(applied.message, 'what is said of a missing permission');
        const made = await there.own();
        expect(made.filter((object) => object.kind === kind)).toEqual([]);
        const before = [...kinds].slice(0, [...kinds].indexOf(kind));
        const others = world.wanted().filter((object) => before.includes(object.kind));
        expect(made.map(placeOf)).toEqual(expect.arrayContaining(others.map(placeOf)));
        await there.run();
        await there.expectWhole();
        await there.close();
      }
    });

    it('one refused entry of a call does not stop the others', TEST, async ({ skip }) => {
      const there = await world.side();
      const [hostname, labels] = last(world.keptHosts());
      const refused = last(harness.wanted(hostname, labels));
      if (!(await there.system.refuse({ text: refused.key }))) {
        await there.close();
        return skip('the system cannot have this fault');
      }
      const applied = await there.run();
      await there.system.heal();
      expect(applied).toMatchObject({ status: 'partial', failed: 1 });
      expect(applied.message).not.toBe('');
      const others = world.wanted().filter((object) => placeOf(object) !== placeOf(refused));
      expect((await there.own()).map(placeOf).sort()).toEqual(others.map(placeOf).sort());
      await there.run();
      await there.expectWhole();
      await there.close();
    });

    it('a threshold stops a plan before its first call', TEST, async () => {
      const there = await fresh({ delete_threshold: '10%' });
      const before = await there.everything();
      const gone = world.keptHosts().slice(0, Math.ceil(world.size * 0.3));
      await world.remove(gone.map(([hostname]) => hostname));
      const { plan, problem } = await there.plan();
      expect(plan?.status).toBe('refused');
      expectHelp(problem, 'what is said of a threshold');
      const writes = there.system.writes();
      const applied = await there.apply(plan?.id ?? '');
      expectHelp(applied.message, 'what is said of a plan that was refused');
      expect(there.system.writes()).toBe(writes);
      expect(await there.everything()).toEqual(before);
      await there.set({ delete_threshold: '100%' });
      await there.run();
      await there.expectWhole();
      await there.close();
    });

    it(`${harness.many ?? 20_000} hosts`, LONG_TEST, async () => {
      const there = await fresh();
      await world.grow(harness.many ?? 20_000);
      expect((await there.run()).status).toBe('done');
      await there.expectWhole();
      await there.close();
    });
  });
}

type NamedHost = readonly [hostname: string, labels: JsonObject];

const NO_FATE = { create: 0, delete: 0 };
const HOSTS_A_CALL = 2_000;

/** The program with its hosts, which all accounts export. */
class World {
  readonly program: MusterProgram;
  readonly #harness: TargetFaultHarness;
  readonly #hosts = new Map<string, { readonly n: number; readonly labels: JsonObject }>();
  /** Hosts of this name come and go; the others only change. */
  readonly #passing: string[] = [];
  #variant = 0;
  #lastHost = 0;
  #lastAccount = 0;

  private constructor(program: MusterProgram, harness: TargetFaultHarness) {
    this.program = program;
    this.#harness = harness;
  }

  static async start(harness: TargetFaultHarness): Promise<World> {
    const plugins = harness.plugin === undefined ? [] : [harness.plugin];
    const database =
      harness.database === undefined ? undefined : () => (harness.database as NonNullable<typeof harness.database>)();
    const program = await MusterProgram.start({ plugins, database });
    const world = new World(program, harness);
    await program.must(['account', 'add', 'hosts', '--type', 'api']);
    if (harness.rules !== undefined) {
      const { body } = await program.rest('POST', '/rules/import', { rules: harness.rules });
      expect(body).toMatchObject({ total: Object.values(harness.rules).flat().length });
    }
    await world.grow(harness.hosts ?? 60);
    return world;
  }

  stop(): Promise<void> {
    return this.program.stop();
  }

  get size(): number {
    return this.#hosts.size;
  }

  /** An account with an empty system. */
  async side(options: Readonly<Record<string, string>> = {}): Promise<Side> {
    const system = await this.#harness.create();
    const account = `out${++this.#lastAccount}`;
    const { settings, password = '' } = system.account;
    const all = { delete_threshold: '100%', ...settings, ...options };
    const set = Object.entries(all).flatMap(([key, value]) => ['--set', `${key}=${value}`]);
    const secret = password === '' ? [] : ['--password-stdin'];
    await this.program.must(['account', 'add', account, '--type', this.#harness.type, ...set, ...secret], password);
    return new Side(this, system, account, [...(this.#harness.secrets ?? []), password]);
  }

  /** An account whose system holds all that the hosts want, and something foreign. */
  async settled(options: Readonly<Record<string, string>> = {}): Promise<Side> {
    const side = await this.side(options);
    const { kind } = last(this.wanted());
    if (side.system.putForeign !== undefined) await side.putForeign(kind, 'somebody-elses');
    const report = await side.run();
    expect(report, report.message).toMatchObject({ status: 'done' });
    await side.expectWhole();
    return side;
  }

  /** All that hosts want, each object once. */
  wanted(): readonly SystemObject[] {
    const all = [...this.#hosts].flatMap(([hostname, { labels }]) => this.#harness.wanted(hostname, labels));
    return [...new Map(all.map((object) => [placeOf(object), object])).values()];
  }

  /** Hosts that are there before and after a change. */
  keptHosts(): readonly NamedHost[] {
    const kept = [...this.#hosts].filter(([hostname]) => !this.#passing.includes(hostname));
    return kept.map(([hostname, { labels }]) => [hostname, labels]);
  }

  /** The host that came last. */
  newHost(): NamedHost {
    const hostname = last(this.#passing);
    return [hostname, this.#hosts.get(hostname)?.labels ?? {}];
  }

  /** Changes all hosts, takes two away that came before, and adds two. */
  async change(): Promise<void> {
    this.#variant++;
    await this.remove(this.#passing.splice(0));
    const added = [this.#nextHost(), this.#nextHost()];
    this.#passing.push(...added.map(([hostname]) => hostname));
    const changed = [...this.#hosts].map(([hostname, { n }]) => [hostname, n] as const);
    await this.#save([...changed, ...added]);
  }

  async remove(hostnames: readonly string[]): Promise<void> {
    for (const hostname of hostnames) {
      if (!this.#hosts.delete(hostname)) continue;
      const { status } = await this.program.rest('DELETE', `/objects/${hostname}`);
      expect(status).toBe(200);
    }
  }

  async grow(count: number): Promise<void> {
    const added: (readonly [string, number])[] = [];
    while (this.size + added.length < count) added.push(this.#nextHost());
    await this.#save(added);
  }

  #nextHost(): readonly [hostname: string, n: number] {
    const n = ++this.#lastHost;
    return [`web${String(n).padStart(5, '0')}.example.org`, n];
  }

  async #save(hosts: readonly (readonly [hostname: string, n: number])[]): Promise<void> {
    for (let from = 0; from < hosts.length; from += HOSTS_A_CALL) {
      const objects = hosts.slice(from, from + HOSTS_A_CALL).map(([hostname, n]) => {
        const labels = this.#harness.labels(n, this.#variant);
        this.#hosts.set(hostname, { n, labels });
        return { hostname, labels };
      });
      const { status, body } = await this.program.rest('POST', '/objects/bulk', { account: 'hosts', objects });
      expect([status, body]).toEqual([200, expect.objectContaining({ 'not-saved': [] })]);
    }
  }
}

/** An account with its system. */
class Side {
  readonly system: FaultyTargetSystem;
  readonly #world: World;
  readonly #account: string;
  readonly #secrets: readonly string[];
  /** Places of objects that others made, and what they are. */
  readonly #foreign = new Map<string, readonly string[]>();

  constructor(world: World, system: FaultyTargetSystem, account: string, secrets: readonly string[]) {
    this.#world = world;
    this.system = system;
    this.#account = account;
    this.#secrets = secrets.filter((secret) => secret !== '');
  }

  /** Looks for the last time at what was said. */
  async close(): Promise<void> {
    await this.system.close();
    await this.#expectNoSecret();
  }

  async set(options: Readonly<Record<string, string>>): Promise<void> {
    const set = Object.entries(options).flatMap(([key, value]) => ['--set', `${key}=${value}`]);
    await this.#world.program.must(['account', 'set', this.#account, ...set]);
  }

  async putForeign(kind: string, key: string): Promise<void> {
    await this.system.putForeign?.(kind, key);
    this.#foreign.set(placeOf({ kind, key }), await this.textOf({ kind, key }));
  }

  /** All texts about the objects of that place, in their order. */
  async textOf({ kind, key }: ObjectReference): Promise<readonly string[]> {
    const same = (await this.system.objects()).filter((object) => object.kind === kind && object.key === key);
    return same.map(({ text, fields }) => text ?? JSON.stringify(fields)).sort();
  }

  async everything(): Promise<readonly string[]> {
    return (await this.system.objects()).map((object) => JSON.stringify(object)).sort();
  }

  /** Returns the objects that were not made by others. */
  async own(): Promise<readonly SystemObject[]> {
    return (await this.system.objects()).filter((object) => !this.#foreign.has(placeOf(object)));
  }

  /** Makes a plan; answers it, and what is wrong with it or why there is none; empty if nothing is wrong. */
  async plan(): Promise<{ readonly plan?: PlanAnswer; readonly problem: string }> {
    const { status, body } = await this.#world.program.rest('POST', '/plans', { account: this.#account });
    if (status !== 200) return { problem: problemOf(body) };
    const plan = body as PlanAnswer;
    return { plan, problem: plan.message };
  }

  async planned(): Promise<PlanAnswer> {
    const { plan, problem } = await this.plan();
    if (plan?.status !== 'ready') throw new Error(`there is no plan that can be applied: ${problem}`);
    return plan;
  }

  async apply(id: string): Promise<PlanAnswer> {
    const { status, body } = await this.#world.program.rest('POST', `/plans/${id}/apply`);
    if (status === 200) return body as PlanAnswer;
    return { id, status: 'failed', message: problemOf(body), counts: {}, done: 0, failed: 0 };
  }

  async run(): Promise<PlanAnswer> {
    const { id } = await this.planned();
    return this.apply(id);
  }

  async entries(id: string): Promise<readonly EntryAnswer[]> {
    const { body } = await this.#world.program.rest('GET', `/plans/${id}?limit=1000`);
    return (body as { readonly entries: readonly EntryAnswer[] }).entries;
  }

  /** Applies a plan by a command that is killed after this many calls, or somewhat later. */
  async killApply(id: string, calls: number): Promise<void> {
    const before = this.system.writes();
    await this.system.fail('slow answers', 'writing');
    const child = this.#world.program.spawn(['apply', id]);
    const ended = once(child, 'exit');
    while (child.exitCode === null && this.system.writes() - before <= calls) await pause(1);
    await pause(Math.random() * 10);
    child.kill('SIGKILL');
    await ended;
    await this.system.heal();
  }

  /** Each object that hosts want is there once, and so is everything foreign; and another run has nothing to do. */
  async expectWhole(): Promise<void> {
    const wanted = this.#world.wanted();
    const own = await this.own();
    expect(own.map(placeOf).sort()).toEqual(wanted.map(placeOf).sort());
    const found = new Map(own.map((object) => [placeOf(object), object]));
    for (const object of wanted) {
      if (object.fields !== undefined) expect(found.get(placeOf(object))?.fields).toMatchObject(object.fields);
    }
    for (const [place, texts] of this.#foreign) {
      const [kind = '', key = ''] = JSON.parse(place);
      expect(await this.textOf({ kind, key }), 'what somebody else made').toEqual(texts);
    }
    const writes = this.system.writes();
    const { id, counts } = await this.planned();
    expect(counts).toMatchObject({ ...NOTHING_TO_DO, unchanged: wanted.length });
    expect((await this.apply(id)).status).toBe('done');
    expect(this.system.writes(), 'calls that write').toBe(writes);
    await this.#expectNoSecret();
  }

  async #expectNoSecret(): Promise<void> {
    const { program } = this.#world;
    await program.rest('GET', '/syncer/logs');
    for (const secret of this.#secrets) {
      expect(program.said.includes(secret), 'a secret in a log or an answer').toBe(false);
    }
    program.said = '';
  }
}

const NOTHING_TO_DO = { create: 0, update: 0, move: 0, delete: 0, adopt: 0, conflict: 0, kept: 0 };

/** A sentence that says what is wrong; nothing that only its programmer understands. */
function expectHelp(message: string, what: string): void {
  expect(message.length, `${what}, "${message}", says what is wrong`).toBeGreaterThan(20);
  expect(message, what).not.toMatch(/\bat \S+:\d+:\d+|\[object Object\]|undefined|unexpected reason/);
}

function problemOf(body: unknown): string {
  const { message, error } = (body ?? {}) as { readonly message?: unknown; readonly error?: unknown };
  return typeof message === 'string' ? message : typeof error === 'string' ? error : JSON.stringify(body);
}

function sumOf({ unchanged: _, kept: __, ...counts }: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function placeOf({ kind, key }: ObjectReference): string {
  return JSON.stringify([kind, key]);
}

function last<T>(list: readonly T[]): T {
  const item = list.at(-1);
  if (item === undefined) throw new Error('the harness gives too few of something');
  return item;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
