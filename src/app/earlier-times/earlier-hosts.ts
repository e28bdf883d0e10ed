import { setImmediate } from 'node:timers/promises';
import { worded } from '../../kit/worded.ts';
import {
  AppError,
  type ChangePlace,
  type HistoryStore,
  type HostArchive,
  type HostChange,
  type HostRecord,
  type JsonValue,
  type KeptChange,
  StoredJson,
} from '../../ports/index.ts';

/** Changes that are read at once. */
const BATCH_SIZE = 500;
/** Maximum of undone values, which are kept until all hosts are processed. */
const MOST_MEMBERS = 200_000;
const MOST_CHARACTERS = 64_000_000;

/** Earlier values by their path; `undefined` if there was none. */
type Members = ReadonlyMap<string, JsonValue | undefined>;

/** Hosts as they were at an earlier time, reconstructed from their history. */
export class EarlierHosts {
  readonly #members: ReadonlyMap<string, Members>;
  readonly #since: Date;

  private constructor(since: Date, members: ReadonlyMap<string, Members>) {
    this.#since = since;
    this.#members = members;
  }

  static async read(
    history: Pick<HistoryStore, 'latest'>,
    since: Date,
    signal: AbortSignal,
    limits = { members: MOST_MEMBERS, characters: MOST_CHARACTERS },
  ): Promise<EarlierHosts> {
    const read: (readonly KeptChange[])[] = [];
    let characters = 0;
    let count = 0;
    for (let before: ChangePlace | undefined; ; ) {
      const batch = await history.latest({ limit: BATCH_SIZE, from: since, ...(before !== undefined && { before }) });
      // Batches beyond the limit are not even parsed: a change holds both the earlier and the later values.
      for (const change of batch) characters += change.characters;
      count += batch.length;
      if (characters > 2 * limits.characters || count > 4 * limits.members) throw tooMuch();
      before = batch.at(-1);
      if (before === undefined) break;
      read.push(batch);
      signal.throwIfAborted();
      // A store in this process answers at once, and other requests would have to wait until the end.
      await setImmediate();
    }
    const hosts = new UndoneChanges();
    for (const batch of read) {
      hosts.add(batch);
      if (hosts.count > limits.members || hosts.characters > limits.characters) throw tooMuch();
      signal.throwIfAborted();
      await setImmediate();
    }
    return new EarlierHosts(since, hosts.members);
  }

  /** The same from changes that were read already, newest first; none of them is from before the time. */
  static undoing(since: Date, changes: readonly HostChange[]): EarlierHosts {
    const hosts = new UndoneChanges();
    hosts.add(changes);
    return new EarlierHosts(since, hosts.members);
  }

  /** The host as it was, the very same record if nothing changed; `undefined` if it did not exist yet. */
  of(host: HostRecord): HostRecord | undefined {
    if (host.createdAt >= this.#since) return undefined;
    const members = this.#members.get(host.hostname);
    if (members === undefined) return host;
    const value = (path: string): JsonValue | undefined => members.get(path);
    return {
      ...host,
      ...(members.has('hostname') && { hostname: String(value('hostname')) }),
      ...(members.has('account') && { accountId: (value('account') ?? null) as string | null }),
      ...(members.has('archive') && { archive: archiveOf(value('archive')) }),
      labels: withMembers(host.labels, members, 'labels.'),
      inventory: withMembers(host.inventory, members, 'inventory.'),
    };
  }
}

function tooMuch(): AppError {
  return new AppError(
    'invalid_input',
    worded`since: more changed since then than can be compared at once; name a later time`,
  );
}

class UndoneChanges {
  readonly members = new Map<string, Map<string, JsonValue | undefined>>();
  count = 0;
  characters = 0;

  add(batch: readonly HostChange[]): void {
    for (const { hostname, changes } of batch) {
      const members = this.members.get(hostname) ?? new Map<string, JsonValue | undefined>();
      this.members.set(hostname, members);
      for (const change of changes) {
        if (!members.has(change.path)) this.count++;
        // The newest come first, so that the value before the oldest change stays.
        members.set(change.path, change.before);
        this.characters += JSON.stringify(change.before ?? null).length;
      }
    }
  }
}

function withMembers<T extends object>(now: StoredJson<T>, members: Members, prefix: string): StoredJson<T> {
  const changed = [...members].filter(([path]) => path.startsWith(prefix));
  if (changed.length === 0) return now;
  const values = new Map<string, unknown>(Object.entries(now.value));
  for (const [path, before] of changed) {
    const key = path.slice(prefix.length);
    if (before === undefined) values.delete(key);
    else values.set(key, before);
  }
  return StoredJson.ofValue(Object.fromEntries(values) as T);
}

function archiveOf(value: JsonValue | undefined): HostArchive | null {
  if (value === undefined || value === null) return null;
  const { at, by } = value as { readonly at: string; readonly by: HostArchive['by'] };
  return { at: new Date(at), by };
}
