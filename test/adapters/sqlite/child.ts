import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface ProgramFolder {
  /** Starts the program with these arguments; it has a function `open(path)` for a started storage. */
  start(...args: string[]): RunningProgram;
  /** Ends what was started, and takes the program away. */
  remove(): Promise<void>;
}

interface RunningProgram {
  readonly process: ChildProcess;
  /** Lines that it wrote so far. */
  readonly lines: string[];
  /** Waits until so many lines are there. */
  until(count: number): Promise<void>;
  /** Waits for the end; the exit code, or the signal that ended it. */
  ended(): Promise<number | string>;
}

/** A program of its own process around the storage, from a few lines of JavaScript. */
export async function program(body: string): Promise<ProgramFolder> {
  // Below the project's packages, where the driver is found. The built parts lie beside the program, as in dist.
  const cache = join(root, 'node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'sqlite-program-'));
  await cp(join(root, 'dist', 'sqlite-writer.js'), join(folder, 'sqlite-writer.js'));
  await cp(join(root, 'src/adapters/storage/sqlite/migrations'), join(folder, 'migrations'), { recursive: true });
  for (const name of await readdir(join(root, 'dist'))) {
    if (name.startsWith('chunk-') && name.endsWith('.js')) await cp(join(root, 'dist', name), join(folder, name));
  }
  const source = `
    import { sqliteStorage } from ${JSON.stringify(join(root, 'src/adapters/storage/sqlite/storage.ts'))};
    const silent = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
    export async function open(path, options = {}) {
      const storage = sqliteStorage({ path, ...options })({ logger: silent });
      await storage.start();
      return storage;
    }
    export const labels = (value) => ({ text: JSON.stringify(value), value });
    export const account = (letter) => ({ id: letter.repeat(24), isObject: false, objectType: 'host' });
    export const actor = { kind: 'user', name: 'child' };
  `;
  await writeFile(join(folder, 'support.mjs'), source);
  await writeFile(join(folder, 'main.mjs'), `import { open, labels, account, actor } from './support.mjs';\n${body}`);
  await build({
    entryPoints: [join(folder, 'main.mjs')],
    outfile: join(folder, 'program.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['better-sqlite3'],
    logLevel: 'silent',
  });
  const started: RunningProgram[] = [];
  return {
    start(...args) {
      const running = run(join(folder, 'program.js'), args);
      started.push(running);
      return running;
    },
    async remove() {
      for (const running of started) running.process.kill('SIGKILL');
      await Promise.all(started.map((running) => running.ended()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function run(file: string, args: readonly string[]): RunningProgram {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  const end = once(child, 'close');
  return {
    process: child,
    lines,
    async until(count) {
      while (lines.length < count) {
        if (child.exitCode !== null) throw new Error(`the program ended after ${lines.length} lines`);
        await Promise.race([once(reader, 'line'), end]);
      }
    },
    async ended() {
      const [code, signal] = await end;
      return code ?? signal;
    },
  };
}
