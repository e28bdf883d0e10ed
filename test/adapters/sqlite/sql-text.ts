import Database from 'better-sqlite3';

/** A database as statements that make it again, which people can review and compare. */
export function sqlTextOf(path: string): string {
  const database = new Database(path);
  try {
    const made = database
      .prepare<[], { type: string; name: string; sql: string }>(
        "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type <> 'table', type, name",
      )
      .all();
    const tables = made.filter(({ type }) => type === 'table');
    const lines = [
      // Rows come by table, in no order that references would want.
      'PRAGMA foreign_keys = OFF;',
      ...['application_id', 'user_version'].map(
        (name) => `PRAGMA ${name} = ${database.pragma(name, { simple: true })};`,
      ),
      'BEGIN;',
      ...tables.map(({ sql }) => `${sql};`),
      ...tables.flatMap(({ name }) => rowsOf(database, name)),
      // Last, as triggers would act on the rows, which have what they did already.
      ...made.filter(({ type }) => type !== 'table').map(({ sql }) => `${sql};`),
      'COMMIT;',
    ];
    return `${lines.join('\n')}\n`;
  } finally {
    database.close();
  }
}

function rowsOf(database: Database.Database, table: string): readonly string[] {
  const columns = database.pragma(`table_info(\`${table}\`)`) as { name: string }[];
  const quoted = columns.map(({ name }) => `quote("${name}")`).join(" || ', ' || ");
  const rows = database.prepare<[], string>(`SELECT ${quoted} FROM "${table}"`).pluck().all();
  return rows.map((values) => `INSERT INTO "${table}" VALUES (${values});`);
}

export function makeFromSqlText(path: string, text: string): void {
  const database = new Database(path);
  try {
    database.exec(text);
  } finally {
    database.close();
  }
}
