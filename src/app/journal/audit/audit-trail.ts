import { validUnicode } from '../../../kit/unicode.ts';
import { secondsOf } from '../../../kit/words/moment.ts';
import {
  AppError,
  type AuditEntry,
  type AuditStore,
  type Clock,
  type Logger,
  type SecretBox,
} from '../../../ports/index.ts';
import type { NewAuditEntry } from '../../kernel/audit-entry.ts';
import { AuditChain } from './audit-chain.ts';

/** Entries that wait while the storage does not answer; beyond, the oldest are given up and the log says so. */
const MAX_WAITING = 10_000;
/** Entries in one write. */
const MOST_AT_ONCE = 1_000;
/** Callers may send texts of any length; entries are bounded. */
const LONGEST_TEXT = 2_000;
/** Different things that are counted at once; beyond, the count that was not added to for the longest is written. */
const MOST_SUMS = 1_000;
const HOUR_MS = 60 * 60 * 1000;
const LOOK_EVERY_MS = 10_000;
const TRY_AGAIN_MS = 2_000;
const TIMEOUT_MS = 5_000;

export interface SumOptions {
  /** Entries with the same key count as alike; if absent, those that differ only in time and request. */
  readonly key?: string;
  /** How long is counted before the count is written. Default one hour. */
  readonly windowMs?: number;
}

interface Sum {
  readonly since: Date;
  readonly until: number;
  /** The newest of those that were counted. */
  last: NewAuditEntry;
  count: number;
}

export interface AuditTrailDeps {
  readonly store: AuditStore;
  readonly secrets: () => SecretBox;
  readonly secretsOfNewKey: () => SecretBox;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly newId: () => string;
}

interface Waiting {
  readonly entry: AuditEntry;
  /** Called once the storage has it, or did not take it. */
  readonly tried: () => void;
}

/**
 * Keeps audit entries, those of many calls in one write. Callers that acknowledge a write wait for its entry (`kept`), others do
 * not; readers of the audit log wait until all of them are kept.
 */
export class AuditTrail {
  readonly chain: AuditChain;
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #newId: () => string;
  #waiting: Waiting[] = [];
  #keeping: Promise<void> | undefined;
  readonly #sums = new Map<string, Sum>();
  #timer: NodeJS.Timeout | undefined;
  /** Set while the storage does not take what waits. */
  #again: NodeJS.Timeout | undefined;

  constructor(deps: AuditTrailDeps) {
    this.chain = new AuditChain(deps);
    this.#logger = deps.logger;
    this.#clock = deps.clock;
    this.#newId = deps.newId;
  }

  keep(entry: NewAuditEntry): void {
    this.#add(entry, () => undefined);
  }

  /**
   * Resolves when the entry is in the storage, and never rejects: the action it records was done. If the storage does not accept
   * it now, or takes more than five seconds, the caller waits no longer.
   */
  kept(entry: NewAuditEntry): Promise<void> {
    return new Promise((resolve) => {
      const timeout = setTimeout(resolve, TIMEOUT_MS).unref();
      const tried = (): void => {
        clearTimeout(timeout);
        resolve();
      };
      this.#add(entry, tried);
      if (this.#again !== undefined) tried();
    });
  }

  #add(entry: NewAuditEntry, tried: () => void): void {
    if (this.#waiting.length >= MAX_WAITING) {
      const lost = this.#waiting.shift();
      lost?.tried();
      this.#logger.error('audit entries are lost: the storage does not keep up', { operation: lost?.entry.operation });
    }
    this.#waiting.push({ entry: bounded(entry), tried });
    if (this.#again === undefined) this.#keeping ??= this.#keepAll();
  }

  /**
   * Keeps the first of many entries that are alike, counts the others, and keeps one entry with their number when the time is
   * over: frequent events, and attempts to fill the log, cost two entries.
   */
  keepSummed(given: NewAuditEntry, { key, windowMs = HOUR_MS }: SumOptions = {}): void {
    // Bounds the length of both the key and the entry that waits for its count.
    const entry = bounded(given);
    const at = entry.at.getTime();
    const sumKey = key ?? JSON.stringify([entry.actor, entry.address, entry.operation, entry.subject, entry.outcome]);
    const sum = this.#sums.get(sumKey);
    if (sum !== undefined && at < sum.until) {
      sum.last = entry;
      sum.count++;
      return;
    }
    if (sum !== undefined) this.#write(sumKey, sum);
    this.#makeRoom();
    this.keep(entry);
    this.#sums.set(sumKey, { since: entry.at, until: at + windowMs, last: entry, count: 0 });
    this.#timer ??= setInterval(() => this.#writeOld(), LOOK_EVERY_MS).unref();
  }

  /** Resolves when every entry so far is kept, or could not be. */
  async settled(): Promise<void> {
    while (this.#keeping !== undefined) await this.#keeping;
  }

  /** Writes what was counted, and resolves when everything is kept. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const [key, sum] of [...this.#sums]) this.#write(key, sum);
    await this.settled();
    if (this.#again === undefined) return;
    this.#goOn();
    await this.settled();
    clearTimeout(this.#again);
    const { length } = this.#waiting;
    if (length > 0) this.#logger.error('audit entries are lost: the storage does not take them', { entries: length });
  }

  #writeOld(): void {
    const now = this.#clock.now().getTime();
    for (const [key, sum] of [...this.#sums]) if (sum.until <= now) this.#write(key, sum);
  }

  #makeRoom(): void {
    const [oldest] = this.#sums;
    if (oldest !== undefined && this.#sums.size >= MOST_SUMS) this.#write(...oldest);
  }

  #write(key: string, { since, last, count }: Sum): void {
    this.#sums.delete(key);
    if (count === 0) return;
    const more = `${count} more since ${secondsOf(since)}`;
    const details = last.details === undefined || last.details === '' ? more : `${more}; ${last.details}`;
    this.keep({ ...last, id: this.#newId(), details });
  }

  /** Entries that the storage cannot take now stay, in their order, and are tried again: what they tell of was done. */
  async #keepAll(): Promise<void> {
    // One turn of the event loop collects what a burst of requests leaves.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const waiting = this.#waiting.splice(0, MOST_AT_ONCE);
      const entries = waiting.map(({ entry }) => entry);
      try {
        await this.chain.append(entries);
      } catch (error) {
        if (error instanceof AppError && error.code === 'unavailable') {
          this.#waiting.unshift(...waiting);
          this.#logger.warn('audit entries wait until the storage takes them', {
            error,
            entries: this.#waiting.length,
          });
          this.#again = setTimeout(() => this.#goOn(), TRY_AGAIN_MS).unref();
          break;
        }
        this.#logger.error('audit entries could not be kept', { error, entries: entries.length });
      } finally {
        for (const { tried } of waiting) tried();
      }
    }
    this.#keeping = undefined;
  }

  #goOn(): void {
    clearTimeout(this.#again);
    this.#again = undefined;
    if (this.#waiting.length > 0) this.#keeping ??= this.#keepAll();
  }
}

/** As every store keeps it: text that is well-formed, and no longer than an entry may be. */
function bounded(entry: NewAuditEntry): AuditEntry {
  return {
    id: entry.id,
    at: entry.at,
    actor: textOf(entry.actor),
    entrance: entry.entrance,
    address: textOf(entry.address),
    operation: textOf(entry.operation),
    subject: textOf(entry.subject),
    outcome: textOf(entry.outcome),
    requestId: textOf(entry.requestId),
    details: textOf(entry.details ?? ''),
  };
}

function textOf(text: string): string {
  return validUnicode(text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text);
}
