import type { AccountScope, Storage } from '../../../ports/index.ts';
import type { AccountDirectory } from '../../accounts/account-directory.ts';
import { jobOf } from '../../kernel/jobs/job-of.ts';
import { HELD, type PluginRegistry } from '../../kernel/plugin-host/registry.ts';
import { RevisionCache } from '../../kernel/revision-cache.ts';
import { actingRecords } from '../../rules/trust/held-versions.ts';
import { CRON_GROUPS } from './change-group.ts';
import { type CronGroup, type CronJob, compareGroups, readCronGroup } from './decisions/group.ts';

/** The cron groups as their documents say. */
export class CronGroupDirectory {
  readonly #accounts: AccountDirectory;
  readonly #plugins: PluginRegistry;
  readonly #groups: RevisionCache<readonly CronGroup[]>;

  constructor(deps: {
    readonly storage: Storage;
    readonly accounts: AccountDirectory;
    readonly plugins: PluginRegistry;
  }) {
    this.#accounts = deps.accounts;
    this.#plugins = deps.plugins;
    this.#groups = new RevisionCache(deps.storage, [`rules/${CRON_GROUPS}`, `rules/${HELD}`], () =>
      this.#read(deps.storage),
    );
  }

  /**
   * Reads the groups. Webhook calls are checked against what was last confirmed, even if a group was made in place of a removed
   * one.
   */
  async #read({ rules }: Storage): Promise<readonly CronGroup[]> {
    const stored = await rules.list(CRON_GROUPS);
    const type = this.#plugins.ruleType(CRON_GROUPS);
    const acting = type === undefined ? stored : await actingRecords(rules, type);
    const there = new Set(stored.map(({ id }) => id));
    const removed = acting.filter(({ id }) => !there.has(id)).map(readCronGroup);
    const groups = acting.filter(({ id }) => there.has(id)).map(readCronGroup);
    return groups
      .map((group) => {
        const earlier = removed.find(({ name }) => name === group.name && group.record.confirmedBy === null);
        return earlier === undefined ? group : { ...group, webhookPolicy: earlier.webhookPolicy };
      })
      .sort(compareGroups);
  }

  /**
   * Returns the groups in the order in which they start. Callers restricted to accounts get the groups whose jobs all stay within
   * these accounts.
   */
  async list(scope: AccountScope): Promise<readonly CronGroup[]> {
    const groups = await this.#groups.get();
    if (scope === null) return groups;
    const accounts = await this.#accounts.list(scope);
    const names = new Set(accounts.flatMap((account) => [account.name, account.id]));
    const isTheirs = (job: CronJob): boolean => names.has(job.account ?? '') && this.#isWithinAccount(job);
    return groups.filter(({ jobs }) => jobs.length > 0 && jobs.every(isTheirs));
  }

  /** Other jobs act on hosts of all accounts, even if they name one: an export passes on every host. */
  #isWithinAccount({ command }: CronJob): boolean {
    return jobOf(this.#plugins, command)?.withinAccount === true;
  }

  async find(name: string, scope: AccountScope): Promise<CronGroup | undefined> {
    return (await this.list(scope)).find((group) => group.name === name);
  }
}
