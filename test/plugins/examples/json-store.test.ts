import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_MAX_HOST_BYTES, type Storage, type Store, type StoreSettings } from '../../../src/ports/index.ts';
import { MusterProgram } from '../../../src/testing/muster-program.ts';
import { describeRecordStoreContract } from '../../../src/testing/record-store.contract.ts';
import { activeHosts, save, saveNames } from '../../../src/testing/samples.ts';
import { describeStorageContract } from '../../../src/testing/storage.contract.ts';
import { fillStorage } from '../../../src/testing/stored-samples.ts';
import { ROOT } from '../../architecture/source-files.ts';

const PLUGIN = join(ROOT, 'examples/stores/json-file');
const STORE = pathToFileURL(join(PLUGIN, 'store.js')).href;
const { jsonStore, storeOf } = await import(STORE);

const settings: StoreSettings = {
  workingDirectory: '/',
  maxHostBytes: DEFAULT_MAX_HOST_BYTES,
  mustExist: false,
  mayUpgrade: true,
};
const clock = { now: () => new Date() };
const folders: string[] = [];

async function freshPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-json-'));
  folders.push(folder);
  return join(folder, 'muster.json');
}

async function removeFolders(): Promise<void> {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
}

async function opened(path: string, more: Partial<StoreSettings> = {}): Promise<Storage> {
  const storage: Storage = jsonStore(path, { ...settings, ...more }, clock);
  await storage.start();
  return storage;
}

// Every write of an example in one file writes all of it, so its whole suite takes its time.
if (process.env.THOROUGH) {
  describeStorageContract('JSON file', {
    async create() {
      const storage = await opened(await freshPath());
      return { storage, close: () => storage.stop().then(removeFolders) };
    },
  });
}

describeRecordStoreContract('JSON file', {
  async create() {
    const store: Store = storeOf(await freshPath(), settings, clock);
    await store.start();
    return { records: store.records, close: () => store.stop().then(removeFolders) };
  },
});

describe('JSON file: what is on the disk', () => {
  afterEach(removeFolders);

  async function everything(storage: Storage): Promise<unknown> {
    const parts = [];
    for await (const part of storage.transfer.snapshot(100)) parts.push(part);
    return { parts, revisions: await storage.revisions(), feed: await storage.feed.after('start', 1_000) };
  }

  it('is all that there was, from the file, from the journal, and from both', async () => {
    const path = await freshPath();
    let storage = await opened(path);
    await fillStorage(storage);
    const before = await everything(storage);
    const lines = await readFile(`${path}.journal`);
    const empty = await readFile(path);
    await storage.stop();
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ muster_store: 1 });
    expect((await stat(`${path}.journal`)).size).toBe(0);
    for (const left of [
      [],
      [['.journal', lines]],
      [
        ['', empty],
        ['.journal', lines],
      ],
    ] as [string, Buffer][][]) {
      for (const [end, content] of left) await writeFile(path + end, content);
      storage = await opened(path, { mustExist: true });
      expect(await everything(storage)).toEqual(before);
      await storage.stop();
    }
  });

  it('is for its owner alone, and of one process', async () => {
    const path = await freshPath();
    const made: string[] = [];
    const storage = await opened(path, { made: (place) => made.push(place) });
    await saveNames(storage.hosts, ['a']);
    const names = await readdir(dirname(path));
    expect(names.length).toBe(3);
    for (const name of names) expect((await stat(join(dirname(path), name))).mode & 0o777, name).toBe(0o600);
    await expect(opened(path)).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining(path) });
    expect(await storage.hosts.count(activeHosts)).toBe(1);
    await storage.stop();
    expect(await readdir(dirname(path))).toEqual(['muster.json', 'muster.json.journal']);
    expect(made).toEqual([path]);
  });

  it('is nothing where nothing may be made', async () => {
    const path = await freshPath();
    await expect(opened(path, { mustExist: true })).rejects.toMatchObject({ code: 'store_missing' });
    expect(await readdir(dirname(path))).toEqual([]);
  });

  it('is an error that names the file where it was damaged, and stays as it is', async () => {
    const path = await freshPath();
    const storage = await opened(path);
    await saveNames(storage.hosts, ['a', 'b']);
    await save(storage.hosts, { a: { os: 'debian' } });
    const journal = await readFile(`${path}.journal`);
    const empty = await readFile(path);
    await storage.stop();
    const file = await readFile(path);
    const changed = (content: Buffer, place: number): Buffer => {
      const copy = Buffer.from(content);
      copy[place] = (copy[place] ?? 0) ^ 1;
      return copy;
    };
    const none = Buffer.alloc(0);
    const damages: [string, Buffer | null, Buffer][] = [
      ['the file is empty', none, none],
      ['the file is gone', null, journal],
      ['the end of the file is missing', file.subarray(0, -20), none],
      ['its beginning is missing', file.subarray(20), none],
      ['a bit of it changed', changed(file, file.length - 40), none],
      ['a bit of its first line changed', changed(file, 30), none],
      ['a bit of the journal changed', empty, changed(journal, 60)],
      ['a bit of its last line changed', empty, changed(journal, journal.length - 10)],
      ['its first line is missing', empty, journal.subarray(journal.indexOf('\n') + 1)],
    ];
    for (const [what, content, lines] of damages) {
      if (content === null) await rm(path);
      else await writeFile(path, content);
      await writeFile(`${path}.journal`, lines);
      await expect(opened(path), what).rejects.toMatchObject({
        code: 'failed',
        message: expect.stringContaining(path),
      });
      expect(await readFile(`${path}.journal`), what).toEqual(lines);
      if (content === null) expect(await readdir(dirname(path))).toEqual(['muster.json.journal']);
      else expect(await readFile(path), what).toEqual(content);
    }
    // A line without an end was never answered.
    await writeFile(path, empty);
    await writeFile(`${path}.journal`, journal.subarray(0, -5));
    const whole = await opened(path);
    expect((await whole.hosts.get('a', null))?.labels.value).toEqual({ os: 'linux' });
    await save(whole.hosts, { a: { os: 'bsd' } });
    await whole.stop();
    const again = await opened(path);
    expect((await again.hosts.get('a', null))?.labels.value).toEqual({ os: 'bsd' });
    await again.stop();
  });
});

/** Opens the store and says so, then runs this code. */
function child(path: string, code: string, limit = 'unlimited'): ChildProcess {
  const entries = Object.fromEntries(
    ['plugin-api', 'storage-api'].map((name) => [`muster/${name}`, pathToFileURL(join(ROOT, `dist/${name}.js`)).href]),
  );
  const hooks = `const entries = ${JSON.stringify(entries)};
    export const resolve = async (name, context, next) => next(entries[name] ?? name, context);`;
  const script = `
    import { writeSync } from 'node:fs';
    import { register } from 'node:module';
    register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hooks)}`)});
    const { StoredJson } = await import('muster/plugin-api');
    const { jsonStore } = await import(${JSON.stringify(STORE)});
    const clock = { now: () => new Date() };
    const storage = jsonStore(${JSON.stringify(path)}, ${JSON.stringify(settings)}, clock);
    await storage.start();
    const say = (text) => writeSync(1, text + '\\n');
    const account = { id: 'aaaaaaaaaaaaaaaaaaaaaaaa', isObject: false, objectType: 'host' };
    const actor = { kind: 'user', name: 'ada' };
    const labels = StoredJson.ofValue({ text: 'x'.repeat(20_000) });
    /** Two hosts of one call. */
    const save = (name) => storage.hosts.saveLabels({
      account, actor, at: new Date(), entries: ['a', 'b'].map((end) => ({ hostname: name + end, labels })),
    });
    ${code}`;
  const node = [process.execPath, '--input-type=module', '-e', script];
  return spawn('bash', ['-c', `ulimit -f ${limit}; exec "$@"`, 'bash', ...node], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

interface Heard {
  readonly lines: readonly string[];
  readonly ended: Promise<unknown>;
}

/** What a process says, once it has said something. */
async function heard(process: ChildProcess): Promise<Heard> {
  const { stdout } = process;
  if (stdout === null) throw new Error('a process without output');
  const lines: string[] = [];
  const reader = createInterface(stdout).on('line', (line) => lines.push(line));
  const ended = Promise.all([once(reader, 'close'), once(process, 'exit')]);
  await once(reader, 'line');
  return { lines, ended };
}

async function hostnames(storage: Storage): Promise<string[]> {
  const names: string[] = [];
  for await (const batch of storage.hosts.scan(activeHosts, 1_000))
    names.push(...batch.map(({ hostname }) => hostname));
  return names;
}

describe('JSON file: processes that end in the midst of it', () => {
  afterEach(removeFolders);

  it('leave all that they answered, and of each call all or nothing', async () => {
    const path = await freshPath();
    const answered: string[] = [];
    for (let round = 0; round < 10; round++) {
      const writer = child(
        path,
        `for (let n = 0; ; n++) await Promise.all(['x', 'y', 'z'].map(async (one) => {
           const name = '${round}-' + n + one;
           await save(name);
           say(name);
         }));`,
      );
      const { lines, ended } = await heard(writer);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 400));
      writer.kill('SIGKILL');
      await ended;
      answered.push(...lines);
      // Looked at in a copy, so that the next process finds what this one left.
      const copy = await freshPath();
      for (const end of ['', '.journal']) await copyFile(path + end, copy + end);
      const storage = await opened(copy, { mustExist: true });
      const names = await hostnames(storage);
      const calls = new Set(names.map((name) => name.slice(0, -1)));
      expect(answered.filter((name) => !calls.has(name))).toEqual([]);
      expect(names.length).toBe(2 * calls.size);
      await storage.stop();
    }
    expect(answered.length).toBeGreaterThan(10);
    const locks = (await readdir(dirname(path))).filter((name) => name.includes('.lock-'));
    expect(locks.length).toBe(1);
  });

  it('keep and show nothing of what could not be written', async () => {
    const path = await freshPath();
    const writer = child(
      path,
      `for (let n = 0; ; n++) try {
         await save(String(n));
         say(String(n));
       } catch (error) {
         say(error.code + ' ' + error.message);
         say(String(await storage.hosts.count({ scope: null, kind: 'hosts', state: 'active' })));
         process.exit();
       }`,
      '1000',
    );
    const { lines, ended } = await heard(writer);
    await ended;
    const [failure, count] = lines.slice(-2);
    expect(failure).toBe(`unavailable cannot write ${path}: EFBIG: file too large, write`);
    expect(Number(count)).toBe(2 * (lines.length - 2));
    const storage = await opened(path);
    expect((await hostnames(storage)).length).toBe(2 * (lines.length - 2));
    await storage.stop();
  });
});

it('JSON file: the page says how many lines it has', async () => {
  const names = (await readdir(PLUGIN)).filter((name) => name.endsWith('.js'));
  const texts = await Promise.all(names.map((name) => readFile(join(PLUGIN, name), 'utf8')));
  const lines = texts.join('').split('\n').length - 1;
  expect(await readFile(join(ROOT, 'docs/stores.md'), 'utf8')).toContain(`It has ${lines.toLocaleString('en')} lines`);
});

describe('JSON file: the program', () => {
  afterEach(removeFolders);

  it('serves from it what it serves from SQLite, and moves there and back', async () => {
    const folder = dirname(await freshPath());
    const program = async (url: string, ...args: readonly string[]): Promise<string> => {
      const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, 'bin/muster'), ...args], {
        cwd: folder,
        env: { PATH: process.env.PATH, SERVICE_DATABASE_URL: url, SERVICE_PLUGINS: PLUGIN },
        maxBuffer: 16 * 1024 * 1024,
      });
      return stdout;
    };
    const [sqlite, json] = ['sqlite:muster.db', 'json:./data/muster.json'] as const;
    const inventories: string[] = [];
    for (const url of [sqlite, json]) {
      const path = join(ROOT, 'sample/wikimedia-nodes.csv');
      await program(url, 'account', 'add', 'nodes', '--type', 'csv', '--set', `path=${path}`);
      expect(JSON.parse(await program(url, 'import', 'nodes', '--json'))).toMatchObject({ seen: 964, created: 964 });
      await program(url, 'rules', 'import', join(ROOT, 'sample/rules.json'));
      inventories.push(await program(url, 'inventory', 'automation', '--list'));
    }
    expect(inventories[0]?.length).toBeGreaterThan(100_000);
    expect(inventories[1]).toBe(inventories[0]);

    const migrated = async (from: string, to: string): Promise<unknown> => {
      const answer = await program(from, 'storage', 'migrate', '--from', from, '--to', to, '--json');
      return (JSON.parse(answer) as { parts: unknown }).parts;
    };
    const there = await migrated(sqlite, 'json:copy.json');
    expect(there).toContainEqual(expect.objectContaining({ part: 'hosts', count: 964 }));
    expect(await migrated('json:copy.json', 'sqlite:back.db')).toEqual(there);
    expect(await program('json:copy.json', 'inventory', 'automation', '--list')).toBe(inventories[0]);
    await program(json, 'storage', 'check');
  });

  it('lets no command use it next to the service, and serves what is in it', async () => {
    const path = await freshPath();
    const database = async () => ({ url: `json:${path}`, drop: async () => {} });
    const program = await MusterProgram.start({ plugins: [PLUGIN], database });
    try {
      const refused = await program.command(['host', 'list']);
      expect(refused.code).not.toBe(0);
      expect(refused.errors).toMatch(/muster\.json is in use by process \d+/);
      const answer = await program.rest('GET', '/inventory/automation/automation');
      expect(answer).toMatchObject({ status: 200, body: { all: expect.anything() } });
    } finally {
      await program.stop();
    }
    expect(await readdir(dirname(path))).not.toContainEqual(expect.stringContaining('.lock-'));
  });
});
