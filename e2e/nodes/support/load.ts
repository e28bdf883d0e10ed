import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { Oracle } from '../../faults/support/oracle.ts';
import type { Random } from '../../faults/support/random.ts';
import { Writer } from '../../faults/support/writer.ts';
import { type Answer, Api, addUsers, basic, PASSWORD } from '../../support/api.ts';
import type { Workplace } from '../../support/workplace.ts';
import type { Cluster } from './cluster.ts';
import { type FoundNotes, JOBS, LONG_JOB, putNotedWork, readNotes } from './noted-work.ts';
import { type Pager, repeatedWithout } from './pager.ts';

const WRITERS = 3;
/** Accounts that are imported on and on; the imports of the last one fail. */
const ACCOUNTS = ['red', 'blue', 'broken'];
const FAILING = 'broken';
/** Two ask at once for each account, so that they meet. */
const ASKERS = 2;
/** How long a request for a run may take before it is asked for again. */
const PATIENCE_MS = 60_000;
/** Longer than a killed sender of notifications keeps what it was sending. */
const END_MS = 150_000;

/** What nodes are started with. */
export const NODE_ENVIRONMENT = {
  SERVICE_PLUGINS: './noted-work',
  SERVICE_CRON_PASS_SECONDS: '1',
  SERVICE_DRAIN_SECONDS: '1',
  SERVICE_RATE_LIMIT_401_PER_MINUTE: '0',
};

/** Users, accounts, cron groups and a receiver of notifications, before the first node starts. */
export async function prepareLoad(place: Workplace, pager: Pager): Promise<void> {
  await putNotedWork(place);
  await addUsers(place, { root: { api_roles: ['all'], global_admin: true } }, ['crm']);
  for (const account of ACCOUNTS) {
    const fails = account === FAILING ? ['--set', 'fails=yes'] : [];
    await place.done(['account', 'add', account, '--type', 'noted', ...fails]);
  }
  await place.done(['account', 'add', 'pager', '--type', 'webhook', '--set', `url=${pager.url}`]);
  const groups = [...JOBS, LONG_JOB].map((name) => ({ name, enabled: true, jobs: [{ name, command: name }] }));
  const policy = { name: 'all', enabled: true, receivers: ['pager'], cool_down_minutes: 0 };
  const rules = { cron_groups: groups, notification_policies: [policy] };
  await place.done(['rules', 'import', '-'], { input: JSON.stringify({ rules }) });
  // What was before the first look is no news.
  await place.done(['notification', 'send']);
}

/** How often somebody asked. */
interface Asked {
  acknowledged: number;
  /** Requests without an answer of a node: they were heard, or not. */
  uncertain: number;
}

/** Everything that users and schedules do at once, by the proxy, and what must have come of it. */
export class Load {
  readonly #cluster: Cluster;
  readonly #pager: Pager;
  readonly #oracle = new Oracle();
  readonly #writers: readonly Writer[];
  readonly #api: Api;
  /** Of a user who logged in once. */
  readonly #session: Api;
  readonly #asked = new Map<string, Asked>();
  readonly #loggedOut: string[] = [];
  #looks = 0;
  #isOver = false;
  readonly #going: Promise<void>[] = [];

  private constructor(cluster: Cluster, pager: Pager, random: Random, apis: { api: Api; session: Api }) {
    this.#cluster = cluster;
    this.#pager = pager;
    this.#api = apis.api;
    this.#session = apis.session;
    this.#writers = Array.from(
      { length: WRITERS },
      (_, index) =>
        new Writer({ name: `h${index}`, random, oracle: this.#oracle, isBulkOneUnit: true, isRefusalUncertain: true }),
    );
  }

  static async begin(cluster: Cluster, pager: Pager, random: Random): Promise<Load> {
    const api = await Api.open(cluster.url, basic('root', PASSWORD));
    const session = await Api.open(cluster.url);
    expect((await session.post('/admin/api/session', { name: 'root', password: PASSWORD })).status).toBe(200);
    const load = new Load(cluster, pager, random, { api, session });
    load.#going.push(load.#lookOnAndOn());
    for (const name of JOBS) load.#going.push(load.#runOnAndOn(name));
    for (const name of ACCOUNTS) {
      for (let asker = 0; asker < ASKERS; asker++) load.#going.push(load.#importOnAndOn(name));
    }
    return load;
  }

  /**
   * Clients write while something happens, which must leave a node that answers. What was acknowledged is there, and what was not is there
   * whole or not at all. Answers what was refused.
   */
  async while(happens: () => Promise<void>, survivor = 0): Promise<readonly Answer[]> {
    let isOver = false;
    let stopped = 0;
    const before = this.#oracle.acknowledged;
    const writing = this.#writers.map((writer) => writer.run(this.#api, () => isOver).finally(() => stopped++));
    // Each stops at the first refusal, so that nothing hides what became of the write.
    while (this.#oracle.acknowledged === before && stopped < WRITERS) await pause(20);
    await happens();
    isOver = true;
    const refused = (await Promise.all(writing)).flat();
    const index = this.#cluster.running.includes(survivor) ? survivor : (this.#cluster.running[0] ?? 0);
    const api = await Api.open(this.#cluster.urlOf(index), basic('root', PASSWORD));
    try {
      expect(await this.#oracle.differences(api)).toEqual([]);
    } finally {
      await api.close();
    }
    return refused;
  }

  /** Asks for a run of a group, which must be heard. */
  async ask(name: string): Promise<void> {
    const answer = await this.#api.post('/syncer/cron/', { job_name: name, run_once_next: true });
    expect(answer.status, answer.text).toBe(200);
    this.#count(name).acknowledged++;
  }

  /** Ends all of it, waits until what was asked for is done, and looks at everything. Answers figures for people. */
  async end(): Promise<string> {
    this.#isOver = true;
    await Promise.all(this.#going);
    const { place } = this.#cluster;
    await expect.poll(() => this.#missingRuns(), { timeout: END_MS }).toEqual([]);
    // Further passes find nothing to do.
    await pause(2_500);
    expect(await this.#missingRuns()).toEqual([]);
    const notes = await readNotes(place);
    expect(notes.wrong).toEqual([]);
    expect(this.#tooManyRuns(notes)).toEqual([]);
    expect(this.#loggedOut).toEqual([]);
    await expect.poll(() => this.#unsentNotifications(), { timeout: END_MS, intervals: [1_000] }).toEqual([]);
    const { taken } = this.#pager;
    expect(repeatedWithout(this.#cluster.kills, taken)).toEqual([]);
    const requests = this.#oracle.takeRequests().length;
    const runs = [...notes.runs.values()].reduce((sum, { ended }) => sum + ended, 0);
    const ids = new Set(taken.map(({ id }) => id)).size;
    return (
      `${requests} writes acknowledged, ${this.#oracle.unanswered} without an answer; ${runs} runs of cron groups and accounts; ` +
      `${this.#looks} calls of one session; ${ids} notifications, ${taken.length - ids} of them twice`
    );
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await Promise.allSettled(this.#going);
    await this.#api.close();
    await this.#session.close();
  }

  /** Writes that were sent and got no answer. */
  get unanswered(): number {
    return this.#oracle.unanswered;
  }

  #count(name: string): Asked {
    const asked = this.#asked.get(name) ?? { acknowledged: 0, uncertain: 0 };
    this.#asked.set(name, asked);
    return asked;
  }

  async #lookOnAndOn(): Promise<void> {
    while (!this.#isOver) {
      const answer = await this.#session.get('/admin/api/session').catch(() => undefined);
      if (answer?.status === 200) this.#looks++;
      else if (answer !== undefined && answer.status < 500) this.#loggedOut.push(`${answer.status} ${answer.text}`);
      await pause(100);
    }
  }

  async #runOnAndOn(name: string): Promise<void> {
    const asked = this.#count(name);
    while (!this.#isOver) {
      const before = await this.#ended(name);
      const body = { job_name: name, run_once_next: true };
      const answer = await this.#api.post('/syncer/cron/', body).catch(() => undefined);
      if (answer?.status === 200) asked.acknowledged++;
      else asked.uncertain++;
      const until = performance.now() + PATIENCE_MS;
      const hasToEnd = answer?.status === 200;
      while (hasToEnd && !this.#isOver && performance.now() < until && (await this.#ended(name)) === before)
        await pause(200);
      await pause(100);
    }
  }

  async #importOnAndOn(account: string): Promise<void> {
    const asked = this.#count(`import:${account}`);
    while (!this.#isOver) {
      const call = this.#session.post('/admin/api/operations/imports/import-account', { account });
      const answer = await call.catch(() => undefined);
      if (answer?.status === 200) asked.acknowledged++;
      else if (answer?.status !== 409) asked.uncertain++;
      await pause(200);
    }
  }

  async #ended(name: string): Promise<number> {
    return (await readNotes(this.#cluster.place)).runs.get(name)?.ended ?? 0;
  }

  /** Runs that were asked for and did not come to their end. */
  async #missingRuns(): Promise<string[]> {
    const { runs } = await readNotes(this.#cluster.place);
    return [...this.#asked].flatMap(([name, { acknowledged }]) => {
      const { ended = 0, wasGivenUp = false } = runs.get(name) ?? {};
      return ended >= acknowledged || wasGivenUp ? [] : [`${name}: ${ended} of ${acknowledged} runs`];
    });
  }

  #tooManyRuns({ runs }: FoundNotes): string[] {
    return [...runs].flatMap(([name, { ended, repeatable }]) => {
      const { acknowledged, uncertain } = this.#count(name);
      // A group runs once by itself, when it is there.
      const own = name.startsWith('import:') ? 0 : 1;
      const most = acknowledged + uncertain + repeatable + own;
      return ended <= most ? [] : [`${name}: ${ended} runs, and ${most} at most were asked for`];
    });
  }

  /** Imports that failed and of which the receiver does not know, or by more than one id each. */
  async #unsentNotifications(): Promise<string[]> {
    const { place } = this.#cluster;
    const logged = new Map<string, number>();
    for (const account of ACCOUNTS) {
      const entries = JSON.parse(
        await place.done(['logs', '--json', '--errors', '--limit', '10000', '--source', `import:${account}`]),
      ) as { message: string }[];
      for (const { message } of entries) logged.set(message, (logged.get(message) ?? 0) + 1);
    }
    const sent = new Map<string, Set<string>>();
    for (const { id, title } of this.#pager.taken) sent.set(title, (sent.get(title) ?? new Set()).add(id));
    return [...logged].flatMap(([message, count]) => {
      const ids = sent.get(message)?.size ?? 0;
      return ids === count ? [] : [`${message}: ${count} times in the log, ${ids} notifications`];
    });
  }
}
