import type { ChangeFeed, InventoryGroup, InventoryParts, Spool, Spooled } from '../../../ports/index.ts';
import { DocumentWriter, HEAD, Members, type RenderOptions, type WrittenHost } from '../render.ts';
import { type Block, type KeptHost, patchBlocks, readIndex } from './blocks.ts';
import type { GroupSets } from './group-sets.ts';
import { SpooledText } from './spooled-text.ts';

/** A rendering as it was kept. */
export interface KeptRendering {
  readonly spool: Spool;
  readonly blocks: readonly Block[];
  readonly sets: GroupSets;
  readonly tail: readonly Spooled[];
  /** The revision it was made from, which does not include hosts: `InventoryParts.revision`. */
  readonly revision: string;
  readonly definitions: readonly InventoryGroup[];
  /** In the feed of changes; what is behind it may be missing. */
  readonly cursor: string;
}

/** How the inventory is made now. */
export interface InventorySource {
  readonly parts: InventoryParts;
  readonly options: RenderOptions & { readonly groups: readonly InventoryGroup[] };
}

interface View {
  readonly blocks: readonly Block[];
  readonly tail: readonly Spooled[];
}

/** `stale`: it has to be rendered again. `busy`: it is unknown right now what has changed. */
type Update = View | 'stale' | 'busy';

const ENTRIES_AT_ONCE = 1000;
const HOSTS_AT_ONCE = 250;
/** Number of changed hosts that are always replaced one by one; more are only if they are a small share of all. */
const FEW_HOSTS = 1000;
const SMALL_SHARE = 0.1;
const MOST_GROUP_SETS = 100_000;
/** Bytes of a file of which half may be of no use. */
const SMALL_FILE = 16 * 1024 * 1024;

/**
 * A whole inventory that was served, and that can be served again after some hosts changed: those are rendered again and replace
 * the old ones, and all other bytes stay the same.
 */
export class KeptInventory {
  readonly revision: string;
  readonly #spool: Spool;
  readonly #sets: GroupSets;
  #view: View;
  #definitions: string;
  #cursor: string;
  #updates: Promise<unknown> = Promise.resolve();
  #readers = 0;
  #replaced: Spooled[] = [];
  #closed = false;
  #isWasteful = false;

  constructor({ revision, spool, sets, blocks, tail, definitions, cursor }: KeptRendering) {
    this.revision = revision;
    this.#spool = spool;
    this.#sets = sets;
    this.#view = { blocks, tail };
    this.#definitions = JSON.stringify(definitions);
    this.#cursor = cursor;
  }

  get held(): Spool['held'] {
    return this.#spool.held;
  }

  /** Returns the present document, in pieces of UTF-8 that never change. */
  async read(source: InventorySource, feed: ChangeFeed): Promise<AsyncIterable<Uint8Array> | 'stale' | 'busy'> {
    const update = this.#updates.then(() => this.#update(source, feed));
    this.#updates = update.catch(() => undefined);
    this.#readers++;
    try {
      const view = await update;
      if (typeof view === 'string') return view;
      this.#readers++;
      return this.#pieces(view);
    } finally {
      this.#left();
    }
  }

  /** Gives back what it holds once the last has read it. */
  close(): void {
    this.#closed = true;
    this.#clean();
  }

  async *#pieces({ blocks, tail }: View): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.from(HEAD);
      for (const [at, block] of blocks.entries()) {
        const bytes = await this.#spool.read(block.body);
        yield at === 0 ? bytes.subarray(1) : bytes;
      }
      for (const place of tail) yield await this.#spool.read(place);
    } finally {
      this.#left();
    }
  }

  #left(): void {
    this.#readers--;
    this.#clean();
  }

  /** Drops what was replaced. Anything that is still being read counts as held, however slow its reader is. */
  #clean(): void {
    if (this.#readers > 0) return;
    for (const place of this.#replaced) this.#spool.drop(place);
    this.#replaced = [];
    if (this.#closed) void this.#spool.close();
  }

  async #update(source: InventorySource, feed: ChangeFeed): Promise<Update> {
    if (this.#closed || this.#isWasteful) return 'stale';
    const changed = await this.#changedSince(feed);
    if (typeof changed === 'string') return changed;
    const definitions = JSON.stringify(source.options.groups);
    const writer = new DocumentWriter(source.options);
    const hosts = await this.#rendered(changed.names, source.parts, writer);
    if (hosts === undefined) return 'stale';
    const before = this.#view;
    const { blocks, replaced, movesMembers } =
      hosts.size === 0
        ? { blocks: before.blocks, replaced: [], movesMembers: false }
        : await patchBlocks(this.#spool, before.blocks, hosts);
    const keepsTail = !movesMembers && definitions === this.#definitions;
    const tail = keepsTail ? before.tail : await this.#tail(blocks, writer);
    writer.report();
    this.#view = { blocks, tail };
    this.#definitions = definitions;
    this.#cursor = changed.cursor;
    this.#replaced.push(...replaced.flatMap(({ body, index }) => [body, index]), ...(keepsTail ? [] : before.tail));
    this.#isWasteful = this.#wastes(blocks);
    return this.#view;
  }

  /** The names of hosts that something happened to since. */
  async #changedSince(
    feed: ChangeFeed,
  ): Promise<{ readonly names: ReadonlySet<string>; readonly cursor: string } | 'stale' | 'busy'> {
    const names = new Set<string>();
    const all = this.#view.blocks.reduce((sum, { hosts }) => sum + hosts, 0);
    const most = Math.max(FEW_HOSTS, all * SMALL_SHARE);
    for (let cursor = this.#cursor; ; ) {
      const page = await feed.after(cursor, ENTRIES_AT_ONCE);
      if (page === 'gone') return 'stale';
      for (const { kind, hostname, current, changes } of page.entries) {
        names.add(hostname);
        if (current !== null) names.add(current);
        const before = kind === 'renamed' ? changes.value[0]?.before : undefined;
        if (typeof before === 'string') names.add(before);
      }
      if (names.size > most) return 'stale';
      cursor = page.next;
      if (page.more) continue;
      return page.isOpen ? 'busy' : { names, cursor };
    }
  }

  /**
   * Returns each of these hosts as written in the document, `undefined` for one that is not in it; `undefined` if that depends on
   * other hosts.
   */
  async #rendered(
    names: ReadonlySet<string>,
    parts: InventoryParts,
    writer: DocumentWriter,
  ): Promise<ReadonlyMap<string, KeptHost | undefined> | undefined> {
    const rendered = new Map<string, KeptHost | undefined>([...names].map((hostname) => [hostname, undefined]));
    const all = [...names];
    for (let from = 0; from < all.length; from += HOSTS_AT_ONCE) {
      for (const host of await parts.hosts(all.slice(from, from + HOSTS_AT_ONCE))) {
        const written = writer.host(host);
        if (written === undefined) continue;
        if (!isKeepable(written)) return undefined;
        rendered.set(host.hostname, keptHost(written, this.#sets));
      }
    }
    return rendered;
  }

  async #tail(blocks: readonly Block[], writer: DocumentWriter): Promise<readonly Spooled[]> {
    const members = new Members();
    for (const block of blocks) {
      const { names, groups } = await readIndex(this.#spool, block);
      for (const [at, hostname] of names.entries()) {
        members.add(JSON.stringify(hostname), this.#sets.of(groups[at] as number));
      }
    }
    const tail = new SpooledText(this.#spool);
    for (const piece of writer.tail(members)) await tail.add(piece);
    return tail.end();
  }

  /** Whether too much space is wasted: replaced parts stay on disk until the end, and names of groups are kept for good. */
  #wastes(blocks: readonly Block[]): boolean {
    const { disk } = this.#spool.held;
    const used = blocks.reduce((sum, { body, index }) => sum + body.length + index.length, 0);
    return this.#sets.size > MOST_GROUP_SETS || (disk > SMALL_FILE && used < disk / 2);
  }
}

/** Whether a host can be kept. If names are changed for serving, two may become one, so that such a host depends on others. */
export function isKeepable({ hostname, name }: WrittenHost): boolean {
  return !hostname.includes('{ ') && name === JSON.stringify(hostname);
}

export function keptHost({ hostname, text, groups }: WrittenHost, sets: GroupSets): KeptHost {
  return { hostname, text, groups: sets.numberOf(groups) };
}
