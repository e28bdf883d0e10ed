import { describe, expect, it } from 'vitest';
import type { EngineName } from '../../../src/plugins/sql/options.ts';
import { statementOf } from '../../../src/plugins/sql/statement.ts';

function query(text: string, engine: EngineName = 'postgresql'): string {
  return statementOf(engine, { query: text, table: undefined, fields: [] });
}

describe('the statement of an account', () => {
  it('is made of table and fields', () => {
    expect(statementOf('mysql', { table: 'hosts', fields: [], query: undefined })).toBe('SELECT * FROM hosts');
    expect(
      statementOf('mysql', { table: "cmdb.hosts WHERE site = 'a;b'", fields: ['name', 'ip'], query: undefined }),
    ).toBe("SELECT name, ip FROM cmdb.hosts WHERE site = 'a;b'");
  });

  it.each<[string, EngineName]>([
    ['select 1', 'postgresql'],
    ['  -- all of them\n/* and /* more */ */ (SELECT 1)', 'postgresql'],
    ['WITH a AS (SELECT 1) SELECT * FROM a', 'sqlite'],
    ["SELECT 'a; b', $$ ; $$, $x$ ; $$ ; $x$, E'\\'; ' FROM \"a;b\"", 'postgresql'],
    ["SELECT 'it''s; ', \"a\\\";\", `;` FROM t -- ; the end", 'mysql'],
    ['SELECT [a;b]]c], "x;" FROM t -- ;', 'mssql'],
    ['SELECT [update], "delete", \'drop\' FROM t INNER MERGE JOIN u ON 1 = 1 OPTION (MERGE JOIN)', 'mssql'],
    ['SELECT updated, last_update, dbo.set_of(1) FROM t ORDER BY 1 OFFSET 0 ROWS FETCH NEXT 9 ROWS ONLY', 'mssql'],
    ['SELECT 1 /* left open', 'sqlite'],
  ])('may be %s for %s', (text, engine) => {
    expect(query(text, engine)).toBe(text);
  });

  it('loses a semicolon at its end', () => {
    expect(query('SELECT 1; -- that was it')).toBe('SELECT 1');
    expect(query('SELECT 1 ;;\n')).toBe('SELECT 1 ');
  });

  it.each<[string, EngineName, RegExp]>([
    ['', 'postgresql', /says nothing/],
    ['-- SELECT 1', 'postgresql', /says nothing/],
    ['DELETE FROM hosts', 'postgresql', /begins with DELETE, and a source only reads/],
    ["COPY hosts TO PROGRAM 'rm'", 'postgresql', /begins with COPY/],
    ['SET x = 1', 'mysql', /begins with SET/],
    ["ATTACH 'x' AS y", 'sqlite', /begins with ATTACH/],
    ['PRAGMA query_only = OFF', 'sqlite', /begins with PRAGMA/],
    ['SELECT 1; DROP TABLE hosts', 'postgresql', /more than one statement/],
    ["SELECT 'a\\'; DROP TABLE hosts --'", 'postgresql', /more than one statement/],
    ["SELECT '\\'' ; DROP TABLE hosts -- '", 'mysql', /more than one statement/],
    ["SELECT 'open", 'mysql', /does not end: a text is not closed/],
    ['SELECT $a$ open', 'postgresql', /text between dollars is not closed/],
    ['SELECT /* open /* */', 'mssql', /a comment is not closed/],
    ['SELECT 1 /*! ; DROP TABLE x */', 'mysql', /MySQL executes/],
    ['SELECT 1 /*M!100100 ; DROP TABLE x */', 'mysql', /MySQL executes/],
    ["SELECT * INTO OUTFILE '/tmp/x' FROM hosts", 'mysql', /has the word INTO/],
    ['SELECT 1 DELETE FROM hosts', 'mssql', /has the word DELETE/],
    ['SELECT 1 exec xp_cmdshell', 'mssql', /has the word EXEC/],
    ['SELECT * INTO copy FROM hosts', 'mssql', /has the word INTO/],
    ['SELECT 1 COMMIT', 'mssql', /has the word COMMIT/],
    ['WITH x AS (SELECT 1) MERGE hosts USING x', 'mssql', /has the word MERGE/],
  ])('is refused: %s for %s', (text, engine, message) => {
    expect(() => query(text, engine)).toThrow(message);
  });

  it('needs a table or a query, and not both', () => {
    const nothing = { table: undefined, query: undefined, fields: [] };
    expect(() => statementOf('mysql', nothing)).toThrow(/table is missing/);
    expect(() => statementOf('mysql', { ...nothing, table: 'a', query: 'SELECT 1' })).toThrow(/both set/);
    expect(() => statementOf('mysql', { ...nothing, table: 'a; DROP TABLE a' })).toThrow(/table .* more than one/);
  });
});
