import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Figures } from './benchmark.ts';

/** Built programs lie flat beside this one. */
const here = (name: string): string => fileURLToPath(new URL(`./${name}`, import.meta.url));

/** The command as users call it, from the same build. */
export const MUSTER = fileURLToPath(new URL('../bin/muster', import.meta.url));
export const floorProgram = (name: string): string => here(`floor-${name}.js`);

export interface Row {
  readonly what: string;
  readonly product: number;
  /** The same job by hand, or what else the product is measured against; absent where the target is a number of its own. */
  readonly floor?: number;
  readonly unit: 'ms' | 'µs' | 'MB';
  /** Largest allowed ratio, or largest figure where there is no floor. Absent: only shown. */
  readonly target?: number;
  readonly note?: string;
}

/** Runs sides in fresh processes and prints figures beside each other. */
export class Kit {
  readonly #benchmark: string;
  readonly #folders: string[] = [];
  readonly #children = new Set<ChildProcess>();
  readonly #stops: (() => Promise<void>)[] = [];

  constructor(benchmark: string) {
    this.#benchmark = benchmark;
  }

  /** An empty folder, gone after the benchmark. */
  async folder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'));
    this.#folders.push(folder);
    return folder;
  }

  /** A side in a process of its own, with `flags` of Node. `wallMs` is the whole life of the process. */
  async run(side: string, args: unknown = {}, flags: readonly string[] = []): Promise<Figures> {
    const start = performance.now();
    const child = this.#spawn(
      [...flags, here('side.js'), this.#benchmark, side, JSON.stringify(args)],
      ['ignore', 'pipe', 'pipe'],
    );
    const { stdout } = await finished(child, `${this.#benchmark} ${side}`);
    const wallMs = performance.now() - start;
    const line = stdout.trimEnd().split('\n').at(-1) ?? '';
    return { wallMs, ...(JSON.parse(line) as Figures) };
  }

  /** A program with its arguments, measured as a whole. Its output is read and dropped. */
  async program(args: readonly string[], options: { cwd?: string } = {}): Promise<Figures> {
    const start = performance.now();
    const flags = ['--require', here('usage.cjs')];
    const child = this.#spawn([...flags, ...args], ['ignore', 'pipe', 'pipe', 'pipe'], options.cwd);
    const usage: Buffer[] = [];
    child.stdio[3]?.on('data', (chunk: Buffer) => usage.push(chunk));
    const { stdout } = await finished(child, args.join(' '));
    const wallMs = performance.now() - start;
    return { wallMs, bytes: stdout.length, ...(JSON.parse(Buffer.concat(usage).toString()) as Figures) };
  }

  /** A side that goes on until it is stopped, with a channel for messages. */
  start(side: string, args: unknown): ChildProcess {
    const child = this.#spawn(
      [here('side.js'), this.#benchmark, side, JSON.stringify(args)],
      ['ignore', 'inherit', 'inherit', 'ipc'],
    );
    return child;
  }

  /** A database server of the tests, until the benchmark ends. Answers its address. */
  async server(name: 'mongodb' | 'postgresql'): Promise<string> {
    const child = this.#spawn([here('server-process.js'), name], ['pipe', 'pipe', 'inherit']);
    const [line] = (await once(child.stdout as NodeJS.EventEmitter, 'data')) as [Buffer];
    this.#stops.push(async () => {
      const ended = once(child, 'exit');
      child.stdin?.end();
      await ended;
    });
    return line.toString().trim();
  }

  row(row: Row): void {
    const { what, product, floor, unit, target, note } = row;
    const compared = floor === undefined ? product : product / floor;
    const against = floor === undefined ? '' : `  floor ${figure(floor, unit)}  ${compared.toFixed(2)}x`;
    const verdict =
      target === undefined
        ? ''
        : `  (target ${target}${floor === undefined ? ` ${unit}` : 'x'})${compared <= target ? '' : '  MISSED'}`;
    process.stdout.write(
      `  ${what.padEnd(52)} ${figure(product, unit)}${against}${verdict}${note === undefined ? '' : `  ${note}`}\n`,
    );
  }

  note(text: string): void {
    process.stdout.write(`  ${text}\n`);
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) await stop();
    for (const child of this.#children) child.kill('SIGKILL');
    await Promise.all(this.#folders.map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 3 })));
  }

  #spawn(args: readonly string[], stdio: StdioOptions, cwd?: string): ChildProcess {
    const environment = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !name.startsWith('SERVICE_')),
    );
    const profile = process.env.BENCH_CPU_PROFILES;
    const flags = profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-interval', '200', '--cpu-prof-dir', profile];
    const child = spawn(process.execPath, [...flags, ...args], {
      stdio,
      env: environment,
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
    return child;
  }
}

/** Of each figure the least. */
function least(runs: readonly Figures[]): Figures {
  const best: Record<string, number> = {};
  for (const run of runs) {
    for (const [name, value] of Object.entries(run)) best[name] = Math.min(best[name] ?? value, value);
  }
  return best;
}

/** Runs several jobs in turn, `rounds` times, so that a busy moment of the machine hits all of them. The least of each. */
export async function inTurn<Name extends string>(
  rounds: number,
  jobs: Readonly<Record<Name, (round: number) => Promise<Figures>>>,
): Promise<Record<Name, Figures>> {
  const runs = new Map<Name, Figures[]>();
  for (let round = 0; round < rounds; round++) {
    for (const name of Object.keys(jobs) as Name[]) {
      const figures = await jobs[name](round);
      runs.set(name, [...(runs.get(name) ?? []), figures]);
    }
  }
  return Object.fromEntries([...runs].map(([name, figures]) => [name, least(figures)])) as Record<Name, Figures>;
}

async function finished(child: ChildProcess, what: string): Promise<{ stdout: string }> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${what} ended with ${code}:\n${Buffer.concat(stderr).toString().slice(-3000)}`);
  return { stdout: Buffer.concat(stdout).toString('latin1') };
}

function figure(value: number, unit: Row['unit']): string {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  return `${value.toFixed(digits).padStart(7)} ${unit}`;
}
