import { setImmediate as turn } from 'node:timers/promises';
import type { FindCursor } from 'mongodb';
import { isLostCursor, isPassing } from './errors.ts';
import { pause } from './pause.ts';

/** A server that loses one cursor after the other before it answers has another trouble than a change of primary. */
const MOST_LOSSES = 10;
/** How long one place is asked for again while the database does not answer: longer than most changes of primary take. */
const LONGEST_OUTAGE_MS = 15_000;
/** For who wants all that one answer of the server brought, which is 16 MB at most. */
export const AN_ANSWER = Number.MAX_SAFE_INTEGER;
/**
 * Documents that one answer of the server holds at most; decoding this many takes a few milliseconds if a caller wants all at
 * once.
 */
const DOCUMENTS_AN_ANSWER = 500;

/**
 * Reads documents in an order through one cursor, however many there are: a query for each page would make the server find its
 * place each time. If the server lost the cursor (it idled too long, or a new primary does not know it), or the answer was lost
 * on its way, another cursor continues after the last document. A reader that has read nothing yet fails at once if the database
 * does not answer.
 */
export class DocumentReader<Doc extends object> {
  readonly #open: (last: Doc | undefined) => FindCursor<Doc>;
  readonly #anAnswer: number | undefined;
  #cursor: FindCursor<Doc> | undefined;
  #more: Promise<boolean> | undefined;
  #answer: Doc[] = [];
  /** How many of the answer's documents were handed out. */
  #given = 0;
  #last: Doc | undefined;
  #losses = 0;
  /** Since when the database does not answer. */
  #silentSince: number | undefined;

  /**
   * `open` gives a cursor from the beginning, or from after the last document that was read. A caller that mostly needs only a
   * certain number of documents passes it as `anAnswer`: one answer holds them, and the next one is requested only when needed.
   */
  constructor(open: (last: Doc | undefined) => FindCursor<Doc>, anAnswer?: number) {
    this.#open = open;
    this.#anAnswer = anAnswer;
  }

  /** The next documents, at most this many; none at the end. */
  async next(limit: number): Promise<Doc[]> {
    for (;;) {
      try {
        return await this.#read(limit);
      } catch (error) {
        if (!this.#goesOn(error)) throw error;
        await this.close();
        if (this.#silentSince !== undefined) await pause(this.#losses, 500);
      }
    }
  }

  #goesOn(error: unknown): boolean {
    this.#losses++;
    if (isLostCursor(error)) return this.#losses <= MOST_LOSSES;
    if (this.#last === undefined || !isPassing(error)) return false;
    this.#silentSince ??= performance.now();
    return performance.now() - this.#silentSince < LONGEST_OUTAGE_MS;
  }

  async #read(limit: number): Promise<Doc[]> {
    if (this.#answer.length === this.#given) {
      if (!(await this.#nextAnswer())) return [];
    } else {
      // Nothing is waited for here, and what the caller does with many small batches of one answer adds up.
      await turn();
    }
    const docs = this.#answer.slice(this.#given, this.#given + limit);
    this.#given += docs.length;
    this.#last = docs.at(-1);
    this.#losses = 0;
    this.#silentSince = undefined;
    return docs;
  }

  async #nextAnswer(): Promise<boolean> {
    this.#cursor ??= this.#open(this.#last).batchSize(
      Math.min(this.#anAnswer ?? DOCUMENTS_AN_ANSWER, DOCUMENTS_AN_ANSWER),
    );
    const cursor = this.#cursor;
    const more = this.#more ?? cursor.hasNext();
    this.#more = undefined;
    if (!(await more)) return false;
    this.#answer = cursor.readBufferedDocuments();
    this.#given = 0;
    if (this.#anAnswer !== undefined) return true;
    // The server makes the next answer while the caller works on this one.
    this.#more = cursor.hasNext();
    this.#more.catch(() => undefined);
    return true;
  }

  /** Batches of at most this many until the end; closes the reader. */
  async *batches(size: number): AsyncGenerator<Doc[]> {
    try {
      for (let docs = await this.next(size); docs.length > 0; docs = await this.next(size)) yield docs;
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    const cursor = this.#cursor;
    this.#cursor = undefined;
    this.#more = undefined;
    this.#answer = [];
    this.#given = 0;
    await cursor?.close();
  }
}
