import type { AccountScope, Storage } from '../../../ports/index.ts';
import type { AccountDirectory } from '../../accounts/account-directory.ts';
import { jobOf } from '../../kernel/jobs/job-of.ts';
import type { PluginRegistry } from '../../kernel/plugin-host/registry.ts';
import { RevisionCache } from '../../kernel/revision-cache.ts';
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
    this.#groups = new RevisionCache(deps.storage, [`rules/${CRON_GROUPS}`], async () =>
      (await deps.storage.rules.list(CRON_GROUPS)).map(readCronGroup).sort(compareGroups),
    );
  }

  /** In the order in which they start. Who is restricted to accounts has the groups whose jobs all stay within these accounts. */
  async list(scope: AccountScope): Promise<readonly CronGroup[]> {
    const groups = await this.#groups.get();
    if (scope === null) return groups;
    const accounts = await this.#accounts.list(scope);
    const names = new Set(accounts.flatMap((account) => [account.name, account.id]));
    const isTheirs = (job: CronJob): boolean => names.has(job.account ?? '') && this.#isWithinAccount(job);
    return groups.filter(({ jobs }) => jobs.length > 0 && jobs.every(isTheirs));
  }

  /** Other jobs work on hosts of all accounts, whatever account stands beside them: an export hands over every host. */
  #isWithinAccount({ command }: CronJob): boolean {
    return jobOf(this.#plugins, command)?.withinAccount === true;
  }

  async find(name: string, scope: AccountScope): Promise<CronGroup | undefined> {
    return (await this.list(scope)).find((group) => group.name === name);
  }
}
