import { type RuleEffect, ruleChangesOf } from '../../../app/hosts/decisions/folder-seats.ts';
import { type DraftHost, HostDraft, type HostPart, sizeOfParts } from '../../../app/hosts/decisions/host-draft.ts';
import type { HostLayer } from '../../../app/hosts/decisions/label-layers.ts';
import type { NamedChange } from '../../../app/hosts/decisions/named-change.ts';
import { templatesOf } from '../../../kit/document/templates.ts';
import type { ArchiveReason } from '../../../ports/index.ts';
import { notesOfDraft, type TimedNote } from '../shared/feed-notes.ts';
import type { HostsRequest } from '../shared/host-writes.ts';
import type { Sql } from './database.ts';
import { addToFeed, bumpRevision, nextNumbers, rememberChanges } from './feed.ts';
import { type Column, listsOf } from './lists.ts';
import { changeRules } from './rules.ts';

/** Hosts that are read, decided on and written together. */
const AT_ONCE = 2_000;

/** A host as it was read. Parts that a change does not look at are empty. */
interface Loaded {
  readonly id: number;
  readonly host: DraftHost;
  /** Bytes of everything that counts towards its size. */
  readonly size: number;
  readonly templates: readonly string[];
}

/** Lets a change decide on each host and writes what became different, inside of a transaction. */
export async function changeHosts<Message, Entry, Outcome>(
  sql: Sql,
  change: NamedChange<Message, Entry, Outcome>,
  request: Pick<HostsRequest<Message, Entry>, 'message' | 'hostnames' | 'entries'>,
  maxBytes: number,
): Promise<readonly Outcome[]> {
  const work = new HostWork(sql, change, request.message, maxBytes);
  const outcomes: Outcome[] = [];
  for (const [from, to] of batchesOf(request.hostnames)) {
    outcomes.push(...(await work.batch(request.hostnames.slice(from, to), request.entries.slice(from, to))));
  }
  await work.finish();
  return outcomes;
}

/** No name is twice in a batch: later entries see what earlier ones did. */
function batchesOf(hostnames: readonly string[]): readonly (readonly [number, number])[] {
  const batches: [number, number][] = [];
  let start = 0;
  let names = new Set<string>();
  for (const [index, name] of hostnames.entries()) {
    if (names.has(name) || names.size >= AT_ONCE) {
      batches.push([start, index]);
      start = index;
      names = new Set();
    }
    names.add(name);
  }
  if (start < hostnames.length) batches.push([start, hostnames.length]);
  return batches;
}

class HostWork<Message, Entry, Outcome> {
  readonly #sql: Sql;
  readonly #change: NamedChange<Message, Entry, Outcome>;
  readonly #decide: (draft: HostDraft, entry: Entry) => Outcome;
  readonly #fastPath: ReturnType<NonNullable<NamedChange<Message, Entry, Outcome>['glancing']>> | undefined;
  readonly #maxBytes: number;
  readonly #notes: TimedNote<number>[] = [];
  readonly #effects: RuleEffect[] = [];
  #isVisible = false;

  constructor(sql: Sql, change: NamedChange<Message, Entry, Outcome>, message: Message, maxBytes: number) {
    this.#sql = sql;
    this.#change = change;
    this.#decide = change.deciding(message);
    this.#fastPath = change.glancing?.(message);
    this.#maxBytes = maxBytes;
  }

  async batch(hostnames: readonly string[], entries: readonly Entry[]): Promise<readonly Outcome[]> {
    const seen = await this.#takeFastPath(hostnames, entries);
    const isLeft = (index: number): boolean => !seen.has(hostnames[index] ?? '');
    const left = await this.#decideOn(
      hostnames.filter((_, index) => isLeft(index)),
      entries.filter((_, index) => isLeft(index)),
    );
    let next = 0;
    return hostnames.map((name) => (seen.has(name) ? seen.get(name) : left[next++]) as Outcome);
  }

  /**
   * Hosts that were only seen, as most of an import are, with what comes of it. They are not locked: it is as if they were seen the moment
   * they were read, before whatever another writer does to them now.
   */
  async #takeFastPath(hostnames: readonly string[], entries: readonly Entry[]): Promise<ReadonlyMap<string, Outcome>> {
    const { likely } = this.#change;
    const outcomes = new Map<string, Outcome>();
    if (likely === undefined || this.#fastPath === undefined) return outcomes;
    const found = await this.#sql.rows<[number, string, string | null, number | null, string | null, string]>(
      `SELECT h.id, h.hostname, h.account_id, m.last_seen, m.run_id, h.labels FROM muster.hosts h JOIN muster.host_marks m USING (id)
       WHERE h.hostname = ANY($1::text[]) AND h.archived_at IS NULL AND NOT h.contributed`,
      [hostnames],
    );
    const entryOf = new Map(hostnames.map((name, index) => [name, entries[index] as Entry]));
    const seen: LastSeen[] = [];
    for (const [id, hostname, accountId, lastSeen, runId, labels] of found) {
      if (likely(entryOf.get(hostname) as Entry) !== labels) continue;
      const again = this.#fastPath({ accountId, archive: null, lastSeen, runId });
      if (again === undefined) continue;
      seen.push([id, again.lastSeen, again.runId]);
      outcomes.set(hostname, again.outcome);
    }
    await storeLastSeen(this.#sql, seen, 'greatest(m.last_seen, u.last_seen)');
    return outcomes;
  }

  async #decideOn(hostnames: readonly string[], entries: readonly Entry[]): Promise<readonly Outcome[]> {
    if (hostnames.length === 0) return [];
    const locked = this.#change.isQuestion === true ? undefined : await lockHosts(this.#sql, hostnames);
    const loaded = await load(this.#sql, hostnames, locked, this.#change.reads);
    const seen: LastSeen[] = [];
    const drafts: (readonly [HostDraft, Loaded | undefined])[] = [];
    const outcomes = entries.map((entry, index) => {
      const hostname = hostnames[index] ?? '';
      const found = loaded.get(hostname);
      const limits = { limit: this.#maxBytes, weigh: (host: DraftHost) => found?.size ?? sizeOfParts(host) };
      const draft = new HostDraft(hostname, found && { ...found.host }, limits);
      const outcome = this.#decide(draft, entry);
      drafts.push([draft, found]);
      return outcome;
    });
    if (this.#change.isQuestion === true) return outcomes;
    for (const [{ host, changes }, found] of drafts) {
      if (found !== undefined && (changes.lastSeen !== undefined || changes.runId !== undefined))
        seen.push([found.id, host?.lastSeen ?? null, host?.runId ?? null]);
    }
    await storeLastSeen(this.#sql, seen);
    await this.#store(drafts.filter(([draft]) => isDifferent(draft)));
    return outcomes;
  }

  async #store(drafts: readonly (readonly [HostDraft, Loaded | undefined])[]): Promise<void> {
    if (drafts.length === 0) return;
    await insertHosts(
      this.#sql,
      drafts.flatMap(([draft, loaded]) => (loaded === undefined ? draft : [])),
    );
    await updateHosts(
      this.#sql,
      drafts.flatMap(([draft, loaded]) => (loaded === undefined ? [] : [[draft, loaded] as const])),
    );
    await replaceRelations(
      this.#sql,
      drafts.flatMap(([draft]) => draft),
    );
    const entries = drafts.flatMap(([{ hostname, history }]) => history.map((entry) => ({ hostname, ...entry })));
    const numbers = await nextNumbers(this.#sql, entries.length);
    await rememberChanges(this.#sql, entries, numbers);
    let place = 0;
    for (const [draft, loaded] of drafts) {
      const own = numbers.slice(place, place + draft.history.length);
      place += draft.history.length;
      const templates = () => (loaded === undefined ? templatesOf(draft.host?.members ?? '{}') : loaded.templates);
      this.#notes.push(...notesOfDraft(draft, own, templates));
      this.#effects.push(...draft.effects);
      this.#isVisible ||= draft.visible;
    }
  }

  /** Makes the changes common to all writers of hosts, last of all: its rows are locked until the end. */
  async finish(): Promise<void> {
    const by = this.#effects.at(-1);
    if (by !== undefined) {
      for (const { type, change } of ruleChangesOf(this.#effects)) await changeRules(this.#sql, type, change, by);
    }
    await addToFeed(this.#sql, this.#notes);
    if (this.#isVisible) await bumpRevision(this.#sql, 'hosts');
  }
}

function isDifferent({ changes, createdBy, history, relations, reachBefore, effects, visible }: HostDraft): boolean {
  if (createdBy !== undefined || history.length > 0 || relations !== undefined || reachBefore !== undefined)
    return true;
  if (effects.length > 0 || visible) return true;
  return Object.keys(changes).some(isStoredWithHost);
}

/** Writers of a host follow one another: each locks the row of its marks, in one order. Answers the ids of the hosts that are there. */
export async function lockHosts(sql: Sql, hostnames: readonly string[]): Promise<readonly number[]> {
  const rows = await sql.rows<[number]>(
    `SELECT h.id FROM muster.hosts h JOIN muster.host_marks m USING (id) WHERE h.hostname = ANY($1::text[])
     ORDER BY h.hostname FOR NO KEY UPDATE OF m`,
    [hostnames],
  );
  return rows.map(([id]) => id);
}

type LoadedRow = readonly [
  id: number,
  hostname: string,
  accountId: string | null,
  isObject: boolean,
  objectType: string,
  folder: string | null,
  createdAt: number,
  lastUpdate: number | null,
  archivedAt: number | null,
  archivedBy: string | null,
  contributed: boolean,
  lastSeen: number | null,
  runId: string | null,
  size: number,
  labelSize: number,
  labels: string,
  inventory: string,
  members: string,
  templates: readonly string[],
];

/** Hosts by name; of `locked` ones only these ids, because others that came meanwhile are met when they are inserted. */
async function load(
  sql: Sql,
  hostnames: readonly string[],
  locked: readonly number[] | undefined,
  reads: readonly HostPart[],
): Promise<ReadonlyMap<string, Loaded>> {
  if (locked?.length === 0) return new Map();
  const part = (name: HostPart) => (reads.includes(name) ? `h.${name}` : `''`);
  const rows = await sql.rows<LoadedRow>(
    `SELECT h.id, h.hostname, h.account_id, h.is_object, h.object_type, h.folder, h.created_at, h.last_update, h.archived_at,
       h.archived_by, h.contributed, m.last_seen, m.run_id, octet_length(h.inventory) + octet_length(h.members),
       octet_length(h.labels), ${part('labels')}, ${part('inventory')}, ${part('members')}, h.templates
     FROM muster.hosts h JOIN muster.host_marks m USING (id) WHERE h.hostname = ANY($1::text[]) ${locked === undefined ? '' : 'AND h.id = ANY($2::bigint[])'}`,
    locked === undefined ? [hostnames] : [hostnames, locked],
  );
  const layers = await loadLayers(
    sql,
    rows.flatMap((row) => (row[10] ? row[0] : [])),
  );
  return new Map(
    rows.map((row) => {
      const own = layers.get(row[0]) ?? [];
      const host: DraftHost = {
        accountId: row[2],
        isObject: row[3],
        objectType: row[4],
        folder: row[5],
        createdAt: row[6],
        lastUpdate: row[7],
        archive: row[8] === null ? null : { at: row[8], by: row[9] as ArchiveReason },
        lastSeen: row[11],
        runId: row[12],
        labels: row[15],
        inventory: row[16],
        members: row[17],
        layers: own,
      };
      const labelBytes =
        own.length === 0 ? row[14] : own.reduce((sum, layer) => sum + Buffer.byteLength(layer.labels), 0);
      return [row[1], { id: row[0], host, size: row[13] + labelBytes, templates: row[18] }];
    }),
  );
}

type LayerRow = readonly [number, string, number, boolean, string, number, string | null];

async function loadLayers(sql: Sql, ids: readonly number[]): Promise<ReadonlyMap<number, readonly HostLayer[]>> {
  const layers = new Map<number, HostLayer[]>();
  if (ids.length === 0) return layers;
  const rows = await sql.rows<LayerRow>(
    `SELECT host_id, account_id, precedence, is_owner, labels, at, run_id FROM muster.contributions
     WHERE host_id = ANY($1::bigint[]) ORDER BY host_id, account_id`,
    [ids],
  );
  for (const [id, accountId, precedence, owner, labels, at, runId] of rows) {
    const own = layers.get(id) ?? [];
    layers.set(id, own);
    own.push({ accountId, precedence, owner, labels, at, runId });
  }
  return layers;
}

type LastSeen = readonly [id: number, lastSeen: number | null, runId: string | null];

async function storeLastSeen(sql: Sql, seen: readonly LastSeen[], lastSeen = 'u.last_seen'): Promise<void> {
  if (seen.length === 0) return;
  const { rows, values } = listsOf(seen, [
    ['id', 'bigint', ([id]) => id],
    ['last_seen', 'bigint', ([, at]) => at],
    ['run_id', 'text', ([, , runId]) => runId],
  ]);
  await sql.run(
    `UPDATE muster.host_marks m SET last_seen = ${lastSeen}, run_id = u.run_id FROM ${rows} WHERE m.id = u.id`,
    values,
  );
}

interface WrittenHost {
  readonly hostname: string;
  readonly host: DraftHost;
}

/** The columns of `hosts` that a draft may change, other than texts. */
const COLUMNS: readonly Column<WrittenHost>[] = [
  ['account_id', 'text', ({ host }) => host.accountId],
  ['is_object', 'boolean', ({ host }) => host.isObject],
  ['object_type', 'text', ({ host }) => host.objectType],
  ['folder', 'text', ({ host }) => host.folder],
  ['created_at', 'bigint', ({ host }) => host.createdAt],
  ['last_update', 'bigint', ({ host }) => host.lastUpdate],
  ['archived_at', 'bigint', ({ host }) => host.archive?.at ?? null],
  ['archived_by', 'text', ({ host }) => host.archive?.by ?? null],
  ['contributed', 'boolean', ({ host }) => host.layers.length > 0],
];

async function insertHosts(sql: Sql, drafts: readonly HostDraft[]): Promise<void> {
  const fresh = drafts.flatMap(({ hostname, host, createdBy }) =>
    host === undefined || createdBy === undefined ? [] : [{ hostname, host, actor: createdBy.actor }],
  );
  if (fresh.length === 0) return;
  const stored: readonly Column<(typeof fresh)[number]>[] = [
    ['hostname', 'text'],
    ['created_kind', 'text', ({ actor }) => actor.kind],
    ['created_by', 'text', ({ actor }) => actor.name],
    ...COLUMNS,
    ['labels', 'text', ({ host }) => host.labels],
    ['inventory', 'text', ({ host }) => host.inventory],
    ['members', 'text', ({ host }) => host.members],
  ];
  const names = stored.map(([name]) => name);
  const { rows, values } = listsOf(fresh, [
    ...stored,
    ['templates', 'text', ({ host }) => JSON.stringify(templatesOf(host.members))],
    ['last_seen', 'bigint', ({ host }) => host.lastSeen],
    ['run_id', 'text', ({ host }) => host.runId],
  ]);
  const added = await sql.rows<[number, string]>(
    `WITH u AS MATERIALIZED (SELECT * FROM ${rows}),
     added AS (INSERT INTO muster.hosts (${names}, templates) SELECT ${names}, ${TEMPLATES} FROM u ORDER BY hostname RETURNING id, hostname),
     marked AS (INSERT INTO muster.host_marks (id, last_seen, run_id)
       SELECT added.id, u.last_seen, u.run_id FROM added JOIN u USING (hostname))
     SELECT id, hostname FROM added`,
    values,
  );
  const layered = new Map(
    fresh.filter(({ host }) => host.layers.length > 0).map(({ hostname, host }) => [hostname, host]),
  );
  await insertLayers(
    sql,
    added.flatMap(([id, name]) => layered.get(name)?.layers.map((layer) => ({ id, ...layer })) ?? []),
  );
}

/** Statements cannot take a list of lists, so templates are passed as JSON. */
export const TEMPLATES = 'ARRAY(SELECT json_array_elements_text(u.templates::json))';

async function updateHosts(sql: Sql, drafts: readonly (readonly [HostDraft, Loaded])[]): Promise<void> {
  const changed = drafts.flatMap(([{ hostname, host, changes }, { id }]) =>
    host !== undefined && Object.keys(changes).some(isStoredWithHost) ? [{ id, hostname, host, changes }] : [],
  );
  if (changed.length === 0) return;
  // Texts that stay the same are not sent.
  const { rows, values } = listsOf(changed, [
    ['id', 'bigint'],
    ...COLUMNS,
    ['labels', 'text', ({ changes }) => changes.labels],
    ['inventory', 'text', ({ changes }) => changes.inventory],
    ['members', 'text', ({ changes }) => changes.members],
    ['templates', 'text', ({ changes: { members } }) => members && JSON.stringify(templatesOf(members))],
  ]);
  const set = [
    ...COLUMNS.map(([name]) => `${name} = u.${name}`),
    ...['labels', 'inventory', 'members'].map((name) => `${name} = coalesce(u.${name}, h.${name})`),
    `templates = CASE WHEN u.templates IS NULL THEN h.templates ELSE ${TEMPLATES} END`,
  ];
  await sql.run(`UPDATE muster.hosts h SET ${set} FROM ${rows} WHERE h.id = u.id`, values);
  const layered = changed.filter(({ changes }) => changes.layers !== undefined);
  if (layered.length === 0) return;
  await sql.run('DELETE FROM muster.contributions WHERE host_id = ANY($1::bigint[])', [layered.map(({ id }) => id)]);
  await insertLayers(
    sql,
    layered.flatMap(({ id, host }) => host.layers.map((layer) => ({ id, ...layer }))),
  );
}

/** Sights have a table of their own. */
function isStoredWithHost(member: string): boolean {
  return member !== 'lastSeen' && member !== 'runId';
}

async function insertLayers(sql: Sql, layers: readonly (HostLayer & { readonly id: number })[]): Promise<void> {
  if (layers.length === 0) return;
  const { names, rows, values } = listsOf(layers, [
    ['host_id', 'bigint', ({ id }) => id],
    ['account_id', 'text'],
    ['precedence', 'bigint'],
    ['is_owner', 'boolean', ({ owner }) => owner],
    ['labels', 'text'],
    ['at', 'bigint'],
    ['run_id', 'text'],
  ]);
  await sql.run(`INSERT INTO muster.contributions (${names}) SELECT ${names} FROM ${rows}`, values);
}

async function replaceRelations(sql: Sql, drafts: readonly HostDraft[]): Promise<void> {
  const replaced = drafts.filter(({ relations }) => relations !== undefined);
  if (replaced.length === 0) return;
  await sql.run('DELETE FROM muster.relations WHERE hostname = ANY($1::text[])', [
    replaced.map(({ hostname }) => hostname),
  ]);
  const edges = replaced.flatMap(({ hostname, relations = [] }) => relations.map((edge) => ({ hostname, ...edge })));
  if (edges.length === 0) return;
  const { names, rows, values } = listsOf(edges, [
    ['hostname', 'text'],
    ['type', 'text'],
    ['target', 'text'],
    ['source', 'text'],
  ]);
  await sql.run(`INSERT INTO muster.relations (${names}) SELECT ${names} FROM ${rows} ON CONFLICT DO NOTHING`, values);
}
