import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/ports/json.ts';
import { dropDatabase, freshUrl, withRaw } from '../adapters/mongodb/harness.ts';
import { exportedDocuments, fixtureText } from '../oracle/fixtures.ts';

// The program as people run it, from dist/, killed in the midst of an import.

const program = fileURLToPath(new URL('../../bin/muster', import.meta.url));
const EXPORT = 'thousand/export.jsonl.gz';
/** So often the hosts are in the file, under other names: an import of a thousand is over before it can be killed. */
const TIMES = 2;

interface Place {
  readonly url: string;
  /** Hosts that are stored by now. */
  hosts(): Promise<number>;
  remove(): Promise<void>;
}

async function sqlitePlace(folder: string): Promise<Place> {
  const path = join(await mkdtemp(join(folder, 'store-')), 'muster.db');
  return {
    url: `sqlite:${path}`,
    async hosts() {
      if (!existsSync(path)) return 0;
      try {
        const database = new Database(path, { readonly: true });
        const count = database.prepare('SELECT count(*) FROM hosts').pluck().get() as number;
        database.close();
        return count;
      } catch {
        // The tables are just being made.
        return 0;
      }
    },
    async remove() {},
  };
}

async function mongodbPlace(): Promise<Place> {
  const url = await freshUrl();
  return {
    url,
    hosts: () => withRaw(url, (database) => database.collection('hosts').countDocuments()),
    remove: () => dropDatabase(url),
  };
}

const sqlite = ['SQLite', sqlitePlace] as const;
const mongodb = ['MongoDB', mongodbPlace] as const;

describe.each(process.env.THOROUGH ? [sqlite, mongodb] : [sqlite])('%s: an import that is killed', (_store, make) => {
  let folder: string;
  const places: Place[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-killed-'));
    await writeFile(join(folder, 'export.jsonl'), manyHosts());
  });
  afterEach(async () => {
    for (const place of places.splice(0)) await place.remove();
    await rm(folder, { recursive: true, force: true });
  });

  async function place(): Promise<Place> {
    const made = await make(folder);
    places.push(made);
    return made;
  }

  const environment = ({ url }: Place) => ({ PATH: process.env.PATH, SERVICE_DATABASE_URL: url });
  const IMPORT = [program, 'rules', 'import', 'export.jsonl', '--json'];

  async function run(at: Place, args: readonly string[]): Promise<JsonObject> {
    const options = { cwd: folder, env: environment(at), maxBuffer: 256 * 1024 * 1024 };
    const { stdout } = await promisify(execFile)(process.execPath, args, options);
    return JSON.parse(stdout) as JsonObject;
  }

  async function killAt(child: ChildProcess, at: Place, count: number): Promise<void> {
    const exited = once(child, 'exit');
    while (child.exitCode === null && (await at.hosts()) < count) await new Promise((done) => setTimeout(done, 5));
    child.kill('SIGKILL');
    expect(await exited).toEqual([null, 'SIGKILL']);
  }

  async function exported(at: Place): Promise<unknown> {
    const include = ['--include-hosts', '--include-accounts', '--include-users', '--include-passwords'];
    const { rules } = await run(at, [program, 'rules', 'export', ...include]);
    // Secrets are sealed anew by each import, and hosts without a time of their own are made at that moment.
    const text = JSON.stringify(rules, (name, value) => {
      if (name === 'create_time') return undefined;
      return name.endsWith('_crypted') && value ? 'sealed' : value;
    });
    return JSON.parse(text);
  }

  it('comes to the same end when it is run again', async () => {
    const killed = await place();
    const child = spawn(process.execPath, IMPORT, { cwd: folder, env: environment(killed), stdio: 'ignore' });
    await killAt(child, killed, 300);
    const all = (exportedDocuments(EXPORT).get('host_objects') ?? []).length * TIMES;
    const before = await killed.hosts();
    expect(before).toBeLessThan(all);
    const answer = (await run(killed, IMPORT)) as { [member: string]: Record<string, number> };
    expect(answer.details).toEqual([]);
    expect(answer.duplicate?.host_objects).toBe(before);
    expect(answer.imported?.host_objects).toBe(all - before);
    const whole = await place();
    await run(whole, IMPORT);
    expect(await exported(killed)).toEqual(await exported(whole));
    expect(await run(killed, [program, 'storage', 'check', '--json'])).toMatchObject({ found: 0 });
  }, 240_000);
});

/** The recorded export with its hosts several times, each time under other names and ids. */
function manyHosts(): string {
  let isHost = false;
  const lines = fixtureText(EXPORT).split('\n');
  return lines
    .flatMap((line) => {
      if (line.startsWith('{"rule_type"')) isHost = line.includes('"host_objects"');
      else if (isHost && line !== '') return Array.from({ length: TIMES }, (_, time) => renamed(line, time));
      return [line];
    })
    .join('\n');
}

function renamed(line: string, time: number): string {
  if (time === 0) return line;
  const host = JSON.parse(line) as JsonObject & { _id: { $oid: string }; hostname: string };
  const id = `${(Number.parseInt(host._id.$oid[0] as string, 16) ^ time).toString(16)}${host._id.$oid.slice(1, -1)}${time}`;
  return JSON.stringify({ ...host, _id: { $oid: id }, hostname: `copy${time}-${host.hostname}` });
}
