import { type ChildProcess, spawn } from 'node:child_process';
import { MUSTER, type Workplace } from './workplace.ts';

/** Beside others that start on the same machine. */
const START_MILLISECONDS = 60_000;

/** `muster serve` as a process of its own, on a free port of this machine. */
export class RunningService {
  readonly url: string;
  readonly #process: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #output: readonly string[];

  private constructor(url: string, process: ChildProcess, exited: Promise<void>, output: readonly string[]) {
    this.url = url;
    this.#output = output;
    this.#process = process;
    this.#exited = exited;
  }

  static async start(place: Workplace, environment: Record<string, string> = {}): Promise<RunningService> {
    const child = spawn(process.execPath, [MUSTER, 'serve'], {
      cwd: place.directory,
      env: { ...place.environment, SERVICE_HTTP_PORT: '0', SERVICE_LOG_LEVEL: 'warn', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => output.push(chunk.toString()));
    const url = await addressOf(child);
    return new RunningService(url, child, exited, output);
  }

  /** What it has printed and logged. */
  get output(): string {
    return this.#output.join('');
  }

  get pid(): number {
    return this.#process.pid ?? -1;
  }

  /** As the machine would lose it: no chance to finish anything. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#exited;
  }

  /** Asks it to stop and answers its exit code. */
  async stop(): Promise<number | null> {
    this.#process.kill('SIGTERM');
    await this.#exited;
    return this.#process.exitCode;
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`the service did not start: ${output}`)), START_MILLISECONDS);
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const address = /https?:\/\/[\d.]+:\d+/.exec(output)?.[0];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => reject(new Error(`the service exited with ${code}: ${output}`)));
  });
}
