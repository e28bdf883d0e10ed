import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import * as z from 'zod';
import { AppError, type AuditEntry, type AuditLink, type KeptAuditEntry } from '../../../ports/index.ts';

/**
 * The state of the audit log's chain: its beginning and its end. Every entry in it carries a mark, a keyed hash over its content,
 * its place and the mark before; the state carries one over both ends. The key is stored sealed in the state, so a copy of the
 * storage is verified wherever its instance key is, and a rotation of that key reseals one text. A writer to the storage without
 * the instance key can make no mark.
 */
export interface ChainState {
  /** The key of the marks, sealed. */
  readonly key: string;
  readonly begunAt: Date;
  /** The last entry of the chain before, whose key was lost: up to here nothing can be verified; 0 where this one is the first. */
  readonly lostThrough: number;
  /** How many entries were older than the chain when it began; none come to them. */
  readonly outside: number;
  /** The last entry that was pruned; place 0 before that. */
  readonly start: AuditLink;
  readonly end: AuditLink;
}

/** A state with its key, unsealed. */
export interface OpenChain {
  /** `null` before it is stored. */
  readonly text: string | null;
  readonly state: ChainState;
  readonly key: KeyObject;
}

/** The purpose for which the key of the marks is sealed. */
export const AUDIT_KEY_PURPOSE = 'audit chain';

const linkSchema = z.object({ seq: z.number().int().min(0), mark: z.string() });
const stateSchema = z.object({
  key: z.string(),
  begun: z.number(),
  lost: z.number().int().min(0).default(0),
  outside: z.number(),
  start: linkSchema,
  end: linkSchema,
  mark: z.string(),
});

export function stateText(state: ChainState, key: KeyObject): string {
  const { begunAt, lostThrough, outside, start, end } = state;
  const stored: z.input<typeof stateSchema> = {
    key: state.key,
    begun: begunAt.getTime(),
    ...(lostThrough === 0 ? {} : { lost: lostThrough }),
    outside,
    start,
    end,
    mark: markOf(key, stateParts(state)),
  };
  return JSON.stringify(stored);
}

/** Reads a stored state. Throws `failed` if it is malformed, its key does not open, or its own mark does not match. */
export async function openState(text: string, open: (sealed: string) => Promise<string>): Promise<OpenChain> {
  const read = stateSchema.safeParse(parsed(text));
  if (!read.success) throw new AppError('failed', 'the record of the audit chain cannot be read');
  const { begun, lost, mark, ...others } = read.data;
  const state: ChainState = { ...others, begunAt: new Date(begun), lostThrough: lost };
  const key = markingKey(Buffer.from(await open(state.key), 'base64'));
  if (markOf(key, stateParts(state)) !== mark) {
    throw new AppError('failed', 'the record of the audit chain was changed by something other than Muster');
  }
  return { text, state, key };
}

/** The key of the marks as it is sealed in a stored state; `undefined` where that cannot be read. */
export function sealedKeyOf(text: string): string | undefined {
  return stateSchema.safeParse(parsed(text)).data?.key;
}

export function markingKey(bytes: Buffer): KeyObject {
  return createSecretKey(bytes);
}

/** The mark of an entry that follows another. */
export function entryMark(key: KeyObject, entry: AuditEntry, seq: number, before: string): string {
  return markOf(key, [
    'entry',
    seq,
    before,
    entry.id,
    entry.at.getTime(),
    entry.actor,
    entry.entrance,
    entry.address,
    entry.operation,
    entry.subject,
    entry.outcome,
    entry.requestId,
    entry.details,
  ]);
}

/** The entries behind the end of the chain, and where it ends with them. */
export function linkEntries(
  key: KeyObject,
  entries: readonly AuditEntry[],
  from: AuditLink,
): { readonly linked: readonly KeptAuditEntry[]; readonly end: AuditLink } {
  let end = from;
  const linked = entries.map((entry) => {
    const seq = end.seq + 1;
    end = { seq, mark: entryMark(key, entry, seq, end.mark) };
    return { ...entry, link: end };
  });
  return { linked, end };
}

function stateParts({ begunAt, lostThrough, outside, start, end }: ChainState): readonly (string | number)[] {
  const parts = ['state', begunAt.getTime(), outside, start.seq, start.mark, end.seq, end.mark];
  return lostThrough === 0 ? parts : [...parts, 'lost', lostThrough];
}

/** JSON says where each part ends, so no two lists have one text. */
function markOf(key: KeyObject, parts: readonly (string | number)[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
