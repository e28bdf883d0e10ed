import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { phrase } from '../../kit/worded.ts';
import { secondsOf } from '../../kit/words/moment.ts';
import { AppError, type FeedEntry, type HostRecord, PAGE_CHARACTERS, StoredJson } from '../../ports/index.ts';
import type { HostServices } from '../hosts/services.ts';
import { type Caller, hostScopeOf } from '../kernel/caller.ts';
import { type FollowedChange, followedChange, nameToday } from './decisions/followed-change.ts';
import { type FeedReads, plainReads } from './feed-watch.ts';

const KINDS = [
  'created',
  'labels',
  'inventory',
  'archived',
  'restored',
  'account',
  'templates',
  'renamed',
  'deleted',
  'entered',
  'left',
] as const satisfies readonly FollowedChange['kind'][];

/**
 * Entries examined for a page of a restricted caller, however few are requested: pages that end after a certain number of entries
 * would reveal the number of other callers' entries.
 */
const LOOKED_AT = 1000;
/** Hosts that are looked up at once, which may be large. */
const HOSTS_AT_ONCE = 16;

export const cursorSchema = z
  .string()
  .regex(/^(?:now|start|[\w-]{16,64})$/u, phrase`must be now, start, or what an earlier answer gave as next`);

export const followedSchema = z.object({
  id: z.string().describe('The same however often the change is answered'),
  cursor: z.string().describe('Goes on behind this change'),
  hostname: z.string().describe('The name that the host had then; of renamed the new one'),
  time: z.string(),
  kind: z
    .enum(KINDS)
    .describe(
      'Kind of change. entered and left: the host came into the scope of the caller, or is no longer in it; deleted: it is gone for good',
    ),
  by: z
    .string()
    .nullable()
    .describe('Cause, as account:name, user:name, rule:name or system:name; null if the host left'),
  changes: z
    .array(z.object({ path: z.string(), before: z.unknown().optional(), after: z.unknown().optional() }))
    .describe('Changed members: labels.key, inventory.section, archive, hostname, account (by id)'),
  host: z
    .object({
      account: z.string().nullable(),
      is_object: z.boolean(),
      labels: z.record(z.string(), z.unknown()),
      inventory: z.record(z.string(), z.unknown()),
      archive: z.object({ at: z.string(), by: z.string() }).nullable(),
    })
    .optional()
    .describe(
      'The whole current host, for created, renamed, account, templates and entered; absent if a later change has it',
    ),
});

export type Followed = z.output<typeof followedSchema>;

export interface FollowedPage {
  readonly changes: readonly FollowedEntry[];
  readonly next: string;
  readonly more: boolean;
}

/** A change that is taken apart by those alone who ask for its value: it may be as large as two states of a host. */
interface FollowedEntry {
  readonly cursor: string;
  readonly reported: StoredJson<Followed>;
}

interface Following {
  readonly services: HostServices;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** See `OperationContext.holds`; absent for a stream that continues in the thread that began it. */
  holds?(characters: number): void;
}

/** Returns the changes behind a cursor that the caller may see. */
export async function followFrom(
  { services, caller, signal, holds }: Following,
  since: string,
  limit: number,
  reads: FeedReads = plainReads(services.storage),
): Promise<FollowedPage> {
  const scope = hostScopeOf(caller);
  const page = await reads.after(since, scope === null ? limit : LOOKED_AT);
  if (page === 'gone') throw gone();
  holds?.(page.entries.reduce((sum, { changes: { text } }) => sum + text.length, 0));
  const accounts = new Map((await services.accounts.list(null)).map(({ id, name }) => [id, name]));
  const changes: FollowedEntry[] = [];
  let characters = 0;
  for (let start = 0; start < page.entries.length; start += HOSTS_AT_ONCE) {
    signal.throwIfAborted();
    const entries = page.entries.slice(start, start + HOSTS_AT_ONCE);
    const hosts = await hostsOf(
      reads,
      entries.filter(({ whole, kind }) => scope !== null || whole || kind === 'account'),
    );
    for (const entry of entries) {
      // A larger answer would need the memory of many hosts; the next page continues here.
      if (characters >= PAGE_CHARACTERS)
        return { changes, next: entriesBefore(page.entries, entry, since), more: true };
      const today = hosts.get(nameToday(entry) ?? '');
      const reported = followedChange(entry, today, scope);
      if (reported === undefined) continue;
      const host = reported.whole ? today : undefined;
      characters += host === undefined ? 0 : host.labels.text.length + host.inventory.text.length;
      changes.push({ cursor: entry.next, reported: shown(entry, reported, host, accounts) });
      if (changes.length >= limit) {
        return { changes, next: entry.next, more: page.more || entry !== page.entries.at(-1) };
      }
    }
    // A store in this process answers at once, and other requests would have to wait until the end.
    await setImmediate();
  }
  return { changes, next: page.next, more: page.more };
}

function entriesBefore(entries: readonly FeedEntry[], entry: FeedEntry, since: string): string {
  return entries[entries.indexOf(entry) - 1]?.next ?? since;
}

async function hostsOf(reads: FeedReads, entries: readonly FeedEntry[]): Promise<ReadonlyMap<string, HostRecord>> {
  const names = [...new Set(entries.flatMap((entry) => nameToday(entry) ?? []))];
  const records = await reads.hosts(names);
  return new Map(
    records.flatMap((host): [string, HostRecord][] => (host === undefined ? [] : [[host.hostname, host]])),
  );
}

function shown(
  { id, next, at, actor, changes }: FeedEntry,
  { kind, hostname }: FollowedChange,
  host: HostRecord | undefined,
  accounts: ReadonlyMap<string, string>,
): StoredJson<Followed> {
  const head = { id, cursor: next, hostname, time: secondsOf(at), kind };
  if (kind === 'left') return StoredJson.ofValue({ ...head, by: null, changes: [] });
  const begin = JSON.stringify({ ...head, by: `${actor.kind}:${actor.name}` }).slice(0, -1);
  // Earlier values of a host that entered are only for those who reached it.
  const values = kind === 'entered' ? '[]' : changes.text;
  return StoredJson.ofText(`${begin},"changes":${values}${host === undefined ? '' : hostText(host, accounts)}}`);
}

function hostText(
  { accountId, isObject, labels, inventory, archive }: HostRecord,
  accounts: ReadonlyMap<string, string>,
) {
  const account = accountId === null ? null : (accounts.get(accountId) ?? null);
  const shownArchive = archive === null ? null : { at: archive.at.toISOString(), by: archive.by };
  const begin = JSON.stringify({ account, is_object: isObject, archive: shownArchive }).slice(0, -1);
  return `,"host":${begin},"labels":${labels.text},"inventory":${inventory.text}}`;
}

function gone(): AppError {
  return new AppError(
    'gone',
    'what changed behind this cursor is no longer kept; take a new cursor with since=now, read all hosts, and then go on from that cursor',
  );
}
