import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { AppError } from 'muster/plugin-api';
import { Table } from './table.js';

// The file is one object of JSON: a first line with the number of the last line of the journal that is in it and with the digest of what
// follows, then the tables, a row on each line. A line of the journal is a digest and the changes of calls that shared it.
const FORMAT = 1;

/** @param {ReadonlyMap<string, Table>} tables @param {number} lines */
export function fileOf(tables, lines) {
  const texts = [...tables].map(([name, table]) => {
    const rows = table.keys().map((key) => `\n${JSON.stringify([key, table.get(key)])}`);
    return `[${JSON.stringify(name)},[${rows.join(',')}]]`;
  });
  const body = Buffer.from(`[${texts.join(',\n')}]}\n`);
  const head = `{"muster_store":${FORMAT},"lines":${lines},"digest":"${digestOf(body)}","tables":\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

/** @param {string} path */
export async function readTables(path) {
  const file = await readWhole(path);
  const body = file.subarray(file.indexOf('\n') + 1);
  let head;
  try {
    head = JSON.parse(`${file.subarray(0, -body.length)}[]}`);
  } catch (cause) {
    throw damaged(path, 'it does not begin as it was written', cause);
  }
  if (head.muster_store !== FORMAT) {
    throw new AppError('failed', `${path} has format ${head.muster_store}, and this plugin reads ${FORMAT}`);
  }
  if (head.digest !== digestOf(body)) throw damaged(path, 'it is not as it was written');
  const keysOf = (rows) => rows.map(([key]) => key);
  const tables = JSON.parse(`${body}`.slice(0, -2)).map(([name, rows]) => [
    name,
    new Table(new Map(rows), keysOf(rows)),
  ]);
  return { tables: new Map(tables), lines: head.lines, bytes: file.length };
}

/** @param {number} line @param {readonly unknown[]} changes */
export function lineOf(line, changes) {
  const text = JSON.stringify({ line, changes });
  return Buffer.from(`${digestOf(text)} ${text}\n`);
}

/** The lines of a journal behind the number of a line, and how many bytes are whole lines. @param {string} path @param {number} after */
export async function readJournal(path, after) {
  const journal = await readWhole(path);
  // What has no end was being written when the process was killed, and was never answered.
  const bytes = journal.lastIndexOf('\n') + 1;
  const lines = [];
  for (let start = 0; start < bytes; ) {
    const end = journal.indexOf('\n', start);
    const text = journal.subarray(journal.indexOf(' ', start) + 1, end);
    if (`${journal.subarray(start, end)}` !== `${digestOf(text)} ${text}`) {
      throw damaged(path, `what begins at byte ${start} is not as it was written`);
    }
    const { line, changes } = JSON.parse(`${text}`);
    const expected = (lines.at(-1)?.line ?? after) + 1;
    if (line > expected) throw damaged(path, `line ${expected} is missing`);
    if (line === expected) lines.push({ line, changes });
    start = end + 1;
  }
  return { lines, bytes };
}

async function readWhole(path) {
  try {
    return await readFile(path);
  } catch (cause) {
    throw damaged(path, cause.message, cause);
  }
}

function digestOf(data) {
  return createHash('sha256').update(data).digest('hex').slice(0, 32);
}

function damaged(path, why, cause) {
  return new AppError('failed', `${path} cannot be read: ${why}. Restore it from a backup`, { cause });
}
