import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { MUSTER, type Workplace } from '../support/workplace.ts';

const START_MILLISECONDS = 20_000;

/** A command that serves the tool server, as a process of its own. */
export class ToolProcess {
  /** Without path. */
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
  }

  /** Starts the command and waits until it names the address of its tool server. */
  static async start(place: Workplace, args: readonly string[], environment: Record<string, string> = {}) {
    const child = spawn(process.execPath, [MUSTER, ...args], {
      cwd: place.directory,
      env: { ...place.environment, SERVICE_LOG_LEVEL: 'warn', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new ToolProcess(await addressOf(child), child);
  }

  /** Asks it to stop and answers its exit code. */
  async stop(): Promise<number | null> {
    if (this.#child.exitCode === null) {
      this.#child.kill('SIGTERM');
      await once(this.#child, 'exit');
    }
    return this.#child.exitCode;
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`no tool server came up: ${output}`)), START_MILLISECONDS);
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const address = /(https?:\/\/[\w.]+:\d+)\/mcp/.exec(output)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => reject(new Error(`the command exited with ${code}: ${output}`)));
  });
}
