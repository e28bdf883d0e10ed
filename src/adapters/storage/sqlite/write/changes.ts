import { rowsOf, type TimedNote } from '../../shared/feed-notes.ts';
import { compareUtf8 } from '../../shared/utf8-order.ts';
import type { Connection } from '../connection.ts';
import { HOUR } from '../host-query.ts';

/** A range of hostnames is cut in two when it holds more; small neighbours grow together again. */
const MAX_RANGE = 8192;
const HALF_RANGE = MAX_RANGE / 2;

/** The facts about a host that the counters use. */
export interface Counted {
  readonly hostname: string;
  readonly accountId: string | null;
  readonly isObject: boolean;
  readonly archived: boolean;
  /** Last sight, or creation when never seen. */
  readonly seenAt: number;
}

interface AccountDelta {
  hosts: number;
  objects: number;
  archivedHosts: number;
  archivedObjects: number;
  readonly seen: Map<number, number>;
}

/**
 * Changes by the jobs of one transaction to counters and revisions. Summed up in memory and written once, because a statement for
 * each host would cost more than the host itself.
 */
export class Changes {
  readonly #accounts = new Map<string, AccountDelta>();
  readonly #revisions = new Set<string>();
  #notes: TimedNote<number>[] = [];
  #lastChange: number | undefined;
  #appeared: string[] = [];
  #disappeared: string[] = [];

  /** Something that readers of this part see has changed. */
  revision(name: string): void {
    this.#revisions.add(name);
  }

  /** Whether a job of this transaction moved a revision that is not written yet. */
  moves(name: string): boolean {
    return this.#revisions.has(name);
  }

  added(host: Counted): void {
    this.#count(host, 1);
    if (!host.isObject && !host.archived) this.#appeared.push(host.hostname);
  }

  removed(host: Counted): void {
    this.#count(host, -1);
    if (!host.isObject && !host.archived) this.#disappeared.push(host.hostname);
  }

  /** Adds notes for the change feed. */
  addToFeed(notes: readonly TimedNote<number>[]): void {
    for (const note of notes) this.#notes.push(note);
  }

  /** The number of a change that goes into the history. One that is free again would let the change feed lead to the change of another host. */
  nextChange(connection: Connection): number {
    this.#lastChange ??= connection.getRaw<[number]>(LAST_CHANGE)?.[0] ?? 0;
    return ++this.#lastChange;
  }

  /** An active record of the account was seen again. */
  seen(accountId: string | null, before: number, now: number): void {
    if (before === now) return;
    const { seen } = this.#account(accountId);
    seen.set(before, (seen.get(before) ?? 0) - 1);
    seen.set(now, (seen.get(now) ?? 0) + 1);
  }

  /** Writes everything and starts again empty. */
  flush(connection: Connection): void {
    for (const [accountId, delta] of this.#accounts) writeAccount(connection, accountId, delta);
    writeRanges(connection, this.#appeared, this.#disappeared);
    for (const name of this.#revisions) {
      connection.run(
        'INSERT INTO revisions (name, value) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1',
        name,
      );
    }
    if (this.#lastChange !== undefined) {
      connection.run('UPDATE host_feed_state SET last_change = ?', this.#lastChange);
    }
    writeFeed(connection, this.#notes);
    this.#notes = [];
    this.#lastChange = undefined;
    this.#accounts.clear();
    this.#revisions.clear();
    this.#appeared = [];
    this.#disappeared = [];
  }

  #count(host: Counted, sign: 1 | -1): void {
    const delta = this.#account(host.accountId);
    if (host.isObject) {
      if (host.archived) delta.archivedObjects += sign;
      else delta.objects += sign;
      return;
    }
    if (host.archived) {
      delta.archivedHosts += sign;
      return;
    }
    delta.hosts += sign;
    delta.seen.set(host.seenAt, (delta.seen.get(host.seenAt) ?? 0) + sign);
  }

  #account(accountId: string | null): AccountDelta {
    const key = accountId ?? '';
    let delta = this.#accounts.get(key);
    if (delta === undefined) {
      delta = { hosts: 0, objects: 0, archivedHosts: 0, archivedObjects: 0, seen: new Map() };
      this.#accounts.set(key, delta);
    }
    return delta;
  }
}

const LAST_CHANGE = `SELECT max(last_change, (SELECT coalesce(max(seq), 0) FROM host_changes)) FROM host_feed_state`;

function writeFeed(connection: Connection, notes: readonly TimedNote<number>[]): void {
  if (notes.length === 0) return;
  const rows = rowsOf(notes);
  const last =
    connection.getRaw<[number]>(
      'UPDATE host_feed_state SET last_place = last_place + ? RETURNING last_place',
      rows.length,
    )?.[0] ?? 0;
  for (const [index, { at, actor, notes: together }] of rows.entries()) {
    connection.run(
      'INSERT INTO host_feed (place, at, actor_kind, actor_name, notes) VALUES (?, ?, ?, ?, ?)',
      last - rows.length + 1 + index,
      at.getTime(),
      actor.kind,
      actor.name,
      JSON.stringify(together),
    );
  }
}

function writeAccount(connection: Connection, accountId: string, delta: AccountDelta): void {
  if (delta.hosts !== 0 || delta.objects !== 0 || delta.archivedHosts !== 0 || delta.archivedObjects !== 0) {
    connection.run(
      `INSERT INTO account_counters (account_id, hosts, objects, archived_hosts, archived_objects)
       VALUES (?, ?, ?, ?, ?) ON CONFLICT (account_id) DO UPDATE SET hosts = hosts + excluded.hosts,
       objects = objects + excluded.objects, archived_hosts = archived_hosts + excluded.archived_hosts,
       archived_objects = archived_objects + excluded.archived_objects`,
      accountId,
      delta.hosts,
      delta.objects,
      delta.archivedHosts,
      delta.archivedObjects,
    );
  }
  const hours = new Map<number, number>();
  for (const [at, count] of delta.seen) {
    if (count === 0) continue;
    const hour = Math.floor(at / HOUR) * HOUR;
    hours.set(hour, (hours.get(hour) ?? 0) + count);
    writeSeen(connection, accountId, 0, at, count);
  }
  for (const [hour, count] of hours) if (count !== 0) writeSeen(connection, accountId, 1, hour, count);
}

function writeSeen(connection: Connection, accountId: string, unit: 0 | 1, at: number, count: number): void {
  if (count < 0) {
    const gone = connection.run(
      'DELETE FROM seen_counts WHERE account_id = ? AND unit = ? AND at = ? AND hosts = ?',
      accountId,
      unit,
      at,
      -count,
    );
    if (gone > 0) return;
  }
  connection.run(
    `INSERT INTO seen_counts (account_id, unit, at, hosts) VALUES (?, ?, ?, ?)
     ON CONFLICT (account_id, unit, at) DO UPDATE SET hosts = hosts + excluded.hosts`,
    accountId,
    unit,
    at,
    count,
  );
}

function writeRanges(connection: Connection, appeared: readonly string[], disappeared: readonly string[]): void {
  const moves = [
    ...appeared.map((name): readonly [string, number] => [name, 1]),
    ...disappeared.map((name): readonly [string, number] => [name, -1]),
  ];
  moves.sort((a, b) => compareUtf8(a[0], b[0]));
  let index = 0;
  while (index < moves.length) {
    const name = moves[index]?.[0] ?? '';
    const first = rangeOf(connection, name);
    const next = connection.getRaw<[string]>(
      'SELECT first FROM host_ranges WHERE first > ? ORDER BY first LIMIT 1',
      first,
    )?.[0];
    let sum = 0;
    for (; index < moves.length; index++) {
      const [moved, count] = moves[index] ?? ['', 0];
      if (next !== undefined && compareUtf8(moved, next) >= 0) break;
      sum += count;
    }
    if (sum !== 0) moveRange(connection, first, sum);
  }
}

/** The first name of the range that a hostname falls into. */
function rangeOf(connection: Connection, hostname: string): string {
  const found = connection.getRaw<[string]>(
    'SELECT first FROM host_ranges WHERE first <= ? ORDER BY first DESC LIMIT 1',
    hostname,
  );
  if (found !== undefined) return found[0];
  connection.run("INSERT INTO host_ranges (first, hosts) VALUES ('', 0)");
  return '';
}

function moveRange(connection: Connection, first: string, by: number): void {
  const hosts =
    connection.getRaw<[number]>(
      'UPDATE host_ranges SET hosts = hosts + ? WHERE first = ? RETURNING hosts',
      by,
      first,
    )?.[0] ?? 0;
  if (hosts > MAX_RANGE) cutRange(connection, first, hosts);
  else if (by < 0 && hosts < HALF_RANGE / 4 && first !== '') joinRange(connection, first, hosts);
}

/** Cuts a range that grew too large into halves of a full one. */
function cutRange(connection: Connection, from: string, count: number): void {
  let first = from;
  let hosts = count;
  while (hosts > MAX_RANGE) {
    const middle = connection.getRaw<[string]>(
      `SELECT hostname FROM hosts INDEXED BY hosts_active WHERE archived_at IS NULL AND is_object = 0
       AND hostname >= ? ORDER BY hostname LIMIT 1 OFFSET ?`,
      first,
      HALF_RANGE,
    )?.[0];
    if (middle === undefined) return;
    hosts -= HALF_RANGE;
    connection.run('UPDATE host_ranges SET hosts = ? WHERE first = ?', HALF_RANGE, first);
    connection.run('INSERT INTO host_ranges (first, hosts) VALUES (?, ?)', middle, hosts);
    first = middle;
  }
}

/** Lets the range before this one take it over, when both together stay small. */
function joinRange(connection: Connection, first: string, hosts: number): void {
  const before = connection.getRaw<[string, number]>(
    'SELECT first, hosts FROM host_ranges WHERE first < ? ORDER BY first DESC LIMIT 1',
    first,
  );
  if (before === undefined || before[1] + hosts > HALF_RANGE) return;
  connection.run('DELETE FROM host_ranges WHERE first = ?', first);
  connection.run('UPDATE host_ranges SET hosts = hosts + ? WHERE first = ?', hosts, before[0]);
}
