import { quotedPart } from '../../kit/json/quoted-part.ts';
import { valuesAt } from '../../kit/json/values-at.ts';
import { type InventoryHost, type JsonObject, type LabelScalar, StoredJson } from '../../ports/index.ts';
import type { RenderMode } from './render.ts';
import { servedText } from './served-host.ts';

/** The served values of an inventory's hosts at one place, by hostname. Hosts without a value there are left out. */
export type ServedValues = ReadonlyMap<string, readonly LabelScalar[]>;

const NONE: readonly LabelScalar[] = [];

/** How long a caller waits for values. */
export interface ReadingTime {
  /** After this many seconds the values known so far are enough. */
  readonly seconds: number;
  readonly signal: AbortSignal;
  /** Reports how many hosts were read. */
  progress(looked: number): void;
}

/** The known values of each of the places. */
export interface KnownValues {
  readonly values: readonly ServedValues[];
  /** The last hostname that was read, and how many hosts were; absent once all were read. */
  readonly until?: { readonly hostname: string; readonly looked: number };
}

/**
 * Reads the served values of some places in one pass over the hosts. The pass advances only while a caller waits; callers at the same time
 * share each batch, and later callers continue it.
 */
export class ServedValuesReading {
  readonly #hosts: AsyncIterator<readonly InventoryHost[]>;
  readonly #render: RenderMode;
  readonly #found: readonly {
    readonly path: readonly string[];
    readonly values: Map<string, readonly LabelScalar[]>;
  }[];
  #step: Promise<void> | undefined;
  #isWhole = false;
  /** A reading that has failed cannot be continued. */
  hasFailed = false;
  #looked = 0;
  #last = '';

  constructor(
    batches: AsyncIterable<readonly InventoryHost[]>,
    render: RenderMode,
    paths: readonly (readonly string[])[],
  ) {
    this.#hosts = batches[Symbol.asyncIterator]();
    this.#render = render;
    this.#found = paths.map((path) => ({ path, values: new Map() }));
  }

  async known({ seconds, signal, progress }: ReadingTime): Promise<KnownValues> {
    const end = performance.now() + seconds * 1000;
    do {
      if (this.#isWhole) break;
      signal.throwIfAborted();
      this.#step ??= this.#readOn().finally(() => {
        this.#step = undefined;
      });
      await this.#step;
      progress(this.#looked);
    } while (this.#looked === 0 || performance.now() < end);
    const values = this.#found.map((each) => each.values);
    return this.#isWhole ? { values } : { values, until: { hostname: this.#last, looked: this.#looked } };
  }

  async #readOn(): Promise<void> {
    const { value: hosts, done } = await this.#hosts.next().catch((error: unknown) => {
      this.hasFailed = true;
      throw error;
    });
    if (done === true) {
      this.#isWhole = true;
      return;
    }
    // Texts that a template could be made of are compared as they are.
    const plain: RenderMode = { ...this.#render, templateText: 'serve' };
    for (const host of hosts) {
      for (const { path, values } of this.#found) {
        const given = mayHave(host, path, this.#render) ? valuesOf(host, path, plain) : NONE;
        if (given.length > 0) values.set(host.hostname, given);
      }
    }
    this.#looked += hosts.length;
    this.#last = hosts.at(-1)?.hostname ?? this.#last;
  }
}

/** Most hosts that have nothing there are known by their text, which costs less than rendering them. */
function mayHave({ variables, expressions }: InventoryHost, path: readonly string[], { names }: RenderMode): boolean {
  return (
    names !== 'keep' || expressions !== undefined || path.every((name) => variables.text.includes(quotedPart(name)))
  );
}

function valuesOf(host: InventoryHost, path: readonly string[], render: RenderMode): readonly LabelScalar[] {
  const text = servedText(host, render, true);
  return text === undefined ? NONE : valuesAt(StoredJson.ofText<JsonObject>(text), path);
}
