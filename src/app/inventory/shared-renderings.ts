import { deflateRawSync, inflateRawSync } from 'node:zlib';

export interface SharedRenderingsOptions {
  /** Number of characters from the beginning that are kept for readers who ask a little later. */
  readonly joinCharacters?: number;
  /**
   * Limit on what all renderings hold together for slow readers, in characters and bytes; beyond it, the fastest waits for the
   * slowest.
   */
  readonly maxHeld?: number;
}

const JOIN_CHARACTERS = 8 * 1024 * 1024;
const MAX_HELD = 64 * 1024 * 1024;
const PACKING = { level: 1 };
const ROOM_MILLISECONDS = 100;

interface Budget {
  readonly joinCharacters: number;
  readonly maxHeld: number;
  held: number;
}

/** The source of a rendering, and a way to end it when it has no readers left. */
export interface RenderingSource {
  readonly body: AsyncIterable<string>;
  abort(): void;
}

/**
 * Renderings in progress. A reader who requests one whose beginning is still kept joins it; readers go at their own speed, and
 * one who leaves does not affect the others. Nothing is kept after the last has read it.
 */
export class SharedRenderings {
  readonly #budget: Budget;
  readonly #underWay = new Map<string, SharedRendering>();

  constructor({ joinCharacters = JOIN_CHARACTERS, maxHeld = MAX_HELD }: SharedRenderingsOptions = {}) {
    this.#budget = { joinCharacters, maxHeld, held: 0 };
  }

  /** Characters and bytes that are kept for readers to come and slow ones. */
  get held(): number {
    return this.#budget.held;
  }

  /**
   * `key` contains everything that determines the result: two requests with the same key may get the same text. The source is
   * read only if no rendering is in progress.
   */
  async *read(key: string, source: RenderingSource, signal: AbortSignal): AsyncGenerator<string> {
    let rendering = this.#underWay.get(key);
    if (rendering?.isWhole !== true) {
      const made = new SharedRendering(source, this.#budget, () => {
        if (this.#underWay.get(key) === made) this.#underWay.delete(key);
      });
      this.#underWay.set(key, made);
      rendering = made;
    }
    yield* rendering.read(signal);
  }
}

interface Reader {
  /** The number of the chunk that it takes next. */
  at: number;
}

class SharedRendering {
  readonly #source: RenderingSource;
  readonly #iterator: AsyncIterator<string>;
  readonly #budget: Budget;
  readonly #onEnd: () => void;
  readonly #readers = new Set<Reader>();
  /** From the chunk of the number `#first` on; those before `#unpacked` are compressed. */
  readonly #chunks: (string | Buffer)[] = [];
  #first = 0;
  #unpacked = 0;
  #held = 0;
  #step: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  #end: { readonly error?: unknown } | undefined;
  #keepsBeginning = true;

  constructor(source: RenderingSource, budget: Budget, onEnd: () => void) {
    this.#source = source;
    this.#iterator = source.body[Symbol.asyncIterator]();
    this.#budget = budget;
    this.#onEnd = onEnd;
  }

  /** Whether it can be read from its beginning. */
  get isWhole(): boolean {
    return this.#first === 0 && this.#keepsBeginning && this.#end?.error === undefined;
  }

  async *read(signal: AbortSignal): AsyncGenerator<string> {
    const reader: Reader = { at: 0 };
    this.#readers.add(reader);
    try {
      for (;;) {
        const chunk = this.#chunks[reader.at - this.#first];
        if (chunk !== undefined) {
          reader.at++;
          this.#forget();
          yield typeof chunk === 'string' ? chunk : inflateRawSync(chunk).toString();
        } else if (this.#end === undefined) {
          await orAborted(this.#next(), signal);
        } else if (this.#end.error === undefined) {
          return;
        } else {
          throw this.#end.error;
        }
      }
    } finally {
      this.#readers.delete(reader);
      if (this.#readers.size === 0) this.#finish();
      else this.#forget();
    }
  }

  /** One more chunk, or the end, for all who wait for it. */
  #next(): Promise<void> {
    this.#step ??= this.#produce().finally(() => {
      this.#step = undefined;
    });
    return this.#step;
  }

  async #produce(): Promise<void> {
    try {
      while (this.#end === undefined && this.#isFull()) await this.#room();
      if (this.#end !== undefined) return;
      const step = await this.#iterator.next();
      if (this.#end !== undefined) return;
      if (step.done === true) this.#end = {};
      else this.#add(step.value);
    } catch (error) {
      this.#end ??= { error };
    }
  }

  /** Waits until a reader of this rendering has read on, or others may have freed some room. */
  async #room(): Promise<void> {
    this.#keepsBeginning = false;
    this.#forget();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ROOM_MILLISECONDS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #add(chunk: string): void {
    this.#chunks.push(chunk);
    this.#hold(chunk.length);
    if (this.#held > this.#budget.joinCharacters || this.#budget.held > this.#budget.maxHeld) {
      this.#keepsBeginning = false;
      this.#forget();
    }
    // The rest then waits for slow readers, perhaps for minutes.
    while (this.#held > this.#budget.joinCharacters && this.#unpacked < this.#first + this.#chunks.length - 1)
      this.#pack();
  }

  #pack(): void {
    const index = this.#unpacked++ - this.#first;
    const text = this.#chunks[index] as string;
    const packed = deflateRawSync(text, PACKING);
    this.#chunks[index] = packed;
    this.#hold(packed.length - text.length);
  }

  /** Drops what all readers have read, once no more can join. */
  #forget(): void {
    if (this.#keepsBeginning) return;
    const slowest = this.#slowest();
    while (this.#first < slowest) {
      this.#hold(-(this.#chunks.shift()?.length ?? 0));
      this.#first++;
    }
    this.#unpacked = Math.max(this.#unpacked, this.#first);
    this.#wake?.();
  }

  /** Whether readers must wait: only if another one has something to read, so a single reader never waits. */
  #isFull(): boolean {
    return this.#budget.held > this.#budget.maxHeld && this.#slowest() < this.#first + this.#chunks.length;
  }

  #slowest(): number {
    let slowest = this.#first + this.#chunks.length;
    for (const { at } of this.#readers) if (at < slowest) slowest = at;
    return slowest;
  }

  #hold(amount: number): void {
    this.#held += amount;
    this.#budget.held += amount;
  }

  #finish(): void {
    this.#onEnd();
    this.#hold(-this.#held);
    this.#chunks.length = 0;
    if (this.#end !== undefined) return;
    this.#end = {};
    this.#wake?.();
    this.#source.abort();
    // Anything an abandoned source still reports does not matter.
    this.#iterator.return?.().catch(() => undefined);
  }
}

export async function orAborted<T>(step: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([step, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
