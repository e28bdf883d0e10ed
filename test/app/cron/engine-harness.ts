import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { AccountDirectory } from '../../../src/app/accounts/account-directory.ts';
import { PluginRegistry } from '../../../src/app/kernel/plugin-host/registry.ts';
import { CRON_GROUPS, setRunOnceNext } from '../../../src/app/runs/cron/change-group.ts';
import { CronEngine } from '../../../src/app/runs/cron/cron-engine.ts';
import { CronGroupDirectory } from '../../../src/app/runs/cron/group-directory.ts';
import { type GroupStatus, groupStatus } from '../../../src/app/runs/cron/group-status.ts';
import type { CallOperation } from '../../../src/app/runs/cron/job-runner.ts';
import {
  type Actor,
  type Clock,
  type CronState,
  type JobOutcome,
  type JobRun,
  type Logger,
  type ProcessIdentity,
  type RuleDocument,
  type Storage,
  StoredJson,
} from '../../../src/ports/index.ts';

const ACTOR: Actor = { kind: 'system', name: 'test' };
const START = new Date('2026-06-01T12:00:00Z');

type Work = (run: JobRun) => Promise<unknown> | unknown;

/** A job that begins and then waits until the test lets it end. */
export interface Gate {
  /** Runs that began so far. */
  begun: number;
  /** Waits for the next run to begin. */
  beginning(): Promise<void>;
  /** Lets the run that waits end. */
  open(): void;
}

/** Engines of several processes over one storage in memory, with a clock that the test moves. */
export class EngineHarness {
  readonly storage: Storage;
  readonly plugins = new PluginRegistry();
  /** What jobs did, in order. */
  readonly events: string[] = [];
  readonly problems: string[] = [];
  readonly dead = new Set<string>();
  callOperation: CallOperation = async () => null;
  #now = START.getTime();
  #ids = 0;
  readonly #works = new Map<string, Work>();

  private constructor(wrap: (storage: Storage) => Storage) {
    const clock: Clock = { now: () => this.now() };
    this.storage = wrap(memoryStorage()({ clock }));
    const door = this.plugins.door('test', this.#logger(), []);
    const runWork = async (name: string, run: JobRun): Promise<JobOutcome> => {
      this.events.push(run.account === undefined ? name : `${name} ${run.account}`);
      return ((await this.#works.get(name)?.(run)) ?? { message: 'fine' }) as JobOutcome;
    };
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Six']) {
      door.job({ id: name, aliases: [], description: '', account: 'none', run: (run) => runWork(name, run) });
    }
    door.job({ id: 'Load', aliases: [], description: '', account: 'required', run: (run) => runWork('Load', run) });
  }

  static async create(wrap: (storage: Storage) => Storage = (storage) => storage): Promise<EngineHarness> {
    const harness = new EngineHarness(wrap);
    await harness.storage.start();
    return harness;
  }

  now(): Date {
    return new Date(this.#now);
  }

  pass(minutes: number): void {
    this.#now += minutes * 60_000;
  }

  /** What the job does when it runs; it says "fine" otherwise. */
  job(name: string, work: Work): void {
    this.#works.set(name, work);
  }

  gate(name: string): Gate {
    let began = (): void => undefined;
    let end = (): void => undefined;
    let beginning = new Promise<void>((resolve) => {
      began = resolve;
    });
    const gate: Gate = {
      begun: 0,
      async beginning() {
        await beginning;
        beginning = new Promise<void>((resolve) => {
          began = resolve;
        });
      },
      open: () => end(),
    };
    this.job(name, async () => {
      gate.begun++;
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      began();
      await ended;
    });
    return gate;
  }

  async put(type: string, name: string, members: RuleDocument = {}): Promise<string> {
    const known = await this.storage.rules.findByName(type, name);
    const id = known?.id ?? this.#newId();
    const document = { _id: { $oid: id }, name, enabled: true, ...members };
    await this.storage.rules.write({
      entries: [{ type, id, name, uniqueName: true, document: StoredJson.ofValue(document), confirmedBy: 'operator' }],
      mode: 'replace',
      actor: ACTOR,
      at: this.now(),
    });
    return id;
  }

  /** A group of jobs by their commands, due every hour. */
  group(name: string, commands: readonly string[], members: RuleDocument = {}): Promise<string> {
    const jobs = commands.map((command) => ({ name: command.toLowerCase(), command }));
    return this.put(CRON_GROUPS, name, { interval: 'hour', jobs, ...members });
  }

  async request(id: string): Promise<void> {
    await setRunOnceNext({ storage: this.storage, clock: { now: () => this.now() } }, id, ACTOR, true);
  }

  engine(name = 'node1', more: { readonly takes?: readonly string[]; readonly files?: boolean } = {}): CronEngine {
    const accounts = new AccountDirectory({
      storage: this.storage,
      secrets: undefined as never,
      references: undefined as never,
    });
    const process: ProcessIdentity = {
      name,
      isDead: (holder) => [...this.dead].some((dead) => holder.startsWith(`${dead}/`)),
    };
    return new CronEngine({
      storage: this.storage,
      clock: { now: () => this.now() },
      logger: this.#logger(),
      newId: () => this.#newId(),
      plugins: this.plugins,
      accounts,
      groups: new CronGroupDirectory({ storage: this.storage, accounts, plugins: this.plugins }),
      process,
      timeZone: 'UTC',
      takes: more.takes ?? [],
      hasFiles: async () => more.files ?? true,
      actor: { kind: 'system', name: 'cron' },
      longestWaitMs: 300,
      callOperation: (...call) => this.callOperation(...call),
    });
  }

  async state(id: string): Promise<CronState | undefined> {
    return (await this.storage.cron.states()).find(({ groupId }) => groupId === id);
  }

  async status(name: string): Promise<GroupStatus> {
    const accounts = new AccountDirectory({
      storage: this.storage,
      secrets: undefined as never,
      references: undefined as never,
    });
    const groups = new CronGroupDirectory({ storage: this.storage, accounts, plugins: this.plugins });
    const group = await groups.find(name, null);
    if (group === undefined) throw new Error(`there is no group ${name}`);
    return groupStatus(group, await this.state(group.id), { now: this.now() });
  }

  /** A run by a process that is no engine of this test. */
  async hold(groupId: string, holder: string, leaseMs = 15_000): Promise<void> {
    const seenStart = (await this.state(groupId))?.lastStart ?? null;
    const claim = { groupId, holder, at: this.now(), leaseMs, seenStart, requested: false };
    if (!(await this.storage.cron.claim(claim))) throw new Error('the group is held already');
  }

  #newId(): string {
    return (++this.#ids).toString(16).padStart(24, '0');
  }

  #logger(): Logger {
    const note = (message: string): void => void this.problems.push(message);
    const logger: Logger = { debug() {}, info() {}, warn: note, error: note, child: () => logger };
    return logger;
  }
}
