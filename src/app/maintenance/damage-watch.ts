import type { Logger, Storage } from '../../ports/index.ts';

/**
 * Looks for damage of what is stored. A store reads past much of it: an index that lost entries gives fewer hosts, and no error. So a
 * service that knows of damage says so, and is not ready.
 */
export class DamageWatch {
  readonly #storage: Pick<Storage, 'check'>;
  readonly #logger: Logger;
  #isDamaged = false;

  constructor(storage: Pick<Storage, 'check'>, logger: Logger) {
    this.#storage = storage;
    this.#logger = logger;
  }

  /** Whether the last look found any. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  async look(): Promise<void> {
    for await (const { subject, message } of this.#storage.check({ fix: false, only: 'damage' })) {
      this.#isDamaged = true;
      this.#logger.error('what is stored is damaged', { subject, reason: message });
      return;
    }
    this.#isDamaged = false;
  }
}
