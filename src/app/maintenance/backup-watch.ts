import type { Clock } from '../../ports/index.ts';
import { type KeptBackup, newestBackup } from './transfer/kept-backups.ts';

/** The folder is looked into no more often than this, however often somebody asks; backups are hours apart. */
const REMEMBERED_MS = 5 * 60_000;

interface BackupWatchDeps {
  readonly folder: string;
  readonly clock: Clock;
}

/** The newest kept backup, for whoever asks all the time. */
export class BackupWatch {
  readonly #deps: BackupWatchDeps;
  #known: { readonly until: number; readonly newest: Promise<KeptBackup | undefined> } | undefined;

  constructor(deps: BackupWatchDeps) {
    this.#deps = deps;
  }

  /** `undefined` where there is none, or the folder cannot be read: doctor says which. */
  newest(): Promise<KeptBackup | undefined> {
    const now = this.#deps.clock.now().getTime();
    if (this.#known === undefined || this.#known.until <= now) {
      const newest = newestBackup(this.#deps.folder).catch(() => undefined);
      this.#known = { until: now + REMEMBERED_MS, newest };
    }
    return this.#known.newest;
  }
}
