import type { RuleChange } from '../../../app/hosts/decisions/folder-seats.ts';
import { type KnownPlaces, placesToRead, statesAt } from '../../../app/rules/decisions/state-before.ts';
import {
  type Actor,
  type ConfirmedBy,
  PAGE_CHARACTERS,
  type RuleOutcome,
  type RuleRecord,
  type RuleRemoval,
  type RuleStore,
  type RuleVersion,
  type RuleWrite,
  StoredJson,
} from '../../../ports/index.ts';
import { confirmationAfter, stronger } from '../shared/confirmation.ts';
import { documentWithId } from '../shared/rule-text.ts';
import type { TransferItem } from '../shared/transfer-table.ts';
import type { Database, Sql } from './database.ts';
import { bumpRevision } from './feed.ts';
import { listsOf, sized } from './lists.ts';

export type StoredRule = TransferItem<'rules'>;

export const RULE_FIELDS = [
  ['type', 'text'],
  ['id', 'text'],
  ['name', 'text'],
  ['unique_value', 'text'],
  ['version', 'bigint'],
  ['changed_at', 'bigint'],
  ['document', 'text'],
  ['confirmed_by', 'text'],
] as const;
const RULE_COLUMNS = RULE_FIELDS.map(([column]) => column).join(', ');
type RuleRow = readonly [string, string, string, string | null, number, number, string, ConfirmedBy];

function toStoredRule([type, id, name, uniqueValue, version, changedAt, document, confirmedBy]: RuleRow): StoredRule {
  return { type, id, name, uniqueValue, version, changedAt, document, confirmedBy };
}

function toRecord(row: RuleRow): RuleRecord {
  const { uniqueValue: _, changedAt, document, ...rule } = toStoredRule(row);
  return { ...rule, changedAt: new Date(changedAt), document: StoredJson.ofText(document) };
}

const VERSION_COLUMNS = 'seq, type, id, name, version, at, actor, change, document';
type VersionRow = readonly [number, string, string, string, number, number, string, string, string];

function toVersion([, type, id, name, version, at, actor, change, document]: VersionRow): RuleVersion {
  const kept = { type, id, name, version, at: new Date(at), actor, change: change as RuleVersion['change'] };
  return { ...kept, document: StoredJson.ofText(document) };
}

/** Rule documents in PostgreSQL. Writers of a type follow one another. */
export function postgresqlRules(database: Database): RuleStore {
  const versionsOf = async (inner: string, values: readonly unknown[], order: string, characters: number) => {
    const all = `SELECT ${VERSION_COLUMNS} FROM muster.rule_versions ${inner}`;
    return database.rows<VersionRow>(sized(VERSION_COLUMNS, 'document', all, order, characters), values);
  };
  const oneOf = async (where: string, values: readonly unknown[]): Promise<RuleRecord | undefined> => {
    const [row] = await database.rows<RuleRow>(`SELECT ${RULE_COLUMNS} FROM muster.rules WHERE ${where}`, values);
    return row && toRecord(row);
  };
  return {
    async list(type) {
      const rows = await database.rows<RuleRow>(
        `SELECT ${RULE_COLUMNS} FROM muster.rules WHERE type = $1 ORDER BY name, id`,
        [type],
      );
      return rows.map(toRecord);
    },

    async *scan(type, batchSize) {
      let last: RuleRecord | undefined;
      for (;;) {
        const inner = `SELECT ${RULE_COLUMNS} FROM muster.rules WHERE type = $1 AND (name, id) > ($2, $3) ORDER BY name, id LIMIT ${batchSize}`;
        const rows = await database.rows<RuleRow>(sized(RULE_COLUMNS, 'document', inner, 'name, id', PAGE_CHARACTERS), [
          type,
          last?.name ?? '',
          last?.id ?? '',
        ]);
        const batch = rows.map(toRecord);
        last = batch.at(-1);
        if (last === undefined) return;
        yield batch;
      }
    },

    get: (type, id) => oneOf('type = $1 AND id = $2', [type, id]),

    findByName: (type, name) =>
      oneOf('type = $1 AND left(name, 200) = left($2, 200) AND name = $2 ORDER BY id LIMIT 1', [type, name]),

    async counts() {
      return new Map(await database.rows<[string, number]>('SELECT type, count(*) FROM muster.rules GROUP BY type'));
    },

    write: ({ entries, mode, at, actor, basis = new Map() }) =>
      database.transaction(async (sql) => {
        for (const entry of entries) if (!('removes' in entry)) JSON.parse(entry.document.text);
        const book = await RuleBook.open(sql, entries, { at, actor }, basis);
        if (book === undefined) return entries.map(() => 'changed');
        const outcomes = entries.map((entry) =>
          'removes' in entry ? book.removeVersion(entry) : book.write(entry, mode),
        );
        await book.store();
        return outcomes;
      }),

    replace: ({ entry, expectedVersion, at, actor }) =>
      database.transaction(async (sql) => {
        const book = await RuleBook.open(sql, [entry], { at, actor });
        const present = book?.get(entry);
        if (book === undefined || present === undefined) return 'not_found';
        if (present.version !== expectedVersion) return 'conflict';
        if (book.isNameTaken(entry, present) || book.isValueTaken(entry, present)) return 'name_taken';
        book.put(ruleOf(entry, entry.document.text), present);
        await book.store();
        return 'replaced';
      }),

    confirm: ({ type, id, expectedVersion, by }) =>
      database.transaction(async (sql) => {
        await lockRevisions(sql, [revisionOf(type)]);
        const [present] = await storedRules(sql, 'type = $1 AND id = $2', [type, id]);
        if (present === undefined) return 'not_found';
        if (present.version !== expectedVersion) return 'conflict';
        const confirmedBy = stronger(present.confirmedBy, by);
        if (confirmedBy !== present.confirmedBy) await storeRules(sql, [{ ...present, confirmedBy }]);
        return 'confirmed';
      }),

    remove: ({ type, id, at, actor }) =>
      database.transaction(async (sql) => {
        await lockRevisions(sql, [revisionOf(type)]);
        const [present] = await storedRules(sql, 'type = $1 AND id = $2', [type, id]);
        if (present === undefined) return false;
        await removeRules(sql, [present]);
        await keepVersions(sql, [{ rule: present, change: 'removed' }], { at, actor });
        await bumpRevision(sql, revisionOf(type));
        return true;
      }),

    async versions(type, id, limit, characters = Number.MAX_SAFE_INTEGER) {
      const inner = `WHERE type = $1 AND id = $2 ORDER BY seq DESC LIMIT ${Math.min(limit, 1e9)}`;
      return (await versionsOf(inner, [type, id], 'seq DESC', characters)).map(toVersion);
    },

    async oldestVersion(type, id) {
      const [row] = await versionsOf(
        'WHERE type = $1 AND id = $2 ORDER BY seq LIMIT 1',
        [type, id],
        'seq',
        Number.MAX_SAFE_INTEGER,
      );
      return row && toVersion(row);
    },

    async statesBefore(type, ids, moment) {
      const rows = await database.rows<[string, number, number | null, number]>(
        `SELECT id, max(seq), max(seq) FILTER (WHERE at < $3), min(seq) FROM muster.rule_versions
         WHERE type = $1 AND id = ANY($2::text[]) GROUP BY id`,
        [type, ids, moment.getTime()],
      );
      const known = rows.map(([id, newest, earlier, oldest]): KnownPlaces => ({ id, newest, earlier, oldest }));
      const versions = await database.rows<VersionRow>(
        `SELECT ${VERSION_COLUMNS} FROM muster.rule_versions WHERE seq = ANY($1::bigint[])`,
        [placesToRead(known)],
      );
      return statesAt(known, new Map(versions.map((row) => [row[0], toVersion(row)])), moment);
    },

    async *lastVersions({ change, type = null }, batchSize) {
      let before = Number.MAX_SAFE_INTEGER;
      for (;;) {
        // A later version of a document, of whichever kind, means that this one is not its last.
        const inner = `AS found WHERE change = $1 AND seq < $2 AND ($3::text IS NULL OR type = $3) AND NOT EXISTS
          (SELECT 1 FROM muster.rule_versions later WHERE later.type = found.type AND later.id = found.id AND later.seq > found.seq)
          ORDER BY seq DESC LIMIT ${batchSize}`;
        const rows = await versionsOf(inner, [change, before, type], 'seq DESC', PAGE_CHARACTERS);
        const last = rows.at(-1);
        if (last === undefined) return;
        yield rows.map(toVersion);
        before = last[0];
      }
    },

    async rewriteVersions({ type, id, documents }) {
      await database.run(
        `UPDATE muster.rule_versions v SET document = u.document FROM unnest($3::bigint[], $4::text[]) AS u(version, document)
         WHERE v.type = $1 AND v.id = $2 AND v.version = u.version`,
        [type, id, [...documents.keys()], [...documents.values()].map(({ text }) => text)],
      );
    },

    pruneVersions: (before) =>
      database.run(
        `DELETE FROM muster.rule_versions old WHERE at < $1 AND NOT (EXISTS
           (SELECT 1 FROM muster.rules r WHERE r.type = old.type AND r.id = old.id) AND NOT EXISTS
           (SELECT 1 FROM muster.rule_versions v WHERE v.type = old.type AND v.id = old.id AND v.seq > old.seq))`,
        [before.getTime()],
      ),
  };
}

interface ChangedBy {
  readonly at: Date;
  readonly actor: Actor;
}

type WrittenRule = Omit<StoredRule, 'version' | 'changedAt' | 'confirmedBy'> & Pick<RuleWrite, 'confirmedBy'>;

function ruleOf({ type, id, name, uniqueValue, confirmedBy }: RuleWrite, document: string): WrittenRule {
  return { type, id, name, uniqueValue: uniqueValue ?? null, confirmedBy, document };
}

function revisionOf(type: string): string {
  return `rules/${type}`;
}

/** Writers of a type follow one another: each locks the row of its revision. Answers the revisions. */
async function lockRevisions(sql: Sql, some: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const names = [...new Set(some)].sort();
  await sql.run(
    'INSERT INTO muster.revisions SELECT name, 0 FROM unnest($1::text[]) AS name ORDER BY name ON CONFLICT DO NOTHING',
    [names],
  );
  return new Map(
    await sql.rows<[string, number]>(
      'SELECT name, value FROM muster.revisions WHERE name = ANY($1::text[]) ORDER BY name FOR UPDATE',
      [names],
    ),
  );
}

async function removeRules(sql: Sql, rules: readonly Pick<StoredRule, 'type' | 'id'>[]): Promise<void> {
  await sql.run('DELETE FROM muster.rules WHERE (type, id) IN (SELECT * FROM unnest($1::text[], $2::text[]))', [
    rules.map(({ type }) => type),
    rules.map(({ id }) => id),
  ]);
}

async function storedRules(sql: Sql, where: string, values: readonly unknown[]): Promise<StoredRule[]> {
  return (await sql.rows<RuleRow>(`SELECT ${RULE_COLUMNS} FROM muster.rules WHERE ${where}`, values)).map(toStoredRule);
}

/** The documents that a write is about, with those that share their names and unique values. */
class RuleBook {
  readonly #sql: Sql;
  readonly #by: ChangedBy;
  readonly #rules = new Map<string, StoredRule>();
  /** Documents by type and name, and by type and unique value. */
  readonly #byName = new Map<string, Set<StoredRule>>();
  readonly #byValue = new Map<string, Set<StoredRule>>();
  /** The highest version that is kept of each id. */
  readonly #kept = new Map<string, number>();
  readonly #changed = new Map<string, StoredRule>();
  readonly #removed = new Map<string, StoredRule>();
  readonly #versions: { readonly rule: StoredRule; readonly change: RuleVersion['change'] }[] = [];

  private constructor(sql: Sql, by: ChangedBy) {
    this.#sql = sql;
    this.#by = by;
  }

  /** `undefined` if a revision of the basis has moved. */
  static async open(
    sql: Sql,
    entries: readonly (RuleWrite | RuleRemoval)[],
    by: ChangedBy,
    basis: ReadonlyMap<string, number> = new Map(),
  ): Promise<RuleBook | undefined> {
    const book = new RuleBook(sql, by);
    const [types, ids] = (['type', 'id'] as const).map((field) => entries.map((entry) => entry[field]));
    const names = entries.map((entry) => ('removes' in entry ? null : entry.name));
    const values = entries.map((entry) => ('removes' in entry ? null : (entry.uniqueValue ?? null)));
    const revisions = await lockRevisions(sql, [...(types ?? []).map(revisionOf), ...basis.keys()]);
    if ([...basis].some(([name, value]) => revisions.get(name) !== value)) return undefined;
    const present = await storedRules(
      sql,
      `(type, id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
       OR (type, left(name, 200), name) IN (SELECT t, left(n, 200), n FROM unnest($1::text[], $3::text[]) AS u(t, n))
       OR (unique_value IS NOT NULL AND (type, unique_value) IN (SELECT * FROM unnest($1::text[], $4::text[])))`,
      [types, ids, names, values],
    );
    for (const rule of present) book.#know(rule);
    const kept = await sql.rows<[string, string, number]>(
      `SELECT type, id, max(version) FROM muster.rule_versions
       WHERE (type, id) IN (SELECT * FROM unnest($1::text[], $2::text[])) GROUP BY type, id`,
      [types, ids],
    );
    for (const [type, id, version] of kept) book.#kept.set(keyOf({ type, id }), version);
    return book;
  }

  get(rule: Pick<StoredRule, 'type' | 'id'>): StoredRule | undefined {
    return this.#rules.get(keyOf(rule));
  }

  write(entry: RuleWrite, mode: 'skip' | 'replace'): RuleOutcome {
    const byId = this.get(entry);
    const present = byId ?? (entry.uniqueName ? this.#firstOfName(entry) : undefined);
    if (present === undefined) {
      if (this.isValueTaken(entry, undefined)) return 'duplicate';
      this.put(ruleOf(entry, entry.document.text), undefined);
      return 'imported';
    }
    if (mode === 'skip') return 'duplicate';
    if (this.isNameTaken(entry, present)) return 'name_taken';
    if (this.isValueTaken(entry, present)) return 'duplicate';
    const document = byId === undefined ? documentWithId(entry.document.text, present.id) : entry.document.text;
    this.put({ ...ruleOf(entry, document), id: present.id }, present);
    return 'replaced';
  }

  isNameTaken({ type, name, uniqueName }: RuleWrite, present: StoredRule): boolean {
    return uniqueName && hasOther(this.#byName.get(keyOf({ type, id: name })), present);
  }

  isValueTaken({ type, uniqueValue }: RuleWrite, present: StoredRule | undefined): boolean {
    return uniqueValue !== undefined && hasOther(this.#byValue.get(keyOf({ type, id: uniqueValue })), present);
  }

  /** Stores a document as the next version of `present`. One that is equal to the letter leaves no trace. */
  put(rule: WrittenRule, present: StoredRule | undefined): void {
    const isSame = present !== undefined && present.document === rule.document && present.name === rule.name;
    const confirmedBy = confirmationAfter(present && { ...present, isSame }, rule.confirmedBy);
    if (isSame) {
      if (confirmedBy !== present.confirmedBy) this.#set({ ...present, confirmedBy });
      return;
    }
    const version = (present?.version ?? this.#kept.get(keyOf(rule)) ?? 0) + 1;
    const stored = { ...rule, confirmedBy, version, changedAt: this.#by.at.getTime() };
    this.#set(stored);
    this.#versions.push({ rule: stored, change: present === undefined ? 'created' : 'replaced' });
  }

  removeVersion(removal: RuleRemoval): RuleOutcome {
    const present = this.get(removal);
    if (present?.version !== removal.removes) return 'conflict';
    this.#forget(present);
    this.#changed.delete(keyOf(present));
    this.#removed.set(keyOf(present), present);
    this.#versions.push({ rule: present, change: 'removed' });
    return 'removed';
  }

  async store(): Promise<void> {
    if (this.#removed.size > 0) await removeRules(this.#sql, [...this.#removed.values()]);
    await storeRules(this.#sql, [...this.#changed.values()], [...this.#removed.values()]);
    await keepVersions(this.#sql, this.#versions, this.#by);
  }

  #set(rule: StoredRule): void {
    const before = this.get(rule);
    if (before !== undefined) this.#forget(before);
    this.#know(rule);
    this.#changed.set(keyOf(rule), rule);
  }

  #forget(rule: StoredRule): void {
    this.#rules.delete(keyOf(rule));
    this.#byName.get(nameKey(rule))?.delete(rule);
    this.#byValue.get(valueKey(rule))?.delete(rule);
  }

  #know(rule: StoredRule): void {
    this.#rules.set(keyOf(rule), rule);
    addTo(this.#byName, nameKey(rule), rule);
    if (rule.uniqueValue !== null) addTo(this.#byValue, valueKey(rule), rule);
  }

  #firstOfName({ type, name }: RuleWrite): StoredRule | undefined {
    const same = [...(this.#byName.get(keyOf({ type, id: name })) ?? [])];
    return same.reduce<StoredRule | undefined>(
      (first, rule) => (first !== undefined && first.id < rule.id ? first : rule),
      undefined,
    );
  }
}

function hasOther(rules: ReadonlySet<StoredRule> | undefined, own: StoredRule | undefined): boolean {
  for (const { id } of rules ?? []) if (id !== own?.id) return true;
  return false;
}

function addTo(index: Map<string, Set<StoredRule>>, key: string, rule: StoredRule): void {
  const same = index.get(key) ?? new Set();
  index.set(key, same.add(rule));
}

function nameKey({ type, name }: StoredRule): string {
  return keyOf({ type, id: name });
}

function valueKey({ type, uniqueValue }: StoredRule): string {
  return keyOf({ type, id: uniqueValue ?? '' });
}

function keyOf({ type, id }: Pick<StoredRule, 'type' | 'id'>): string {
  return `${type}\u0000${id}`;
}

/** Stores documents as they are given and moves the revisions of their types, and of those of removed ones. */
export async function storeRules(
  sql: Sql,
  rules: readonly StoredRule[],
  removed: readonly StoredRule[] = [],
): Promise<void> {
  if (rules.length > 0) {
    const { names, rows, values } = listsOf(rules, RULE_FIELDS);
    const replaced = RULE_FIELDS.slice(2).map(([column]) => `${column} = excluded.${column}`);
    await sql.run(
      `INSERT INTO muster.rules (${names}) SELECT ${names} FROM ${rows} ON CONFLICT (type, id) DO UPDATE SET ${replaced}`,
      values,
    );
  }
  const types = new Set([...rules, ...removed].map(({ type }) => type));
  for (const type of [...types].sort()) await bumpRevision(sql, revisionOf(type));
}

async function keepVersions(
  sql: Sql,
  kept: readonly { readonly rule: StoredRule; readonly change: RuleVersion['change'] }[],
  { at, actor }: ChangedBy,
): Promise<void> {
  if (kept.length === 0) return;
  const { names, rows, values } = listsOf(
    kept,
    [
      ['type', 'text', ({ rule }) => rule.type],
      ['id', 'text', ({ rule }) => rule.id],
      ['name', 'text', ({ rule }) => rule.name],
      ['version', 'bigint', ({ rule }) => rule.version],
      ['change', 'text'],
      ['document', 'text', ({ rule }) => rule.document],
    ],
    [at.getTime(), actor.name],
  );
  await sql.run(
    `INSERT INTO muster.rule_versions (at, actor, ${names}) SELECT $1::bigint, $2::text, ${names} FROM ${rows} ORDER BY number`,
    values,
  );
}

/** Changes documents of a type as a change of hosts asks for it. */
export async function changeRules(sql: Sql, type: string, change: RuleChange['change'], by: ChangedBy): Promise<void> {
  await lockRevisions(sql, [revisionOf(type)]);
  const changed = (await storedRules(sql, 'type = $1', [type])).flatMap((rule): StoredRule[] => {
    const document = change(rule.document);
    if (document === undefined || document === rule.document) return [];
    return [{ ...rule, document, version: rule.version + 1, changedAt: by.at.getTime() }];
  });
  await storeRules(sql, changed);
  await keepVersions(
    sql,
    changed.map((rule) => ({ rule, change: 'replaced' })),
    by,
  );
}
