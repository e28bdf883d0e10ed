import { Worker } from 'node:worker_threads';
import { isSqliteError, openFile, type ProcessRequest, piecesOf } from './sqlite-reading.ts';

/**
 * The entry of the process that asks a SQLite file what may take for ever. Nothing but the end of its process ends such a question, so it has
 * one of its own. Writes pieces of rows as lines of JSON.
 */

/** This process is held by the database, so another thread looks whether anybody still waits for the answer. */
const ENDS_WITH_PARENT = `setInterval(() => { if (process.ppid !== ${process.ppid}) process.kill(process.pid, 'SIGKILL'); }, 500)`;

/** Resolves once the system has the line: the end of this process would drop what its stream still holds for a slow reader. */
function write(line: object): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${JSON.stringify(line)}\n`, (error) => (error == null ? resolve() : reject(error)));
  });
}

new Worker(ENDS_WITH_PARENT, { eval: true }).unref();
try {
  const { path, statement, base64 } = JSON.parse(String(process.argv[2])) as ProcessRequest;
  const database = openFile(path);
  await write({ opened: true });
  for (const piece of piecesOf(database, statement, base64)) {
    // Values left out have no JSON form, and no other value is false.
    await write({ ...piece, rows: piece.rows.map((row) => row.map((value) => (value === undefined ? false : value))) });
  }
  await write({ done: true });
} catch (error) {
  const code = isSqliteError(error) ? error.code : '';
  await write({ failed: { code, message: error instanceof Error ? error.message : String(error) } });
}
process.exit();
