import { type ExecFileOptions, execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const MUSTER = join(ROOT, 'bin', 'muster');

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end; a failing exit code is a result, not an error. */
export function run(
  file: string,
  args: readonly string[],
  options: ExecFileOptions & { input?: string } = {},
): Promise<CommandResult> {
  const { input, ...rest } = options;
  return new Promise((resolve) => {
    const child = execFile(file, [...args], { maxBuffer: 64 * 1024 * 1024, ...rest }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ code, stdout: String(stdout), stderr: String(stderr) });
    });
    child.stdin?.end(input ?? '');
  });
}

/** A directory of its own, in which a user works with the built program. */
export class Workplace {
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;

  private constructor(directory: string, environment: NodeJS.ProcessEnv) {
    this.directory = directory;
    this.environment = environment;
  }

  static async create(environment: Record<string, string> = {}): Promise<Workplace> {
    const directory = await mkdtemp(join(tmpdir(), 'muster-e2e-'));
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SERVICE_'));
    return new Workplace(directory, { ...Object.fromEntries(inherited), NO_COLOR: '1', ...environment });
  }

  path(name: string): string {
    return join(this.directory, name);
  }

  /** Writes a file, with the folders that it lies in. */
  async write(name: string, text: string): Promise<void> {
    const path = this.path(name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  muster(
    args: readonly string[],
    options: { input?: string; environment?: Record<string, string> } = {},
  ): Promise<CommandResult> {
    return run(process.execPath, [MUSTER, ...args], {
      cwd: this.directory,
      env: { ...this.environment, ...options.environment },
      ...(options.input === undefined ? {} : { input: options.input }),
    });
  }

  /** As `muster`, for steps that must succeed. */
  async done(
    args: readonly string[],
    options: { input?: string; environment?: Record<string, string> } = {},
  ): Promise<string> {
    const result = await this.muster(args, options);
    if (result.code !== 0) throw new Error(`muster ${args.join(' ')} exited with ${result.code}: ${result.stderr}`);
    return result.stdout;
  }

  async close(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }
}
