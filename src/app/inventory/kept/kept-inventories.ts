import type { ChangeFeed, InventoryHost, Logger, Spool, Spooled } from '../../../ports/index.ts';
import { type DocumentKeeper, renderInventory, type WrittenHost } from '../render.ts';
import { BLOCK_CHARACTERS, type Block, type KeptHost, writeBlock } from './blocks.ts';
import { GroupSets } from './group-sets.ts';
import { type InventorySource, isKeepable, KeptInventory, keptHost } from './kept-inventory.ts';
import { SpooledText } from './spooled-text.ts';

export interface KeptInventoriesOptions {
  readonly openSpool: () => Promise<Spool>;
  readonly feed: ChangeFeed;
  readonly logger: Logger;
  /** Time after which an inventory that is not requested is dropped, in milliseconds. */
  readonly idleMilliseconds?: number;
  /** How many are kept, those that were asked for last. */
  readonly most?: number;
}

const IDLE_MILLISECONDS = 15 * 60_000;
const MOST = 4;

/**
 * The whole inventories that were served last, each by what determines it apart from hosts and rules: provider, scope and format.
 */
export class KeptInventories {
  readonly #options: KeptInventoriesOptions;
  readonly #idleMilliseconds: number;
  readonly #most: number;
  readonly #kept = new Map<string, KeptInventory>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** Those that are made, so that none is held twice meanwhile. */
  readonly #making = new Set<string>();

  constructor(options: KeptInventoriesOptions) {
    this.#options = options;
    this.#idleMilliseconds = options.idleMilliseconds ?? IDLE_MILLISECONDS;
    this.#most = options.most ?? MOST;
  }

  /** Bytes of all of them in memory and on the disk. */
  get held(): Spool['held'] {
    const held = { memory: 0, disk: 0 };
    for (const each of this.#kept.values()) {
      held.memory += each.held.memory;
      held.disk += each.held.disk;
    }
    return held;
  }

  /** Returns the document with all acknowledged changes; `undefined` if it has to be rendered. */
  async read(key: string, source: InventorySource): Promise<AsyncIterable<Uint8Array> | undefined> {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    if (kept.revision !== source.parts.revision) {
      this.#drop(key, kept);
      return undefined;
    }
    this.#use(key, kept);
    try {
      const body = await kept.read(source, this.#options.feed);
      if (typeof body !== 'string') return body;
      if (body === 'stale') this.#drop(key, kept);
    } catch (error) {
      // Whatever is wrong with what was kept, the inventory can be made without it.
      this.#options.logger.warn('a kept inventory is discarded and built again', { error });
      this.#drop(key, kept);
    }
    return undefined;
  }

  /** Renders the document, and keeps it for the next who ask. */
  async *render(
    key: string,
    { parts, options }: InventorySource,
    hosts: AsyncIterable<readonly InventoryHost[]>,
  ): AsyncGenerator<string> {
    if (this.#making.has(key)) {
      yield* renderInventory(hosts, options);
      return;
    }
    this.#making.add(key);
    let keeper: Keeper | undefined;
    try {
      // Changes from now on may or may not be included in the hosts that are read.
      const page = await this.#options.feed.after('now', 1);
      if (page !== 'gone') keeper = new Keeper(await this.#options.openSpool());
      yield* renderInventory(hosts, options, keeper);
      const kept = page === 'gone' ? undefined : keeper?.kept({ parts, options }, page.next);
      if (kept !== undefined) {
        keeper = undefined;
        this.#keep(key, kept);
      }
    } finally {
      this.#making.delete(key);
      await keeper?.giveUp();
    }
  }

  /** Gives everything back. */
  close(): void {
    for (const [key, kept] of this.#kept) this.#drop(key, kept);
  }

  #keep(key: string, kept: KeptInventory): void {
    const before = this.#kept.get(key);
    if (before !== undefined) this.#drop(key, before);
    this.#use(key, kept);
    const [oldest] = this.#kept;
    if (this.#kept.size > this.#most && oldest !== undefined) this.#drop(...oldest);
  }

  #use(key: string, kept: KeptInventory): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    clearTimeout(this.#timers.get(key));
    this.#timers.set(key, setTimeout(() => this.#drop(key, kept), this.#idleMilliseconds).unref());
  }

  #drop(key: string, kept: KeptInventory): void {
    if (this.#kept.get(key) === kept) {
      this.#kept.delete(key);
      clearTimeout(this.#timers.get(key));
      this.#timers.delete(key);
    }
    kept.close();
  }
}

/** Puts a rendering aside while it is made. A failure of that does not affect the rendering. */
class Keeper implements DocumentKeeper {
  readonly #spool: Spool;
  readonly #sets = new GroupSets();
  readonly #blocks: Block[] = [];
  #hosts: KeptHost[] = [];
  #characters = 0;
  readonly #text: SpooledText;
  #tail: readonly Spooled[] | undefined;
  #isGivenUp = false;

  constructor(spool: Spool) {
    this.#spool = spool;
    this.#text = new SpooledText(spool);
  }

  add(host: WrittenHost): void {
    if (this.#isGivenUp) return;
    if (!isKeepable(host)) {
      void this.giveUp();
      return;
    }
    this.#hosts.push(keptHost(host, this.#sets));
    this.#characters += host.text.length;
  }

  async settle(): Promise<void> {
    if (this.#characters >= BLOCK_CHARACTERS) await this.#flush();
  }

  async addTail(piece: string): Promise<void> {
    await this.#orGiveUp(() => this.#text.add(piece));
  }

  async end(): Promise<void> {
    await this.#flush();
    await this.#orGiveUp(async () => {
      this.#tail = await this.#text.end();
    });
  }

  /** Returns the inventory; `undefined` if it was given up. */
  kept({ parts, options }: InventorySource, cursor: string): KeptInventory | undefined {
    if (this.#isGivenUp || this.#tail === undefined) return undefined;
    return new KeptInventory({
      spool: this.#spool,
      blocks: this.#blocks,
      sets: this.#sets,
      tail: this.#tail,
      revision: parts.revision,
      definitions: options.groups,
      cursor,
    });
  }

  async giveUp(): Promise<void> {
    this.#isGivenUp = true;
    this.#hosts = [];
    await this.#spool.close();
  }

  async #flush(): Promise<void> {
    if (this.#hosts.length === 0) return;
    const hosts = this.#hosts;
    this.#hosts = [];
    this.#characters = 0;
    await this.#orGiveUp(async () => {
      this.#blocks.push(await writeBlock(this.#spool, hosts));
    });
  }

  /** No room is left, or no file can be made: the next inventory is rendered as this one is. */
  async #orGiveUp(work: () => Promise<void>): Promise<void> {
    if (this.#isGivenUp) return;
    try {
      await work();
    } catch {
      await this.giveUp();
    }
  }
}
