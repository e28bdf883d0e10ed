import type { Clock, Logger, LogStore, Storage } from '../../../ports/index.ts';
import type { Account, AccountDirectory } from '../../accounts/account-directory.ts';
import { hasPlans } from '../../accounts/account-types.ts';
import { entriesSince } from '../../journal/entries-since.ts';
import type { PluginRegistry } from '../../kernel/plugin-host/registry.ts';
import type { CronGroupDirectory } from '../cron/group-directory.ts';
import type { Figures, PlanFigures } from './figures.ts';
import { RunCounts } from './run-counts.ts';

export interface RunFiguresDeps {
  readonly storage: Storage;
  readonly accounts: AccountDirectory;
  readonly plugins: PluginRegistry;
  readonly groups: CronGroupDirectory;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Runs that ended before are not counted. */
  readonly since: Date;
}

/** Nodes have clocks of their own, so the last minute of the log is looked at again. */
const OVERLAP_MS = 60_000;
/** Requests within this time get the same figures. */
const FRESH_MS = 1_000;
/** Longest wait for a store that does not answer. */
const TIMEOUT_MS = 3_000;
/** Plans of an account that are looked at. */
const NEWEST_PLANS = 100;

/**
 * Figures on the state of synchronisation, for monitoring. Reads only new log entries and a few short lists, regardless of how
 * much is stored, and only on request.
 */
export class RunFigures {
  readonly #deps: RunFiguresDeps;
  readonly #counts = new RunCounts();
  /** Entries that are counted and will be seen again, by id. */
  #counted = new Map<string, Date>();
  #readTo: Date | undefined;
  #figures: Figures | undefined;
  #reading: Promise<Figures> | undefined;

  constructor(deps: RunFiguresDeps) {
    this.#deps = deps;
  }

  /** As they are now; older ones, or `undefined` before the first, when the store does not answer. */
  async read(): Promise<{ readonly figures: Figures | undefined; readonly isCurrent: boolean }> {
    const age = this.#figures === undefined ? Number.POSITIVE_INFINITY : Date.now() - this.#figures.readAt.getTime();
    if (age >= 0 && age < FRESH_MS) return { figures: this.#figures, isCurrent: true };
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), TIMEOUT_MS);
    });
    const figures = await Promise.race([this.#reading.catch((error: unknown) => this.#failed(error)), late]);
    clearTimeout(timer);
    return { figures: figures ?? this.#figures, isCurrent: figures !== undefined };
  }

  #failed(error: unknown): undefined {
    this.#deps.logger.warn('the figures of runs could not be read', { error });
    return undefined;
  }

  async #read(): Promise<Figures> {
    const { storage, clock } = this.#deps;
    const now = clock.now();
    await this.#followLog(now);
    const known = await this.#deps.accounts.list(null);
    const enabled = new Set(known.filter((account) => account.enabled).map(({ name }) => name));
    const names = new Set(known.map(({ name }) => name));
    const runs = await storage.activeRuns.list();
    const figures: Figures = {
      readAt: now,
      accounts: [...this.#counts.accounts.values()]
        .filter(({ account }) => names.has(account))
        .map(({ completeAt, lastAt: _lastAt, ...counts }) => {
          // An account that is switched off is not expected to run.
          return { ...counts, ...(completeAt !== undefined && enabled.has(counts.account) ? { completeAt } : {}) };
        }),
      groups: await this.#groups(),
      plans: await this.#plans(known),
      active: {
        import: runs.filter(({ kind }) => kind === 'import').length,
        export: runs.filter(({ kind }) => kind === 'export').length,
        plan: runs.filter(({ kind }) => kind === 'plan').length,
      },
      outbox: await storage.outbox.backlog(),
    };
    this.#figures = figures;
    return figures;
  }

  async #followLog(now: Date): Promise<void> {
    const { storage, since } = this.#deps;
    if (this.#readTo === undefined) await this.#noteNewest(storage.logs);
    const from = this.#readTo === undefined ? since : new Date(this.#readTo.getTime() - OVERLAP_MS);
    const floor = from > since ? from : since;
    for await (const page of entriesSince(storage.logs, floor)) {
      for (const entry of page) {
        if (this.#counted.has(entry.id)) continue;
        this.#counted.set(entry.id, entry.at);
        this.#counts.count(entry);
      }
    }
    this.#readTo = now;
    const oldest = new Date(now.getTime() - OVERLAP_MS);
    this.#counted = new Map([...this.#counted].filter(([, at]) => at >= oldest));
  }

  /** When each account was last complete, though that was before the process began. */
  async #noteNewest(logs: LogStore): Promise<void> {
    for (const { source } of await logs.newestBySource()) {
      if (!/^(import|export):/.test(source)) continue;
      const [entry] = await logs.latest({ limit: 1, source });
      if (entry !== undefined) this.#counts.note(entry);
    }
  }

  async #groups(): Promise<Figures['groups']> {
    const states = new Map((await this.#deps.storage.cron.states()).map((state) => [state.groupId, state]));
    return (await this.#deps.groups.list(null)).map(({ id, name }) => {
      const state = states.get(id);
      return {
        group: name,
        runs: { done: 0, failed: 0, ...this.#counts.groups.get(name) },
        ...(state === undefined ? {} : { lastStart: state.lastStart }),
        running: state?.isHeld ?? false,
        failed: state?.hasError ?? false,
      };
    });
  }

  /** Reads the plans of each account separately: an account that plans often must not hide the plans of others. */
  async #plans(accounts: readonly Account[]): Promise<Figures['plans']> {
    const { storage, plugins } = this.#deps;
    const figures: PlanFigures[] = [];
    for (const { id, name, type } of accounts) {
      if (!hasPlans({ plugins }, type)) continue;
      const plans = await storage.plans.list({ limit: NEWEST_PLANS, accounts: [id] });
      const [newest] = plans;
      if (newest === undefined) continue;
      const waiting = plans.filter(
        ({ status, needsApproval, approvedBy }) => status === 'ready' && needsApproval && approvedBy === null,
      ).length;
      figures.push({ account: name, madeAt: newest.madeAt, counts: newest.counts, waiting });
    }
    return figures;
  }
}
