import { setImmediate as turn } from 'node:timers/promises';
import { type KnownPlaces, placesToRead, statesAt } from '../../../app/rules/decisions/state-before.ts';
import {
  PAGE_CHARACTERS,
  type RuleRecord,
  type RuleRemoval,
  type RuleState,
  type RuleStore,
  type RuleVersion,
  type RuleWrite,
} from '../../../ports/index.ts';
import type { Connection } from './connection.ts';
import { RULE_COLUMNS, type RuleRow, toRuleRecord, toRuleVersion, VERSION_COLUMNS, type VersionRow } from './rows.ts';
import type { SentRule } from './write/rules.ts';
import type { WriterClient } from './writer-client.ts';

/** Rule documents in SQLite. */
export function sqliteRules(read: () => Connection, writer: () => WriterClient): RuleStore {
  return {
    async list(type) {
      const sql = `SELECT ${RULE_COLUMNS} FROM rules WHERE type = ? ORDER BY name, id`;
      return read().all<RuleRow>(sql, type).map(toRuleRecord);
    },

    scan: (type, batchSize) => scan(read, type, batchSize),

    async get(type, id) {
      const row = read().get<RuleRow>(`SELECT ${RULE_COLUMNS} FROM rules WHERE type = ? AND id = ?`, type, id);
      return row === undefined ? undefined : toRuleRecord(row);
    },

    async findByName(type, name) {
      const sql = `SELECT ${RULE_COLUMNS} FROM rules WHERE type = ? AND name = ? ORDER BY id LIMIT 1`;
      const row = read().get<RuleRow>(sql, type, name);
      return row === undefined ? undefined : toRuleRecord(row);
    },

    async counts() {
      const rows = read().allRaw<[string, number]>('SELECT type, count(*) FROM rules GROUP BY type');
      return new Map(rows);
    },

    async write({ entries, mode, at, actor, basis = new Map() }) {
      const sent = entries.map((entry): SentRule | RuleRemoval => ('removes' in entry ? entry : send(entry)));
      const size = sent.reduce((sum, entry) => sum + ('removes' in entry ? 0 : entry.document.length), 0);
      return writer().call('writeRules', { entries: sent, mode, at, actor, basis }, sent.length, size);
    },

    async replace({ entry, expectedVersion, at, actor }) {
      return writer().call('replaceRule', { entry: send(entry), expectedVersion, at, actor });
    },

    confirm: async ({ type, id, expectedVersion, by }) =>
      writer().call('confirmRule', { type, id, expectedVersion, by }),

    remove: async ({ type, id, at, actor }) => writer().call('removeRule', { type, id, at, actor }),

    async versions(type, id, limit, characters = Number.POSITIVE_INFINITY) {
      const sql = `SELECT ${VERSION_COLUMNS} FROM rule_versions WHERE type = ? AND id = ? ORDER BY seq DESC LIMIT ?`;
      const versions: RuleVersion[] = [];
      let room = characters;
      read().take<VersionRow>(sql, [type, id, limit], (row) => {
        versions.push(toRuleVersion(row));
        room -= row.document.length;
        return room <= 0;
      });
      return versions;
    },

    async oldestVersion(type, id) {
      const sql = `SELECT ${VERSION_COLUMNS} FROM rule_versions WHERE type = ? AND id = ? ORDER BY seq LIMIT 1`;
      return read().all<VersionRow>(sql, type, id).map(toRuleVersion)[0];
    },

    statesBefore: async (type, ids, moment) => statesBefore(read(), type, ids, moment),

    lastVersions: (request, batchSize) => lastVersions(read, request, batchSize),

    rewriteVersions: async ({ type, id, documents }) =>
      writer().call('rewriteVersions', {
        type,
        id,
        documents: [...documents].map(([version, document]) => ({ version, document: document.text })),
      }),

    pruneVersions: async (before) => writer().call('pruneVersions', before.getTime()),
  };
}

async function* scan(read: () => Connection, type: string, batchSize: number): AsyncGenerator<readonly RuleRecord[]> {
  let last: RuleRecord | undefined;
  for (;;) {
    const sql = `SELECT ${RULE_COLUMNS} FROM rules WHERE type = ? AND (name, id) > (?, ?) ORDER BY name, id LIMIT ?`;
    const batch: RuleRecord[] = [];
    let room = PAGE_CHARACTERS;
    read().take<RuleRow>(sql, [type, last?.name ?? '', last?.id ?? '', batchSize], (row) => {
      batch.push(toRuleRecord(row));
      room -= row.document.length;
      return room <= 0;
    });
    last = batch.at(-1);
    if (last === undefined) return;
    yield batch;
    if (batch.length < batchSize && room > 0) return;
    await turn();
  }
}

const PLACES = `SELECT id, max(seq) AS newest, max(CASE WHEN at < ? THEN seq END) AS earlier, min(seq) AS oldest
  FROM rule_versions WHERE type = ? AND id IN (SELECT value FROM json_each(?)) GROUP BY id`;
const AT_PLACES = `SELECT ${VERSION_COLUMNS}, seq FROM rule_versions WHERE seq IN (SELECT value FROM json_each(?))`;

function statesBefore(
  read: Connection,
  type: string,
  ids: readonly string[],
  moment: Date,
): ReadonlyMap<string, RuleState> {
  const known = read.all<KnownPlaces>(PLACES, moment.getTime(), type, JSON.stringify(ids));
  const rows = read.all<VersionRow & { readonly seq: number }>(AT_PLACES, JSON.stringify(placesToRead(known)));
  return statesAt(known, new Map(rows.map((row) => [row.seq, toRuleVersion(row)])), moment);
}

/** A later version of a document, of whichever kind, means that this one is not its last. */
const LAST_VERSIONS = `SELECT ${VERSION_COLUMNS}, seq FROM rule_versions AS found
  WHERE change = ? AND seq < ? AND (? IS NULL OR type = ?)
    AND NOT EXISTS (SELECT 1 FROM rule_versions AS later WHERE later.type = found.type AND later.id = found.id AND later.seq > found.seq)
  ORDER BY seq DESC LIMIT ?`;

async function* lastVersions(
  read: () => Connection,
  { change, type = null }: { readonly change: 'created' | 'removed'; readonly type?: string | null },
  batchSize: number,
): AsyncGenerator<readonly RuleVersion[]> {
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const rows: VersionRow[] = [];
    let room = PAGE_CHARACTERS;
    read().take<VersionRow & { readonly seq: number }>(
      LAST_VERSIONS,
      [change, before, type, type, batchSize],
      (row) => {
        rows.push(row);
        before = row.seq;
        room -= row.document.length;
        return room <= 0;
      },
    );
    if (rows.length === 0) return;
    yield rows.map(toRuleVersion);
    if (rows.length < batchSize && room > 0) return;
    await turn();
  }
}

function send(entry: RuleWrite): SentRule {
  return {
    type: entry.type,
    id: entry.id,
    name: entry.name,
    uniqueName: entry.uniqueName,
    uniqueValue: entry.uniqueValue ?? null,
    document: entry.document.text,
    confirmedBy: entry.confirmedBy,
  };
}
