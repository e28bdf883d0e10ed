import type { AuditEntry, AuditStore, Logger } from '../../ports/index.ts';

/** Entries that wait while the storage does not answer; beyond, the oldest are given up and the log says so. */
const MAX_WAITING = 10_000;

/**
 * Keeps audit entries. They ride along with the next group of writes, so that no caller waits for them; whoever reads the
 * audit log first waits until all of them are kept.
 */
export class AuditTrail {
  readonly #store: AuditStore;
  readonly #logger: Logger;
  #waiting: AuditEntry[] = [];
  #keeping: Promise<void> | undefined;

  constructor(deps: { readonly store: AuditStore; readonly logger: Logger }) {
    this.#store = deps.store;
    this.#logger = deps.logger;
  }

  keep(entry: AuditEntry): void {
    if (this.#waiting.length >= MAX_WAITING) {
      const lost = this.#waiting.shift();
      this.#logger.error('audit entries are lost: the storage does not keep up', { operation: lost?.operation });
    }
    this.#waiting.push(entry);
    this.#keeping ??= this.#keepAll();
  }

  /** Resolves when every entry so far is kept, or could not be. */
  async settled(): Promise<void> {
    while (this.#keeping !== undefined) await this.#keeping;
  }

  async #keepAll(): Promise<void> {
    // One turn of the event loop collects what a burst of requests leaves.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const entries = this.#waiting;
      this.#waiting = [];
      try {
        await this.#store.append(entries);
      } catch (error) {
        this.#logger.error('audit entries could not be kept', { error, entries: entries.length });
      }
    }
    this.#keeping = undefined;
  }
}
