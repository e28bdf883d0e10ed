import { existsSync } from 'node:fs';
import { mkdir, open, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from 'muster/plugin-api';
import { storeMissing } from 'muster/storage-api';
import { fileOf, lineOf, readJournal, readTables } from './format.js';
import { lockFile } from './lock.js';
import { Table } from './table.js';

/** A journal is folded into the file once it is larger than the file, and than this. */
const SMALL_JOURNAL = 4 * 1024 * 1024;

/** What a call may do with the tables. */
export class Writing {
  /** Each a table, a key and a value, which is absent where it is removed. */
  changes = [];
  #undo = [];

  /** @param {(name: string) => Table} table */
  constructor(table) {
    this.table = table;
  }

  /** @param {string} name @param {string} key @param {unknown} value `undefined` removes it */
  put(name, key, value) {
    this.#undo.push([name, key, this.table(name).get(key)]);
    this.changes.push(value === undefined ? [name, key] : [name, key, value]);
    this.table(name).set(key, value);
  }

  /** The next number of a counter; the first is 1. @param {string} name */
  next(name) {
    const number = (this.table('counters').get(name) ?? 0) + 1;
    this.put('counters', name, number);
    return number;
  }

  undo() {
    for (const [name, key, value] of this.#undo.reverse()) this.table(name).set(key, value);
  }
}

/**
 * Tables in memory, kept in a file of JSON with a journal next to it.
 *
 * A change is made in memory at once, so that the next call sees it, and is answered when a line of the journal with it is on the disk.
 * Calls that wait at the same time share a line. Reads wait until the changes that they have seen are on the disk. Where a line
 * cannot be written, all calls that wait fail, and what they changed in memory is undone.
 */
export class JsonFile {
  #settings;
  tables = new Map();
  #state = 'closed';
  /** Starts and stops, one after the other. */
  #turn = Promise.resolve();
  #unlock;
  #journal;
  /** How many bytes of the journal are whole lines, and how many the file has. */
  #journalBytes = 0;
  #fileBytes = 0;
  /** The number of the last line. */
  #lines = 0;
  /** What is in memory and not on the disk. @type {Writing[]} */
  #writings = [];
  /** How often something was written or undone in memory. */
  #writes = 0;
  /** The last write to the disk that is under way or waits, and the one that has not begun. */
  #disk = Promise.resolve();
  #next;

  /** @param {string} path @param {import('muster/plugin-api').StoreSettings} settings */
  constructor(path, settings) {
    this.path = path;
    this.#settings = settings;
  }

  /** @param {string} name @returns {Table} */
  table = (name) => tableOf(this.tables, name);

  /** @template Answer @param {() => Answer} look must not wait */
  async read(look) {
    this.#mustBeOpen();
    const answer = look();
    await this.#settled();
    return answer;
  }

  /** @template Answer @param {(writing: Writing) => Answer} decide must not wait: all that it writes is one unit @returns {Promise<Answer>} */
  async change(decide) {
    this.#mustBeOpen();
    const writing = new Writing(this.table);
    let answer;
    try {
      answer = decide(writing);
    } catch (error) {
      writing.undo();
      throw error;
    }
    if (writing.changes.length > 0) {
      this.#writings.push(writing);
      this.#writes++;
    }
    await this.#settled();
    return answer;
  }

  /** As `change`, and may wait: it works on copies, and does so again where others wrote meanwhile. @template Answer @param {(writing: Writing) => Promise<Answer>} decide */
  async changeWaiting(decide) {
    for (;;) {
      this.#mustBeOpen();
      const before = this.#writes;
      const trial = new Writing(this.copies());
      const answer = await decide(trial);
      if (this.#writes !== before) continue;
      return this.change((writing) => {
        for (const [name, key, value] of trial.changes) writing.put(name, key, value);
        return answer;
      });
    }
  }

  /** All tables as they are now. @returns {(name: string) => Table} */
  copies() {
    const copies = new Map([...this.tables].map(([name, table]) => [name, table.copy()]));
    return (name) => tableOf(copies, name);
  }

  start() {
    return this.#inTurn(async () => {
      if (this.#state !== 'closed') return;
      await this.#open().catch((error) => this.#release().then(() => Promise.reject(error)));
      this.#state = 'open';
    });
  }

  stop() {
    if (this.#state === 'open') this.#state = 'closing';
    return this.#inTurn(async () => {
      if (this.#state !== 'closing') return;
      await this.#settled().catch(() => {});
      // Where that fails, the next start finds all of it in the journal.
      if ((await this.#journal.stat()).size > 0) await this.#fold().catch(() => {});
      await this.#release();
      this.#state = 'closed';
    });
  }

  #inTurn(work) {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  #mustBeOpen() {
    if (this.#state !== 'open') throw new AppError('unavailable', `${this.path} is not open`);
  }

  /** Once everything that is in memory by now is on the disk: calls that come while it is busy share the next write. */
  #settled() {
    this.#next ??= this.#disk = this.#disk.then(() => this.#write());
    return this.#next;
  }

  async #write() {
    this.#next = undefined;
    const writings = this.#writings.splice(0);
    try {
      if (this.#journalBytes > Math.max(this.#fileBytes, SMALL_JOURNAL)) await this.#fold();
      else if (writings.length > 0) await this.#append(writings.flatMap(({ changes }) => changes));
    } catch (cause) {
      // Those that wait fail too: they were decided on what is not kept.
      for (const writing of [...writings, ...this.#writings.splice(0)].reverse()) writing.undo();
      this.#writes++;
      this.#next = undefined;
      this.#disk = Promise.resolve();
      throw new AppError('unavailable', `cannot write ${this.path}: ${cause.message}`, { cause });
    }
  }

  async #append(changes) {
    const line = lineOf(this.#lines + 1, changes);
    // What a write that failed has left.
    if ((await this.#journal.stat()).size > this.#journalBytes) await this.#journal.truncate(this.#journalBytes);
    await this.#journal.appendFile(line);
    await this.#journal.datasync();
    this.#journalBytes += line.length;
    this.#lines++;
  }

  /** Writes the file anew with everything that is in memory, and empties the journal. */
  async #fold() {
    const content = fileOf(this.tables, this.#lines + 1);
    await writeFile(`${this.path}.new`, content, { mode: 0o600, flush: true });
    await rename(`${this.path}.new`, this.path);
    this.#lines++;
    this.#fileBytes = content.length;
    await syncFolder(this.path);
    // The file says which lines it has, so a crash before this does no harm. Where this fails, the next write tries all of it again.
    await this.#journal?.truncate(0);
    this.#journalBytes = 0;
  }

  async #open() {
    const { path } = this;
    const journal = `${path}.journal`;
    const isThere = () => existsSync(path) || existsSync(journal);
    if (this.#settings.mustExist && !isThere()) throw storeMissing(path);
    await mkdir(dirname(path), { recursive: true });
    this.#unlock = lockFile(path);
    if (isThere()) {
      const { tables, lines, bytes } = await readTables(path);
      this.tables = tables;
      this.#lines = lines;
      this.#fileBytes = bytes;
    } else {
      await this.#fold();
      this.#settings.made?.(path);
    }
    this.#journal = await open(journal, 'a', 0o600);
    const { lines, bytes } = await readJournal(journal, this.#lines);
    for (const { line, changes } of lines) {
      for (const [name, key, value] of changes) this.table(name).set(key, value);
      this.#lines = line;
    }
    this.#journalBytes = bytes;
    await syncFolder(path);
  }

  async #release() {
    await this.#journal?.close();
    this.#unlock?.();
    this.#journal = undefined;
    this.#unlock = undefined;
    this.tables = new Map();
  }
}

function tableOf(tables, name) {
  if (!tables.has(name)) tables.set(name, new Table());
  return tables.get(name);
}

/** Until it is, a file that was made or renamed in it may be gone after a crash. @param {string} path of the file */
async function syncFolder(path) {
  const folder = await open(dirname(path), 'r');
  await folder.sync().finally(() => folder.close());
}
