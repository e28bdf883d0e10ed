import { within, withSignsOfLife } from '../../kit/connection/timeouts.ts';
import { shown, shownNames } from '../../kit/file-source/fault.ts';
import { setOwn } from '../../kit/file-source/own-property.ts';
import { blankLabels } from '../../kit/records/blank-labels.ts';
import { listedRecord } from '../../kit/records/object-record.ts';
import { RecordFilter } from '../../kit/records/record-filter.ts';
import { RecordKeys } from '../../kit/records/record-keys.ts';
import { isNoName } from '../../kit/records/worthless-values.ts';
import { secondsWording, worded } from '../../kit/worded.ts';
import {
  AppError,
  type JsonValue,
  type ReadContext,
  type SourceAccount,
  type SourceItem,
  type SourceServices,
} from '../../ports/index.ts';
import type { Database, Row, Rows } from './engine.ts';
import type { EngineName, SqlOptions } from './options.ts';
import { databaseFile, engineOf, serverSettings } from './settings.ts';
import { statementOf } from './statement.ts';
import { jsonValue } from './values.ts';

export interface SqlReading {
  readonly options: SqlOptions;
  readonly account: SourceAccount;
  readonly services: Pick<SourceServices, 'files' | 'logger'>;
}

/** Reads the rows of a table or query in pieces, each row a record. */
export function readSql(reading: SqlReading, context: ReadContext): AsyncIterable<readonly SourceItem[]> {
  return withSignsOfLife((inner) => readRows(reading, inner), context);
}

async function* readRows(
  { options, account, services }: SqlReading,
  { signal, progress }: ReadContext,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const engine = engineOf(options, account.address);
  const statement = statementOf(engine, options);
  const filter = await RecordFilter.of(options.record_filter);
  const database = await openDatabase(engine, { options, account, services }, signal);
  try {
    let records: RowRecords | undefined;
    for await (const piece of database.rows(statement, { signal, base64: options.binary_fields === 'base64' })) {
      records ??= new RowRecords(database.name, columnsOf(engine, piece, options), { options, filter });
      yield records.of(piece.rows);
      progress(records.count);
    }
    yield filter.leftOut();
  } finally {
    await database.close();
  }
}

/** Connects, and says to what and as whom. */
export async function checkSql(
  { options, account, services }: SqlReading,
  { signal }: { readonly signal: AbortSignal },
): Promise<string> {
  const engine = engineOf(options, account.address);
  statementOf(engine, options);
  const database = await openDatabase(engine, { options, account, services }, signal);
  try {
    const { version, user } = await within(database.about(), {
      signal,
      seconds: options.request_timeout,
      message: worded`${{ server: database.name }} did not answer within ${{ time: secondsWording(options.request_timeout) }}`,
    });
    return user === '' ? version : `${version} as ${user}`;
  } finally {
    await database.close();
  }
}

/** Existing installations name the columns of a MySQL query by `fields`. */
function columnsOf(engine: EngineName, { columns }: Rows, { query, fields }: SqlOptions): readonly string[] {
  if (engine !== 'mysql' || query === undefined || fields.length === 0) return columns;
  if (fields.length <= columns.length) return fields;
  const [named, given] = [String(fields.length), String(columns.length)];
  throw new AppError(
    'failed',
    worded`fields names ${{ named }} columns, and the query gives ${{ given }}; name as many, or remove fields`,
  );
}

/** Makes records of rows. */
class RowRecords {
  count = 0;
  readonly #columns: readonly string[];
  readonly #json: ReadonlySet<number>;
  /** Which column has the hostname. */
  readonly #name: number;
  readonly #blank: Readonly<Record<string, string>>;
  readonly #options: SqlOptions;
  readonly #filter: RecordFilter;
  readonly #keys: RecordKeys;

  constructor(
    database: string,
    columns: readonly string[],
    { options, filter }: { readonly options: SqlOptions; readonly filter: RecordFilter },
  ) {
    this.#columns = columns;
    this.#options = options;
    this.#filter = filter;
    this.#keys = new RecordKeys(options.key_fields);
    const named = [
      ['hostname_field', options.hostname_field],
      ...options.json_fields.map((name) => ['json_fields', name] as const),
      // Paths lead on into columns with JSON.
      ...this.#keys.paths.map((path) => ['key_fields', columnOf(path, columns)] as const),
    ] as const;
    const [option = '', missing] = named.find(([, name]) => !columns.includes(name)) ?? [];
    if (missing !== undefined) {
      const names = shownNames(columns);
      const column = shown(missing);
      const problem = worded`the answer of ${{ server: database }} has no column ${{ column }}`;
      const found = names === undefined ? problem : worded`${{ problem }}; its columns: ${{ names }}`;
      throw new AppError('failed', worded`${{ problem: found }}; correct ${{ option }}`);
    }
    this.#json = new Set(options.json_fields.map((name) => columns.indexOf(name)));
    this.#name = columns.lastIndexOf(options.hostname_field);
    this.#blank = blankLabels(columns.filter((_, index) => index !== this.#name));
  }

  of(rows: readonly Row[]): SourceItem[] {
    return rows.flatMap((row) => {
      const position = `row ${++this.count}`;
      const flat = this.#flatRecord(row, position);
      if (flat !== undefined && this.#keys.areNone && this.#options.record_filter === undefined) return [flat];
      const members = this.#members(row);
      if (this.#options.record_filter !== undefined && !this.#filter.passes(members, position)) return [];
      return [this.#keys.added(flat ?? listedRecord(members, position, this.#options), members)];
    });
  }

  /** Most rows have a name and nothing nested, so their cells are labels as they are; of others `undefined`. */
  #flatRecord(row: Row, position: string): SourceItem | undefined {
    const hostname = row[this.#name];
    if (typeof hostname !== 'string' || isNoName(hostname) || this.#json.size > 0) return undefined;
    const labels: Record<string, JsonValue> = { ...this.#blank };
    for (let index = 0; index < this.#columns.length; index++) {
      const value = row[index];
      if (value === undefined) return this.#partRecord(row, hostname, position);
      if (typeof value === 'object' && value !== null) return undefined;
      if (index !== this.#name) labels[this.#columns[index] as string] = value;
    }
    return { kind: 'record', position, hostname, labels };
  }

  /** As a flat record, of a row without the cells that are left out. */
  #partRecord(row: Row, hostname: string, position: string): SourceItem | undefined {
    const labels: Record<string, JsonValue> = {};
    for (let index = 0; index < this.#columns.length; index++) {
      const value = row[index];
      if (typeof value === 'object' && value !== null) return undefined;
      if (value !== undefined && index !== this.#name) setOwn(labels, this.#columns[index] as string, value);
    }
    return { kind: 'record', position, hostname, labels };
  }

  #members(row: Row): Record<string, JsonValue> {
    const members: Record<string, JsonValue> = {};
    for (let index = 0; index < this.#columns.length; index++) {
      const value = row[index];
      if (value === undefined) continue;
      const isJson = typeof value === 'string' && this.#json.has(index);
      setOwn(members, this.#columns[index] as string, isJson ? jsonValue(value) : value);
    }
    return members;
  }
}

/** The column that a path begins in; names may hold dots. */
function columnOf(path: string, columns: readonly string[]): string {
  if (columns.includes(path)) return path;
  return path.replace(/(?:\.|\[\]).*$/s, '');
}

interface Asked {
  readonly options: SqlOptions;
  readonly account: SourceAccount;
  readonly services: Pick<SourceServices, 'files' | 'logger'>;
}

/** Opens the database of an account. Drivers are loaded with the first account that needs them. */
async function openDatabase(
  engine: EngineName,
  { options, account, services }: Asked,
  signal: AbortSignal,
): Promise<Database> {
  if (engine === 'sqlite') {
    const { openSqlite } = await import('./engines/sqlite.ts');
    return openSqlite(databaseFile(options, account.address), services.files, options.encoding);
  }
  if (options.encoding !== undefined)
    throw new AppError(
      'invalid_input',
      worded`encoding is of sqlite files alone: a server of ${{ engine }} says its own; remove encoding from the account`,
    );
  const settings = await serverSettings(engine, options, account, { files: services.files, signal });
  if (engine === 'postgresql') {
    const { openPostgresql } = await import('./engines/postgresql.ts');
    return openPostgresql(settings, services.logger, signal);
  }
  if (engine === 'mysql') {
    const { openMysql } = await import('./engines/mysql.ts');
    return openMysql(settings, services.logger, signal);
  }
  const { openMssql } = await import('./engines/mssql.ts');
  return openMssql(settings, services.logger, signal);
}
