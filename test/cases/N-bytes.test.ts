import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { RecordMaker } from '../../src/kit/records/record-maker.ts';
import { FileLists } from '../../src/kit/records/whole-list.ts';
import { jsonOptions } from '../../src/plugins/json/options.ts';
import { RecordReader } from '../../src/plugins/json/record-reader.ts';
import { openSqlite } from '../../src/plugins/sql/engines/sqlite.ts';
import { documentsOf } from '../../src/plugins/yaml/documents.ts';
import { yamlOptions } from '../../src/plugins/yaml/options.ts';
import { recordsOf } from '../../src/plugins/yaml/records.ts';
import { sourceFiles } from '../support/files.ts';

const signal = new AbortController().signal;

async function cities(bytes: string, encoding?: string): Promise<unknown[]> {
  const path = join(await mkdtemp(join(tmpdir(), 'muster-bytes-')), 's.db');
  const made = new Sqlite(path);
  made.exec(
    `create table t (host text, city text, n int, b blob); insert into t values ('s1', CAST(x'${bytes}' AS TEXT), 7, x'ff')`,
  );
  made.close();
  const database = await openSqlite(path, sourceFiles, encoding);
  const rows: unknown[] = [];
  try {
    for await (const piece of database.rows('SELECT * FROM t', { signal, base64: false })) rows.push(...piece.rows);
  } finally {
    await database.close();
  }
  return rows;
}

describe('text of another encoding in SQLite', () => {
  it('is refused by name', async () => {
    await expect(cities('4bf66c6e')).rejects.toThrow(
      'has a text in the column "city", row 1, that is not UTF-8; set its encoding',
    );
    await expect(cities('4bf66c6e', 'utf-8')).rejects.toThrow('not UTF-8');
  });

  it.each([
    ['4bf66c6e', 'latin1', 'Köln'],
    ['80', 'cp1252', '€'],
    ['efbfbd', 'utf-8', '\ufffd'],
    ['4bc3b66c6e', undefined, 'Köln'],
  ])('%s is read as %s', async (bytes, encoding, city) => {
    expect(await cities(bytes, encoding)).toEqual([['s1', city, 7, undefined]]);
  });
});

describe('JSON with what is no number of it', () => {
  it.each([
    ['[{"host":"a","n":1},\n {"host":"b","n":NaN}]', 'it has NaN, which is not a JSON value (null is one), in line 2'],
    [
      '[{"host":"a",\n"t":"NaN",\n"n":-Infinity}]',
      'it has -Infinity, which is not a JSON value (null is one), in line 3',
    ],
  ])('%s says what and where', async (text, message) => {
    const maker = await RecordMaker.of(jsonOptions().parse({ path: 'x' }));
    const reader = new RecordReader(jsonOptions().parse({ path: 'x' }), { target: '', maker, host: '' });
    expect(() => reader.push(text)).toThrow(message);
  });
});

describe('an inventory of Ansible in an account of type yaml', () => {
  it.each<[string, Readonly<Record<string, unknown>>]>([
    [
      'all:\n  hosts:\n    web[01:03].example.org:\n  children:\n    db: {hosts: {db1: }}\n',
      { hosts_key: 'hosts', variables_key: 'vars' },
    ],
    ['all:\n  hosts: {web1: }\n', {}],
    ['web:\n  hosts: {"web[a:c]": }\n', { hosts_key: 'hosts' }],
    ['web:\n  hosts: {web1: {}}\ndb:\n  hosts: {db1: {}}\n  vars: {a: 1}\n', {}],
    ['all:\n  hosts:\n    web[01:03]: {}\n    web9: {}\n', { data_key: 'all.hosts' }],
  ])('is partial and names the type', async (text, fields) => {
    const options = yamlOptions().parse({ path: 'x', ...fields });
    const maker = await RecordMaker.of(options);
    const items = [...recordsOf(documentsOf(text), options, { maker, place: 'x', host: '', lists: new FileLists() })];
    expect(items.filter((item) => item?.kind === 'gap')).toHaveLength(1);
    expect(JSON.stringify(items)).toContain('type ansible');
    expect(items.flatMap((item) => (item?.kind === 'record' ? [item.hostname] : []))).not.toContain('all');
    expect(items.some((item) => item?.kind === 'record' && item.hostname.includes('['))).toBe(false);
  });
});

it('ends a YAML file with a document that holds nothing', async () => {
  expect(documentsOf('- host: a\n---\n')).toEqual([[{ host: 'a' }]]);
});
