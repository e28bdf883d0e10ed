import type {
  AuditChainStep,
  AuditLink,
  AuditStore,
  KeptAuditEntry,
  RecordChange,
  RecordStore,
} from '../../../ports/index.ts';
import type { TransferItem } from '../shared/transfer-table.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { type Kept, numberKey, RecordKind, timeKey, within } from './record-kind.ts';

type StoredAuditEntry = TransferItem<'audit'>;

const TIME = 0;
const ACTOR = 1;
const OPERATION = 2;
/** Entries of the chain by their place, behind all that are in no chain by time. */
const CHAIN = 3;

const UNLINKED = '0';
const LINKED = '1';

/** Entries read at once. */
const PAGE = 500;

export function auditKind(records: () => RecordStore): RecordKind<StoredAuditEntry> {
  return new RecordKind<StoredAuditEntry>(records, {
    name: 'audit',
    key: ({ id }) => id,
    sorts: [
      placeKey,
      (entry) => `${entry.actor}\u0000${placeKey(entry)}`,
      (entry) => `${entry.operation}\u0000${placeKey(entry)}`,
      (entry) => (entry.seq === null ? `${UNLINKED}\u0000${placeKey(entry)}` : linkedKey(entry.seq, entry.id)),
    ],
  });
}

export function auditChainKind(records: () => RecordStore): RecordKind<TransferItem<'audit_chain'>> {
  return new RecordKind<TransferItem<'audit_chain'>>(records, { name: 'audit_chain', key: () => 'chain' });
}

interface StoredForwarding extends AuditLink {
  readonly target: string;
}

export function recordedAudit(records: () => RecordStore): AuditStore {
  const kind = auditKind(records);
  const chains = auditChainKind(records);
  const forwarded = new RecordKind<StoredForwarding>(records, { name: 'audit_forwarded', key: ({ target }) => target });

  /** The change that moves the chain, or the state in which it is instead. */
  async function chainStep({ from, to }: AuditChainStep): Promise<RecordChange | { readonly chain: string | null }> {
    const { kept } = await chains.find('chain');
    const chain = kept?.item.state ?? null;
    return chain === from ? chains.put({ state: to }, kept?.version ?? null) : { chain };
  }

  async function stateOfChain(): Promise<string | null> {
    return (await chains.find('chain')).kept?.item.state ?? null;
  }

  /** Which of these places have an entry. */
  async function takenPlaces(entries: readonly KeptAuditEntry[]): Promise<ReadonlySet<number>> {
    const places = entries.flatMap(({ link }) => link?.seq ?? []);
    if (places.length === 0) return new Set();
    const taken = new Set<number>();
    const first = places.reduce((least, place) => Math.min(least, place));
    const last = places.reduce((most, place) => Math.max(most, place));
    const range = { by: CHAIN, from: linkedKey(first), before: linkedKey(last + 1) };
    for await (const page of kind.pages({ ...range, limit: PAGE }))
      for (const { item } of page) taken.add(item.seq ?? 0);
    return taken;
  }

  return {
    async append(entries, step) {
      const moved = step && (await chainStep(step));
      if (moved !== undefined && 'chain' in moved) return moved;
      const taken = new Set(await takenPlaces(entries));
      const puts = entries.map((entry) => {
        const isTaken = entry.link !== null && taken.has(entry.link.seq);
        if (entry.link !== null) taken.add(entry.link.seq);
        return kind.put(fromEntry(isTaken ? { ...entry, link: null } : entry));
      });
      const written = await records().write(moved === undefined ? puts : [moved, ...puts]);
      return written === null ? { chain: await stateOfChain() } : undefined;
    },

    chain: stateOfChain,

    async *linked({ after, batchSize }) {
      const range = { by: CHAIN, from: linkedKey(after + 1) };
      for await (const page of kind.pages({ ...range, limit: batchSize })) yield page.map(toEntry);
    },

    async lastLinkedBefore(before) {
      // Newer entries are few next to all that are older.
      let first = Number.MAX_SAFE_INTEGER;
      for await (const page of kind.pages({ by: TIME, from: timeKey(before.getTime()), limit: PAGE }))
        for (const { item } of page) if (item.seq !== null) first = Math.min(first, item.seq);
      const range = { by: CHAIN, from: LINKED, before: linkedKey(first) };
      const [last] = (await kind.list({ ...range, limit: 1, descending: true })).items;
      return last && (toEntry(last).link ?? undefined);
    },

    async unlinked({ since, before, limit }) {
      const all = within(UNLINKED);
      const range = {
        by: CHAIN,
        from: since === undefined ? all.from : `${all.from}${timeKey(since.getTime())}`,
        before: before === undefined ? all.before : `${all.from}${timeKey(before.getTime())}`,
      };
      const { items } = await kind.list({ ...range, limit });
      return { count: await kind.count(range), first: items.map(toEntry) };
    },

    async latest({ limit, actor, operation, before }) {
      const place = before && placeKey({ id: before.id, at: before.at.getTime() });
      const behind = (by: number, value: string | undefined) => ({
        by,
        ...(value !== undefined && within(value)),
        ...(place && { before: value === undefined ? place : `${wellFormed(value)}\u0000${place}` }),
      });
      if (actor === undefined || operation === undefined) {
        const range =
          actor !== undefined ? behind(ACTOR, actor) : behind(operation === undefined ? TIME : OPERATION, operation);
        const { items } = await kind.list({ ...range, limit, descending: true });
        return items.map(toPlainEntry);
      }
      const found = [];
      let range = behind(ACTOR, actor);
      while (found.length < limit) {
        const { items } = await kind.list({ ...range, limit: PAGE, descending: true });
        found.push(...items.filter(({ item }) => item.operation === operation).map(toPlainEntry));
        const last = items.at(-1);
        if (last === undefined || items.length < PAGE) break;
        range = { ...range, before: `${wellFormed(actor)}\u0000${placeKey(last.item)}` };
      }
      return found.slice(0, limit);
    },

    pruneUnlinked: (before) =>
      kind.clear({
        by: CHAIN,
        from: within(UNLINKED).from,
        before: `${within(UNLINKED).from}${timeKey(before.getTime())}`,
      }),

    async pruneLinked(through, step) {
      const moved = await chainStep(step);
      if ('chain' in moved) return undefined;
      const pruned = kind.dropRange({ by: CHAIN, from: LINKED, before: linkedKey(through + 1) });
      return (await records().write([moved, pruned])) ?? undefined;
    },

    async forwarded() {
      const found = new Map<string, AuditLink>();
      for await (const page of forwarded.pages({ limit: PAGE }))
        for (const { key, item } of page) found.set(key, { seq: item.seq, mark: item.mark });
      return found;
    },

    async noteForwarded(target, { from, to }) {
      const { kept } = await forwarded.find(target);
      if (kept?.item.seq !== from?.seq || kept?.item.mark !== from?.mark) return false;
      return (await records().write([forwarded.put({ target, ...to }, kept?.version ?? null)])) !== null;
    },
  };
}

function placeKey({ at, id }: { readonly at: number; readonly id: string }): string {
  return `${timeKey(at)}\u0000${id}`;
}

/** A place of the chain; entries of before a rule of ours may share one. */
function linkedKey(seq: number, id = ''): string {
  return `${LINKED}\u0000${numberKey(seq)}\u0000${id}`;
}

function fromEntry({ link, at, ...entry }: KeptAuditEntry): StoredAuditEntry {
  return { ...entry, at: at.getTime(), seq: link?.seq ?? null, mark: link?.mark ?? null };
}

function toPlainEntry({ item }: Kept<StoredAuditEntry>) {
  const { seq: _, mark: __, at, ...entry } = item;
  return { ...entry, at: new Date(at) };
}

function toEntry(kept: Kept<StoredAuditEntry>): KeptAuditEntry {
  const { seq, mark } = kept.item;
  return { ...toPlainEntry(kept), link: seq === null ? null : { seq, mark: mark ?? '' } };
}
