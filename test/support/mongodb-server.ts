import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonEnvironment, pythonProgram } from './python-environment.ts';

export interface MongodbServer {
  /** A connection string without a database name. */
  readonly url: string;
  stop(): Promise<void>;
  /** It answers nobody and keeps its connections, as on a machine that hangs, until it is resumed. Absent for a server that was given. */
  readonly hang?: { pause(): void; resume(): void };
}

export interface MongodbServerOptions {
  /**
   * Announce a replica set of one and keep an operation log, so that transactions and change streams are what a replica set
   * gives. Without it the server is a standalone one, as many users run, and writes a fifth faster.
   */
  readonly replicaSet?: boolean;
}

const launcher = fileURLToPath(new URL('./mongodb_server.py', import.meta.url));
const longestStart = 30_000;

/**
 * Starts a database server of its own, empty. Where MUSTER_TEST_MONGODB_URL is set, that server is used as it is, so tests
 * take database names that nobody else has, and leave no databases behind.
 *
 * Otherwise it is SecantusDB, which answers as MongoDB 8 does, with these differences (measured, version 0.7.0b3):
 * - an anchored regex on an indexed field finds nothing; a range finds what it should;
 * - an index over two fields of an array's members (`pairs.k`, `pairs.v`) holds their product and not the pairs: with 20 pairs a write takes
 *   6 ms and more instead of 0.3, and dropping the collection seconds; one over `pairs` or `pairs.k` alone is bearable;
 * - it is one Python process: a bulk write costs 0.3 to 1 ms an upsert, and `find` without a selective index 50 µs a document.
 */
export async function startMongodbServer({ replicaSet = false }: MongodbServerOptions = {}): Promise<MongodbServer> {
  const given = process.env.MUSTER_TEST_MONGODB_URL;
  if (given) return { url: given, stop: async () => {} };

  const folder = await mkdtemp(join(tmpdir(), 'muster-mongodb-'));
  const options = [
    '--host',
    '127.0.0.1',
    '--port',
    '0',
    '--enable-test-commands',
    ...(replicaSet ? [] : ['--standalone']),
  ];
  const server = spawn(pythonProgram('python'), [launcher, folder, ...options], {
    // A settings file that happens to lie in the working directory would be read.
    cwd: folder,
    env: pythonEnvironment(),
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const exited = once(server, 'exit');

  async function stop(): Promise<void> {
    server.kill('SIGCONT');
    server.stdin.end();
    await exited;
    await rm(folder, { recursive: true, force: true });
  }

  let port: string;
  try {
    port = await new Promise((resolve, reject) => {
      let output = '';
      const timer = setTimeout(
        () => reject(new Error(`The test database did not start in time.\n${output}`)),
        longestStart,
      );
      server.stderr.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-10_000);
        const listening = /listening on 127\.0\.0\.1:(\d+)/.exec(output)?.[1];
        if (!listening) return;
        clearTimeout(timer);
        resolve(listening);
      });
      server.once('error', reject);
      server.once('exit', () => {
        clearTimeout(timer);
        reject(new Error(`The test database did not start.\n${output}`));
      });
    });
  } catch (error) {
    server.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  const hang = { pause: () => void server.kill('SIGSTOP'), resume: () => void server.kill('SIGCONT') };
  return { url: `mongodb://127.0.0.1:${port}/?directConnection=true`, stop, hang };
}
