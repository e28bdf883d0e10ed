import { randomBytes } from 'node:crypto';
import { worded } from '../../../kit/worded.ts';
import {
  AppError,
  type AuditChainStep,
  type AuditEntry,
  type AuditLink,
  type AuditStore,
  type Clock,
  type Logger,
  type SecretBox,
} from '../../../ports/index.ts';
import {
  AUDIT_KEY_PURPOSE,
  type ChainState,
  linkEntries,
  markingKey,
  type OpenChain,
  openState,
  stateText,
} from './chain-state.ts';
import { goesThrough, putBackEntry } from './put-back.ts';

export interface AuditChainDeps {
  readonly store: AuditStore;
  /** Asked at the first entry, so that what keeps none needs no key. */
  readonly secrets: () => SecretBox;
  /** Seals under another key than that of the stored data: for a lost key, when the chain starts over on purpose. */
  readonly secretsOfNewKey: () => SecretBox;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly newId: () => string;
}

const NOTHING: AuditLink = { seq: 0, mark: '' };
/** No entry is younger. */
const AFTER_ALL = new Date('9999-12-31T00:00:00Z');

/**
 * The writing end of the audit log's chain. Any number of processes and threads continue one chain: each continues from the state
 * that it knows, and from the one that the store returns if another writer was faster. If that state does not continue the known
 * one, the whole log was reset to an earlier state, and an entry records it.
 */
export class AuditChain {
  readonly #deps: AuditChainDeps;
  #known: OpenChain | undefined;
  /** The place at which a step began whose outcome is unknown. */
  #uncertain: AuditLink | undefined;
  /** Why the chain was not continued, so that it is said once. */
  #reported = '';

  constructor(deps: AuditChainDeps) {
    this.#deps = deps;
  }

  /**
   * Keeps the entries at the end of the chain. If it cannot be continued (another instance key, a changed record), they are kept
   * outside of it, which the check of the storage reports: no entry is lost for want of a mark. Entries whose `append` failed may
   * be passed again: those that were kept nevertheless are not kept twice.
   */
  async append(given: readonly AuditEntry[]): Promise<void> {
    const { store } = this.#deps;
    const known = this.#known?.state.end ?? NOTHING;
    const uncertain = given.length === 0 ? undefined : this.#uncertain;
    let entries = given;
    let chain: OpenChain;
    try {
      chain = this.#known ?? (await this.#open(await store.chain()));
    } catch (error) {
      return this.#keepOutside(given, error);
    }
    const from = uncertain ?? chain.state.end;
    let isPutBack = false;
    for (;;) {
      if (uncertain !== undefined) entries = await this.#notKept(entries, uncertain);
      const kept = isPutBack ? [this.#putBackEntry(known, chain.state.end), ...entries] : entries;
      if (kept.length === 0 && uncertain !== undefined) {
        this.#uncertain = undefined;
        return;
      }
      const { linked, end } = linkEntries(chain.key, kept, chain.state.end);
      const next = changed(chain, { end });
      const moved = await store.append(linked, stepTo(chain, next)).catch((error: unknown) => {
        if (given.length > 0) this.#uncertain = from;
        throw error;
      });
      if (moved === undefined) {
        this.#known = next;
        if (given.length > 0) this.#uncertain = undefined;
        if (isPutBack) this.#logPutBack(known, chain.state.end);
        return;
      }
      try {
        chain = await this.#open(moved.chain);
      } catch (error) {
        return this.#keepOutside(entries, error);
      }
      isPutBack = !(await this.#goesThrough(chain, known));
    }
  }

  /**
   * Compares the stored chain with the known one, and keeps an entry if it does not continue it: even a service that writes
   * nothing reports this soon.
   */
  async look(): Promise<void> {
    const known = this.#known;
    let chain: OpenChain | undefined;
    try {
      chain = await this.read();
    } catch (error) {
      this.#report(error, []);
      return;
    }
    if (known !== undefined && !(await this.#goesThrough(chain, known.state.end))) {
      if (known === this.#known) await this.append([]);
      return;
    }
    if ((chain?.state.end.seq ?? 0) > (this.#known?.state.end.seq ?? -1)) this.#known = chain;
  }

  /**
   * Whether the chain goes through a place that another system remembers, unchanged since. Keeps an entry if it does not. Also
   * true if the record is unreadable, so that nothing can be compared; the check of the storage reports why.
   */
  async continues(place: AuditLink): Promise<boolean> {
    let chain: OpenChain | undefined;
    try {
      chain = await this.read();
    } catch (error) {
      this.#report(error, []);
      return true;
    }
    if (await this.#goesThrough(chain, place)) return true;
    const end = chain?.state.end ?? NOTHING;
    this.#logPutBack(place, end);
    await this.append([this.#putBackEntry(place, end)]);
    return false;
  }

  /** Deletes entries older than the date, and records the new beginning of the chain in its state. */
  async prune(before: Date): Promise<number> {
    const { store } = this.#deps;
    const count = await store.pruneUnlinked(before);
    for (;;) {
      const start = await store.lastLinkedBefore(before);
      const text = await store.chain();
      if (start === undefined || text === null) return count;
      const chain = await this.#open(text);
      const { state } = chain;
      // Remaining entries of a chain whose key was lost precede the beginning, which stays at its place.
      const isLost = start.seq <= state.lostThrough;
      if (start.seq <= state.start.seq && !isLost) return count;
      const next = isLost ? chain : changed(chain, { start });
      const pruned = await store.pruneLinked(start.seq, stepTo(chain, next));
      if (pruned === undefined) continue;
      // The known state stays: the next entry compares it with the stored one.
      return count + pruned;
    }
  }

  /**
   * Begins a new chain behind the entries of one that can never be continued: its key was lost, or its record. They stay, but can
   * no longer be verified. Throws `conflict` while the chain can be continued. Returns their number.
   */
  async beginAnew(): Promise<number> {
    const { store } = this.#deps;
    for (;;) {
      const text = await store.chain();
      const last = await store.lastLinkedBefore(AFTER_ALL);
      if (text === null ? last === undefined && (await this.#begins()) : await this.#opens(text)) {
        throw new AppError('conflict', worded`the chain of the audit log can be continued; nothing was changed`);
      }
      const next = changed(await this.#made(last ?? NOTHING, this.#deps.secretsOfNewKey()), {});
      if ((await store.append([], { from: text, to: next.text ?? '' })) !== undefined) continue;
      this.#known = next;
      this.#reported = '';
      return last?.seq ?? 0;
    }
  }

  #begins(): Promise<boolean> {
    return this.#works(this.#begin());
  }

  #opens(text: string): Promise<boolean> {
    return this.#works(this.#open(text));
  }

  async #works(opening: Promise<OpenChain>): Promise<boolean> {
    try {
      await opening;
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'failed') return false;
      throw error;
    }
  }

  /** Seals the key of the marks again, if `renew` returns another text for it. */
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
      if ((await store.append([], stepTo(chain, next))) === undefined) return;
    }
  }

  async #notKept(entries: readonly AuditEntry[], after: AuditLink): Promise<readonly AuditEntry[]> {
    const kept = new Set<string>();
    for await (const batch of this.#deps.store.linked({ after: after.seq, batchSize: 1_000 })) {
      for (const { id } of batch) kept.add(id);
    }
    return entries.filter(({ id }) => !kept.has(id));
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
    for await (const [first] of this.#deps.store.linked({ after: Number.NEGATIVE_INFINITY, batchSize: 1 })) {
      if (first === undefined) break;
      throw new AppError('failed', 'the record of the audit chain is missing, but its entries exist');
    }
    return this.#made(NOTHING, this.#deps.secrets());
  }

  /** A chain with a key of its own behind this place. */
  async #made(behind: AuditLink, secrets: SecretBox): Promise<OpenChain> {
    const { store, clock } = this.#deps;
    const bytes = randomBytes(32);
    const key = await secrets.seal(bytes.toString('base64'), AUDIT_KEY_PURPOSE);
    const { count: outside } = await store.unlinked({ limit: 0 });
    const state: ChainState = {
      key,
      begunAt: clock.now(),
      lostThrough: behind.seq,
      outside,
      start: behind,
      end: behind,
    };
    return { text: null, state, key: markingKey(bytes) };
  }

  async #goesThrough(chain: OpenChain | undefined, place: AuditLink): Promise<boolean> {
    return chain === undefined ? place.seq === 0 : goesThrough(this.#deps.store, chain.state, place);
  }

  #putBackEntry(was: AuditLink, is: AuditLink): AuditEntry {
    return putBackEntry({ id: this.#deps.newId(), at: this.#deps.clock.now() }, was, is);
  }

  #logPutBack(was: AuditLink, is: AuditLink): void {
    this.#deps.logger.error(
      'the audit log was put back to an earlier state; compare it with what was forwarded, or with a backup',
      { reached: was.seq, ended: is.seq },
    );
  }

  async #keepOutside(entries: readonly AuditEntry[], error: unknown): Promise<void> {
    this.#report(error, entries);
    if (entries.length > 0) await this.#deps.store.append(entries.map((entry) => ({ ...entry, link: null })));
  }

  /** Says once why the chain is not continued. Throws what is no reason of that kind. */
  #report(error: unknown, entries: readonly AuditEntry[]): void {
    if (!(error instanceof AppError) || error.code !== 'failed') throw error;
    // The very same failure was already returned as the result of an operation.
    const wasAnswered = entries.length > 0 && entries.every(({ outcome }) => outcome === error.code);
    if (this.#reported === error.message || wasAnswered) return;
    this.#reported = error.message;
    this.#deps.logger.error('audit entries are kept outside of the chain; run "muster storage check"', {
      reason: error.message,
    });
  }
}

function changed(chain: OpenChain, change: Partial<ChainState>): OpenChain {
  const state = { ...chain.state, ...change };
  return { state, key: chain.key, text: stateText(state, chain.key) };
}

function stepTo(from: OpenChain, to: OpenChain): AuditChainStep {
  return { from: from.text, to: to.text ?? '' };
}
