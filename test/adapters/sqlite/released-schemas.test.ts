import { readFile } from 'node:fs/promises';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SCHEMA_STEPS } from '../../../src/adapters/storage/sqlite/schema-steps.ts';
import { describeReleasedSchemas } from '../../support/released-schemas.ts';
import { versionOf } from './older-database.ts';
import { makeFromSqlText, sqlTextOf } from './sql-text.ts';
import { openSqlite, type SqliteFolder, sqliteFolder } from './sqlite-harness.ts';

let folder: SqliteFolder;
let made = 0;
beforeEach(async () => {
  folder = await sqliteFolder();
});
afterEach(() => folder.remove());

describeReleasedSchemas(
  {
    store: 'sqlite',
    ending: 'sql',
    async fresh() {
      const path = `${folder.path}-${++made}`;
      return {
        open: () => openSqlite(path),
        text: async () => sqlTextOf(path),
        makeFrom: async (text) => makeFromSqlText(path, text),
        schemaVersion: async () => Number(versionOf(path)),
      };
    },
  },
  SCHEMA_STEPS.last,
);

it('a new database has the tables, columns, indexes and triggers of one that the steps before the first migration made, upgraded', async () => {
  const earlier = `${folder.path}-earlier`;
  makeFromSqlText(earlier, await readFile('test/fixtures/released-schemas/schema-20.sql', 'utf8'));
  await (await openSqlite(earlier)).stop();
  await (await openSqlite(folder.path)).stop();
  expect(shapeOf(folder.path)).toEqual(shapeOf(earlier));
});

/** What a database is made of, without how its statements are written. */
function shapeOf(path: string): unknown {
  const database = new Database(path, { readonly: true });
  const all = (sql: string) => database.prepare<[], Record<string, unknown>>(sql).all();
  try {
    return {
      columns: all(
        "SELECT t.name AS of, t.strict, t.wr, c.* FROM pragma_table_list t, pragma_table_xinfo(t.name) c WHERE t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid",
      ),
      references: all(
        'SELECT t.name AS of, f.* FROM pragma_table_list t, pragma_foreign_key_list(t.name) f ORDER BY t.name, f.id',
      ),
      indexes: all(
        `SELECT t.name AS of, i.name, i."unique", i.origin, c.seqno, c.cid, c."desc", c.coll, m.sql
         FROM pragma_table_list t, pragma_index_list(t.name) i, pragma_index_xinfo(i.name) c LEFT JOIN sqlite_master m ON m.name = i.name
         WHERE t.name NOT LIKE 'sqlite_%' ORDER BY t.name, i.name, c.seqno`,
      ),
      triggers: all("SELECT name, sql FROM sqlite_master WHERE type NOT IN ('table', 'index') ORDER BY name"),
      checks: all("SELECT name FROM sqlite_master WHERE sql LIKE '%CHECK%' ORDER BY name"),
    };
  } finally {
    database.close();
  }
}
