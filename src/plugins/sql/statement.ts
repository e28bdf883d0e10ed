import { alternatives, worded } from '../../kit/worded.ts';
import { AppError, type Wording } from '../../ports/index.ts';
import type { EngineName, SqlOptions } from './options.ts';
import { type SqlWord, sqlWords, UnreadableSql } from './words.ts';

/**
 * The statement of an account: its query, or a selection from its table. Throws for what is not one reading statement. This is to
 * say early what cannot work; that nothing is written is seen to by the session, and where a server has no such sessions, by
 * refusing every word that could write.
 */
export function statementOf(engine: EngineName, options: Pick<SqlOptions, 'query' | 'table' | 'fields'>): string {
  const { query, table, fields } = options;
  if (query !== undefined && table !== undefined) {
    throw new AppError('invalid_input', worded`query and table are both set; keep one of them`);
  }
  const what = query === undefined ? 'table' : 'query';
  const text = query ?? selection(table, fields);
  try {
    const words = sqlWords(text, engine);
    return requireOneReading(engine, what, text, words);
  } catch (error) {
    if (error instanceof UnreadableSql) throw refused(what, error.said);
    throw error;
  }
}

function selection(table: string | undefined, fields: readonly string[]): string {
  if (table === undefined) {
    throw new AppError(
      'invalid_input',
      worded`table is missing: the table to import, or set query; muster account set changes it`,
    );
  }
  return `SELECT ${fields.length === 0 ? '*' : fields.join(', ')} FROM ${table}`;
}

const READING: Readonly<Record<EngineName, readonly string[]>> = {
  postgresql: ['SELECT', 'WITH', 'VALUES', 'TABLE'],
  mysql: ['SELECT', 'WITH', 'VALUES', 'TABLE'],
  sqlite: ['SELECT', 'WITH', 'VALUES'],
  mssql: ['SELECT', 'WITH'],
};

/** Words that no name is unless it is quoted, and that make a statement more than reading. */
const WRITING: Readonly<Record<EngineName, ReadonlySet<string>>> = {
  postgresql: new Set(),
  sqlite: new Set(),
  // INTO OUTFILE writes a file of the server, whatever the transaction.
  mysql: new Set(['INTO']),
  // Statements of a batch need nothing between them, and a session cannot be made read-only.
  mssql: new Set(
    (
      'ALTER BACKUP BEGIN BULK COMMIT CREATE DBCC DECLARE DELETE DENY DROP EXEC EXECUTE GRANT INSERT INTO KILL MERGE ' +
      'OPENDATASOURCE OPENQUERY OPENROWSET RECONFIGURE RESTORE REVERT REVOKE ROLLBACK SAVE SET SETUSER SHUTDOWN TRAN ' +
      'TRANSACTION TRUNCATE UPDATE UPDATETEXT USE WAITFOR WRITETEXT'
    ).split(' '),
  ),
};

function requireOneReading(engine: EngineName, what: string, text: string, words: readonly SqlWord[]): string {
  const [first] = words;
  if (first === undefined) throw refused(what, worded`says nothing`);
  const reading = READING[engine];
  if (!reading.includes(first.word)) {
    throw refused(
      what,
      worded`begins with ${{ word: first.word }}, and a source only reads: begin with ${{ words: alternatives(reading) ?? '' }}`,
    );
  }
  const end = words.findIndex(({ word }) => word === ';');
  if (end !== -1 && words.slice(end).some(({ word }) => word !== ';')) {
    throw refused(what, worded`is more than one statement; write one`);
  }
  const writing = words.find(({ word }, index) => WRITING[engine].has(word) && !isHint(words, index));
  if (writing !== undefined) {
    throw refused(
      what,
      worded`has the word ${{ word: writing.word }}, and a source only reads; quote it if it is a name`,
    );
  }
  return end === -1 ? text : text.slice(0, words[end]?.at);
}

/** `INNER MERGE JOIN` and `OPTION (MERGE JOIN)` say how to join. */
function isHint(words: readonly SqlWord[], index: number): boolean {
  return words[index]?.word === 'MERGE' && ['JOIN', 'UNION'].includes(words[index + 1]?.word ?? '');
}

function refused(option: string, problem: Wording): AppError {
  return new AppError('invalid_input', worded`${{ option }} of the account ${{ problem }}`);
}
