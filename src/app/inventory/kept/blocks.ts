import { byBytes } from '../../../kit/names/variable-names.ts';
import type { Spool, Spooled } from '../../../ports/index.ts';

/** A host as it is kept. */
export interface KeptHost {
  readonly hostname: string;
  /** A member of `hostvars`. */
  readonly text: string;
  /** The number of its groups in `GroupSets`. */
  readonly groups: number;
}

/** Consecutive hosts of a document. */
export interface Block {
  readonly first: string;
  readonly hosts: number;
  /** Their texts as UTF-8, each with a comma before it. */
  readonly body: Spooled;
  /** Their names, lengths and groups, as JSON. */
  readonly index: Spooled;
}

interface BlockIndex {
  readonly names: readonly string[];
  /** Lengths of the texts, in UTF-16 units. */
  readonly lengths: readonly number[];
  readonly groups: readonly number[];
}

/** Approximate number of characters in a block; at most twice as many, except for a single large host. */
export const BLOCK_CHARACTERS = 256 * 1024;

export async function writeBlock(spool: Spool, hosts: readonly KeptHost[]): Promise<Block> {
  const index: BlockIndex = {
    names: hosts.map(({ hostname }) => hostname),
    lengths: hosts.map(({ text }) => text.length),
    groups: hosts.map(({ groups }) => groups),
  };
  const text = `,${hosts.map((host) => host.text).join(',')}`;
  return {
    first: hosts[0]?.hostname ?? '',
    hosts: hosts.length,
    body: await spool.put(Buffer.from(text)),
    index: await spool.put(Buffer.from(JSON.stringify(index))),
  };
}

export async function readIndex(spool: Spool, block: Block): Promise<BlockIndex> {
  const bytes = await spool.read(block.index);
  return JSON.parse(textOf(bytes)) as BlockIndex;
}

async function readBlock(spool: Spool, block: Block): Promise<readonly KeptHost[]> {
  const { names, lengths, groups } = await readIndex(spool, block);
  const text = textOf(await spool.read(block.body));
  let at = 1;
  return names.map((hostname, place) => {
    const from = at;
    const to = from + (lengths[place] as number);
    at = to + 1;
    return { hostname, text: text.slice(from, to), groups: groups[place] as number };
  });
}

export interface PatchedBlocks {
  readonly blocks: readonly Block[];
  /** Blocks that are no longer part of the document. */
  readonly replaced: readonly Block[];
  /** Whether other hosts are there than before, or in other groups. */
  readonly movesMembers: boolean;
}

/** The same document with these hosts in place of those of their names; `undefined` for one that is not in it. */
export async function patchBlocks(
  spool: Spool,
  blocks: readonly Block[],
  changed: ReadonlyMap<string, KeptHost | undefined>,
): Promise<PatchedBlocks> {
  const byBlock = new Map<number, string[]>();
  for (const hostname of [...changed.keys()].sort(byBytes)) {
    const at = blockOf(blocks, hostname);
    const names = byBlock.get(at);
    if (names === undefined) byBlock.set(at, [hostname]);
    else names.push(hostname);
  }
  const after: Block[] = [];
  const replaced: Block[] = [];
  let movesMembers = false;
  for (let at = 0; at < Math.max(blocks.length, 1); at++) {
    const block = blocks[at];
    const names = byBlock.get(at);
    if (names === undefined) {
      if (block !== undefined) after.push(block);
      continue;
    }
    const before = block === undefined ? [] : await readBlock(spool, block);
    const { hosts, isSame, isMoved } = merged(before, names, changed);
    movesMembers ||= isMoved;
    if (isSame) {
      if (block !== undefined) after.push(block);
      continue;
    }
    if (block !== undefined) replaced.push(block);
    for (const part of inBlocks(hosts)) after.push(await writeBlock(spool, part));
  }
  return { blocks: after, replaced, movesMembers };
}

/** The last block that begins at or before a name; those before all of them belong to the first. */
function blockOf(blocks: readonly Block[], hostname: string): number {
  let low = 0;
  let high = blocks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byBytes((blocks[middle] as Block).first, hostname) <= 0) low = middle + 1;
    else high = middle;
  }
  return Math.max(low - 1, 0);
}

/** Both sides in byte order of names. */
function merged(
  before: readonly KeptHost[],
  names: readonly string[],
  changed: ReadonlyMap<string, KeptHost | undefined>,
): { readonly hosts: readonly KeptHost[]; readonly isSame: boolean; readonly isMoved: boolean } {
  const hosts: KeptHost[] = [];
  let isSame = true;
  let isMoved = false;
  let next = 0;
  const take = (old: KeptHost | undefined, now: KeptHost | undefined): void => {
    if (now !== undefined) hosts.push(now);
    if (old?.text !== now?.text) isSame = false;
    if (old?.groups !== now?.groups) {
      isSame = false;
      isMoved = true;
    }
  };
  for (const host of before) {
    for (; next < names.length && byBytes(names[next] as string, host.hostname) < 0; next++) {
      take(undefined, changed.get(names[next] as string));
    }
    if (names[next] === host.hostname) take(host, changed.get(names[next++] as string));
    else hosts.push(host);
  }
  for (; next < names.length; next++) take(undefined, changed.get(names[next] as string));
  return { hosts, isSame, isMoved };
}

/** In parts of about `BLOCK_CHARACTERS`; one that is not much larger stays whole. */
function* inBlocks(hosts: readonly KeptHost[]): Generator<readonly KeptHost[]> {
  const characters = hosts.reduce((sum, { text }) => sum + text.length, 0);
  const most = characters <= 2 * BLOCK_CHARACTERS ? Number.POSITIVE_INFINITY : BLOCK_CHARACTERS;
  let part: KeptHost[] = [];
  let held = 0;
  for (const host of hosts) {
    part.push(host);
    held += host.text.length;
    if (held < most) continue;
    yield part;
    part = [];
    held = 0;
  }
  if (part.length > 0) yield part;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}
