import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Agent, fetch } from 'undici';

/** How long an answer may take is for the test to say: 20,000 changes take minutes on a slow store. */
const WITHOUT_TIMEOUTS = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

/** The database of a program for one suite. */
export interface ProgramDatabase {
  /** As the key `DATABASE_URL` has it. */
  readonly url: string;
  /** Takes away whatever was stored. */
  drop(): Promise<void>;
}

export interface ProgramSettings {
  /** Plugins as the key `PLUGINS` names them, with absolute paths. */
  readonly plugins?: readonly string[];
  /** Default: a file of SQLite in a folder of its own. */
  readonly database?: (() => Promise<ProgramDatabase>) | undefined;
}

/** How a command ended. */
export interface CommandEnd {
  /** `null` when it was killed. */
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** The answer to a request over REST. */
export interface RestAnswer {
  readonly status: number;
  readonly body: unknown;
}

const START_MILLISECONDS = 30_000;
const PASSWORD = 'correct horse battery staple';

/** The program as people run it: a service, and commands next to it, in an empty folder. Remembers all of its output. */
export class MusterProgram {
  /** Everything that commands, requests and the service's log have said so far. */
  said = '';
  readonly folder: string;
  readonly #settings: ProgramSettings;
  readonly #database: ProgramDatabase | undefined;
  #service: ChildProcess | undefined;
  #address = '';

  private constructor(folder: string, settings: ProgramSettings, database: ProgramDatabase | undefined) {
    this.folder = folder;
    this.#settings = settings;
    this.#database = database;
  }

  static async start(settings: ProgramSettings): Promise<MusterProgram> {
    const folder = await mkdtemp(join(tmpdir(), 'muster-testing-'));
    const program = new MusterProgram(folder, settings, await settings.database?.());
    try {
      await program.must(['user', 'add', 'tester', '--role', 'all', '--admin', '--password-stdin'], PASSWORD);
      await program.#serve();
    } catch (error) {
      await program.stop();
      throw error;
    }
    return program;
  }

  async stop(): Promise<void> {
    const service = this.#service;
    if (service !== undefined && service.exitCode === null && service.signalCode === null) {
      const ended = once(service, 'exit');
      service.kill('SIGTERM');
      await ended;
    }
    await this.#database?.drop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Starts a command and leaves it running. */
  spawn(args: readonly string[]): ChildProcess {
    return spawn(process.execPath, [programPath(), ...args], {
      cwd: this.folder,
      env: {
        SERVICE_DATABASE_URL: this.#database?.url ?? `sqlite:${join(this.folder, 'muster.db')}`,
        SERVICE_PLUGINS: (this.#settings.plugins ?? []).join(','),
        SERVICE_HTTP_PORT: '0',
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }

  async command(args: readonly string[], input = ''): Promise<CommandEnd> {
    const child = this.spawn(args);
    child.stdin?.end(`${input}\n`);
    const { stdout, stderr } = child;
    if (stdout === null || stderr === null) throw new Error('a command without output');
    const [output, errors] = await Promise.all([text(stdout), text(stderr), once(child, 'exit')]);
    this.said += output + errors;
    return { code: child.exitCode, output, errors };
  }

  /** A command that must succeed. Answers what it printed. */
  async must(args: readonly string[], input?: string): Promise<string> {
    const { code, output, errors } = await this.command(args, input);
    if (code !== 0) throw new Error(`muster ${args.join(' ')} ended with ${code}: ${output}${errors}`);
    return output;
  }

  /** Writes a file into the folder in which commands run. */
  async write(name: string, content: string): Promise<void> {
    await writeFile(join(this.folder, name), content);
  }

  /** A request to the service; `path` is below `/api/v1`. */
  async rest(method: string, path: string, body?: unknown): Promise<RestAnswer> {
    const response = await fetch(`${this.#address}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`tester:${PASSWORD}`).toString('base64')}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      dispatcher: WITHOUT_TIMEOUTS,
    });
    const answer = await response.text();
    this.said += answer;
    return { status: response.status, body: answer === '' ? undefined : JSON.parse(answer) };
  }

  async #serve(): Promise<void> {
    const child = this.spawn(['serve']);
    this.#service = child;
    let output = '';
    this.#address = await new Promise((resolve, reject) => {
      const fail = (why: string): void => reject(new Error(`the service did not start: ${why}\n${output}`));
      const timer = setTimeout(() => fail('it says nothing'), START_MILLISECONDS);
      const hear = (chunk: Buffer): void => {
        this.said += chunk;
        if (this.#address !== '') return;
        output += chunk;
        const address = /https?:\/\/[\d.]+:\d+/.exec(output)?.[0];
        if (address === undefined) return;
        clearTimeout(timer);
        resolve(address);
      };
      child.stdout?.on('data', hear);
      child.stderr?.on('data', hear);
      child.once('exit', (code) => fail(`it ended with ${code}`));
    });
  }
}

let found: string | undefined;

/** The program of the package that this suite belongs to. */
function programPath(): string {
  if (found !== undefined) return found;
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder)) {
    const program = join(folder, 'bin/muster');
    if (!existsSync(program) || !existsSync(join(folder, 'package.json'))) continue;
    found = program;
    return found;
  }
  throw new Error('the suite does not lie in the package muster');
}
