import { execFile, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ServerProcess } from './recipe.ts';

const START_MS = 60_000;
const STOP_MS = 20_000;

export interface Started extends ServerProcess {
  /** How it ended, if it did. */
  ended(): string | undefined;
}

export interface ProgramOptions {
  /** The file for what it prints. */
  readonly log: string;
  readonly cwd?: string;
  /** Beside the variables of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** The user whose rights it has, where this process is root: some programs refuse to be. */
  readonly user?: User | undefined;
  readonly signal?: NodeJS.Signals;
}

export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** Starts a program that stays, apart from this process: it may outlive it. */
export function startProgram(program: string, args: readonly string[], options: ProgramOptions): Started {
  const { log, cwd, env, user, signal = 'SIGTERM' } = options;
  const output = openSync(log, 'a');
  const child = spawn(program, args, {
    detached: true,
    stdio: ['ignore', output, output],
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
    ...user,
  });
  closeSync(output);
  let ended: string | undefined;
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code, by) => {
    // Who was ended on purpose may be heard of when its folder is gone.
    const said = existsSync(log) ? readFileSync(log, 'utf8').slice(-2000) : '';
    ended = `${program} ended with ${by ?? code}:\n${said}`;
  });
  child.unref();
  return { pid: child.pid ?? -1, signal, ended: () => ended };
}

/** Runs a program to its end and answers what it printed. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: Pick<ProgramOptions, 'cwd' | 'env' | 'user'> = {},
): Promise<string> {
  const { cwd, env, user } = options;
  const { stdout } = await promisify(execFile)(program, args, {
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
    ...user,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

/** A user of the machine, when this process is root and may become it. */
export async function userNamed(name: string): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = await Promise.all(['-u', '-g'].map((option) => runProgram('id', [option, name])));
  return { uid: Number(uid), gid: Number(gid) };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Waits until the work succeeds, for as long as the program runs. */
export async function until<T>(
  work: () => Promise<T>,
  started: Pick<Started, 'ended'>,
  milliseconds = START_MS,
): Promise<T> {
  const end = Date.now() + milliseconds;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const ended = started.ended();
      if (ended !== undefined) throw new Error(ended, { cause: error });
      if (Date.now() > end) throw error;
      await pause(100);
    }
  }
}

/** Throws unless something listens there. */
export function canConnect(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // Who has ended and is not fetched is still there by name.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Ends a process, by force when it takes too long. */
export async function endProcess({ pid, signal }: ServerProcess): Promise<void> {
  const end = Date.now() + STOP_MS;
  for (let by: NodeJS.Signals = signal; isRunning(pid); by = 'SIGKILL') {
    process.kill(pid, by);
    while (isRunning(pid) && Date.now() < end) await pause(50);
    if (by === 'SIGKILL') return;
  }
}
