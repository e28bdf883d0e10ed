import { randomBytes } from 'node:crypto';
import {
  AppError,
  type AuditChainStep,
  type AuditEntry,
  type AuditStore,
  type Clock,
  type Logger,
  type SecretBox,
} from '../../ports/index.ts';
import {
  AUDIT_KEY_PURPOSE,
  type ChainState,
  linkEntries,
  markingKey,
  type OpenChain,
  openState,
  stateText,
} from './chain-state.ts';

export interface AuditChainDeps {
  readonly store: AuditStore;
  /** Asked at the first entry, so that what keeps none needs no key. */
  readonly secrets: () => SecretBox;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The writing end of the audit log's chain. Any number of processes and threads continue one chain: each goes on from the
 * state that it knows, and from the one that it is told when somebody else was faster.
 */
export class AuditChain {
  readonly #deps: AuditChainDeps;
  #known: OpenChain | undefined;
  /** Why the chain was not continued, so that it is said once. */
  #told = '';

  constructor(deps: AuditChainDeps) {
    this.#deps = deps;
  }

  /**
   * Keeps the entries at the end of the chain. Where it cannot be continued (another instance key, somebody changed its
   * record) they are kept outside of it, which the check of the storage names: no entry is lost for want of a mark.
   */
  async append(entries: readonly AuditEntry[]): Promise<void> {
    const { store } = this.#deps;
    let chain: OpenChain;
    try {
      chain = this.#known ?? (await this.#open(await store.chain()));
    } catch (error) {
      return this.#keepOutside(entries, error);
    }
    for (;;) {
      const { linked, end } = linkEntries(chain.key, entries, chain.state.end);
      const next = changed(chain, { end });
      const moved = await store.append(linked, stepTo(chain, next));
      if (moved === undefined) {
        this.#known = next;
        return;
      }
      this.#known = undefined;
      try {
        chain = await this.#open(moved.chain);
      } catch (error) {
        return this.#keepOutside(entries, error);
      }
    }
  }

  /** Deletes what is older than the date, and keeps in the state of the chain where it begins from now on. */
  async prune(before: Date): Promise<number> {
    const { store } = this.#deps;
    const count = await store.pruneUnlinked(before);
    for (;;) {
      const start = await store.lastLinkedBefore(before);
      const text = await store.chain();
      if (start === undefined || text === null) return count;
      const chain = await this.#open(text);
      if (start.seq <= chain.state.start.seq) return count;
      const next = changed(chain, { start });
      const pruned = await store.pruneLinked(start.seq, stepTo(chain, next));
      if (pruned === undefined) continue;
      this.#known = next;
      return count + pruned;
    }
  }

  /** Seals the key of the marks anew, where `renew` answers another text for it. */
  async reseal(renew: (sealed: string) => Promise<string | undefined>): Promise<void> {
    const { store } = this.#deps;
    for (;;) {
      const text = await store.chain();
      if (text === null) return;
      let chain: OpenChain;
      try {
        chain = await this.#open(text);
      } catch (error) {
        // It was lost before, as the check of the storage says, and a new instance key does not wait for it.
        if (error instanceof AppError && error.code === 'failed') return;
        throw error;
      }
      const key = await renew(chain.state.key);
      if (key === undefined) return;
      const next = changed(chain, { key });
      if ((await store.append([], stepTo(chain, next))) !== undefined) continue;
      this.#known = next;
      return;
    }
  }

  /** The chain as it is stored; `undefined` before there is one. Throws `failed` when it cannot be continued. */
  async read(): Promise<OpenChain | undefined> {
    const text = await this.#deps.store.chain();
    return text === null ? undefined : this.#open(text);
  }

  async #open(text: string | null): Promise<OpenChain> {
    const { secrets } = this.#deps;
    return text === null ? this.#begin() : openState(text, (sealed) => secrets().open(sealed, AUDIT_KEY_PURPOSE));
  }

  async #begin(): Promise<OpenChain> {
    const { store, secrets, clock } = this.#deps;
    for await (const [first] of store.linked({ after: Number.NEGATIVE_INFINITY, batchSize: 1 })) {
      if (first === undefined) break;
      throw new AppError('failed', 'the record of the audit chain is gone, and entries of it are there');
    }
    const bytes = randomBytes(32);
    const key = await secrets().seal(bytes.toString('base64'), AUDIT_KEY_PURPOSE);
    const { count: outside } = await store.unlinked({ limit: 0 });
    const nothing = { seq: 0, mark: '' };
    const state: ChainState = { key, begunAt: clock.now(), outside, start: nothing, end: nothing };
    return { text: null, state, key: markingKey(bytes) };
  }

  async #keepOutside(entries: readonly AuditEntry[], error: unknown): Promise<void> {
    if (!(error instanceof AppError) || error.code !== 'failed') throw error;
    // Whoever saw the very same failure end an operation was told by it.
    const wasAnswered = entries.every(({ outcome }) => outcome === error.code);
    if (this.#told !== error.message && !wasAnswered) {
      this.#told = error.message;
      this.#deps.logger.error('audit entries are kept outside of the chain; run "muster storage check"', {
        reason: error.message,
      });
    }
    await this.#deps.store.append(entries.map((entry) => ({ ...entry, link: null })));
  }
}

function changed(chain: OpenChain, change: Partial<ChainState>): OpenChain {
  const state = { ...chain.state, ...change };
  return { state, key: chain.key, text: stateText(state, chain.key) };
}

function stepTo(from: OpenChain, to: OpenChain): AuditChainStep {
  return { from: from.text, to: to.text ?? '' };
}
