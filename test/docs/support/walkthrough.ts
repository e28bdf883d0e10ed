import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Block, blocksOf, placeOf, ROOT } from './markdown.ts';
import { type ReadersSystem, SYSTEMS } from './systems.ts';

/** Folders of a checkout that examples name. */
const CHECKOUT = ['ansible', 'dist', 'examples', 'sample'];
/** What everybody reads first is run from the installed package, in an empty folder. */
const OF_PACKAGE = new Set(['README.md', 'docs/first-hour.md', 'docs/cookbook.md', 'docs/plugins.md']);

/** Pages whose readers have an installation already. */
const OF_INSTALLATION = new Set(['docs/playbooks.md', 'docs/rules-folder.md', 'docs/troubleshooting.md']);

interface Outcome {
  readonly code: number | null;
  /** Standard output and error as they came. */
  readonly output: string;
}

/** What a reader of one page does: runs its blocks one after the other in a folder that looks like a checkout. */
export class Walkthrough {
  readonly #directory: string;
  readonly #port: number;
  readonly #services: ChildProcess[] = [];
  /** What a reader got from those who run the systems, in whatever folder the page goes to. */
  readonly #files: string[] = [];
  /** By the addresses that the page gives them. */
  readonly #systems = new Map<string, ReadersSystem>();

  private constructor(directory: string, port: number) {
    this.#directory = directory;
    this.#port = port;
  }

  static async open(page?: string): Promise<Walkthrough> {
    const directory = await mkdtemp(join(tmpdir(), 'muster-docs-'));
    await mkdir(join(directory, 'bin'));
    const isInstalled = page !== undefined && OF_PACKAGE.has(page);
    const program = isInstalled ? await install(join(directory, '.global/node_modules')) : ROOT;
    await symlink(join(program, 'bin/muster'), join(directory, 'bin/muster'));
    if (!onPath('curl')) await symlink(join(import.meta.dirname, 'curl.mjs'), join(directory, 'bin/curl'));
    await symlink(join(import.meta.dirname, 'npm.mjs'), join(directory, 'bin/npm'));
    if (!isInstalled) for (const name of CHECKOUT) await symlink(join(ROOT, name), join(directory, name));
    return new Walkthrough(directory, await freePort());
  }

  /** Runs every block of the page, and compares what it says they print. */
  async run(page: string): Promise<void> {
    let last: Outcome | undefined;
    await this.#startSystems(page);
    if (OF_INSTALLATION.has(page)) await this.#bash(`echo '{"rules":{}}' | muster rules import /dev/stdin`);
    for (const block of blocksOf(page)) {
      if (block.purpose === 'output') {
        if (last === undefined) throw new Error(`${placeOf(block)} shows the output of nothing`);
        compareOutput(block, last.output, this.#here(block.text));
      } else if (block.language === 'sh' && block.purpose === 'service') {
        await this.#startService(block);
      } else if (block.language === 'sh' && block.purpose === 'background') {
        await this.#startProgram(block);
      } else if (block.language === 'sh' && block.purpose !== 'no-run') {
        last = await this.#runBlock(block);
      }
    }
  }

  async #startSystems(page: string): Promise<void> {
    const run = blocksOf(page).filter(({ language, purpose }) => language === 'sh' && purpose !== 'no-run');
    for (const [address, start] of Object.entries(SYSTEMS)) {
      if (!run.some(({ text }) => text.includes(address))) continue;
      const system = await start();
      this.#systems.set(address, system);
      for (const [name, text] of Object.entries(system.files)) {
        await writeFile(join(this.#directory, name), text);
        this.#files.push(name);
      }
    }
  }

  async #runBlock(block: Block): Promise<Outcome> {
    const fails = block.purpose === 'fails';
    const outcome = await this.#bash(this.#here(block.text));
    if ((outcome.code !== 0) !== fails) {
      throw new Error(
        `${placeOf(block)} ${fails ? 'should fail' : `fails with ${outcome.code}`}:\n${block.text}\n${outcome.output}`,
      );
    }
    return outcome;
  }

  /** Variables that a block exports are there in the next one. */
  async #bash(text: string): Promise<Outcome> {
    const outputFile = join(this.#directory, '.output');
    const variables = join(this.#directory, '.variables');
    const script = `set -eo pipefail\n[ -f ${variables} ] && . ${variables} && cd "$PWD"\n${this.#brought()}exec >${outputFile} 2>&1\n${text}\nexport -p >${variables}\n`;
    const child = this.#spawn(script);
    const [code] = (await once(child, 'exit')) as [number | null];
    return { code, output: await readFile(outputFile, 'utf8').catch(() => '') };
  }

  #brought(): string {
    return this.#files.map((name) => `[ -e ${name} ] || cp ${join(this.#directory, name)} .\n`).join('');
  }

  /** Runs until the end of the page; it is there when it has said something. */
  async #startProgram(block: Block): Promise<void> {
    const variables = join(this.#directory, '.variables');
    const child = this.#spawn(`[ -f ${variables} ] && . ${variables} && cd "$PWD"\nexec ${block.text}`, 'pipe');
    this.#services.push(child);
    const { stdout } = child;
    if (stdout === null) throw new Error('a program without output');
    const [said] = await Promise.race([once(stdout, 'data'), once(child, 'exit').then(() => [undefined])]);
    if (said === undefined) throw new Error(`${placeOf(block)} ends at once`);
  }

  async #startService(block: Block): Promise<void> {
    const log = join(this.#directory, '.service');
    const variables = join(this.#directory, '.variables');
    const child = this.#spawn(
      `[ -f ${variables} ] && . ${variables} && cd "$PWD"\nexec >${log} 2>&1\nexec env ${this.#here(block.text)}`,
    );
    this.#services.push(child);
    for (let attempt = 0; attempt < 200; attempt++) {
      if (child.exitCode !== null) break;
      const ready = await fetch(`http://127.0.0.1:${this.#port}/readyz`).catch(() => undefined);
      if (ready?.ok) return;
      await sleep(50);
    }
    throw new Error(`${placeOf(block)} does not come up:\n${await readFile(log, 'utf8').catch(() => '')}`);
  }

  #spawn(script: string, stdout: 'ignore' | 'pipe' = 'ignore'): ChildProcess {
    // Ansible comes with the tests' own Python.
    const path = [join(this.#directory, 'bin'), process.env.PATH, join(ROOT, '.venv/bin')].join(':');
    return spawn('bash', ['-c', script], {
      cwd: this.#directory,
      stdio: ['ignore', stdout, 'ignore'],
      env: { PATH: path, HOME: this.#directory, LC_ALL: 'C.UTF-8', SERVICE_HTTP_PORT: String(this.#port) },
    });
  }

  /** The pages name the port that the service takes by default, and systems that are elsewhere. */
  #here(text: string): string {
    let here = text.replaceAll('127.0.0.1:8080', `127.0.0.1:${this.#port}`);
    for (const [address, system] of this.#systems) here = here.replaceAll(address, system.address);
    return here;
  }

  async close(): Promise<void> {
    for (const service of this.#services) {
      if (service.exitCode !== null) continue;
      service.kill('SIGTERM');
      await once(service, 'exit');
    }
    for (const system of this.#systems.values()) await system.close();
    await rm(this.#directory, { recursive: true, force: true });
  }
}

/** The files of the package and nothing else of the checkout, with its dependencies beside it, as npm installs it. */
async function install(modules: string): Promise<string> {
  const folder = join(modules, '@muster-cmdb/muster');
  await mkdir(folder, { recursive: true });
  const { files } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    readonly files: readonly string[];
  };
  const named = [...files.filter((file) => !file.startsWith('!')), 'package.json', 'README.md'];
  for (const file of named) {
    await cp(join(ROOT, file), join(folder, file), {
      recursive: true,
      filter: (path) => !path.endsWith('.map') && !path.endsWith('__pycache__'),
    });
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** `…` matches anything within a line; a line of its own for any number of lines. */
function compareOutput(block: Block, actual: string, expected: string): void {
  if (block.language === 'json') {
    const problem = differenceOf(JSON.parse(actual), JSON.parse(expected), '');
    if (problem !== undefined) throw new Error(`${placeOf(block)} prints something else: ${problem}\n${actual}`);
    return;
  }
  const pattern = expected
    .trimEnd()
    .split('\n')
    .map((line) => (line.trim() === '…' ? '(?:.*\\n)*?' : `${line.split('…').map(literal).join('.*')}[ ]*\\n`))
    .join('');
  if (new RegExp(`^${pattern}$`).test(`${actual.trimEnd()}\n`)) return;
  throw new Error(`${placeOf(block)} prints something else:\n${actual}\nThe page says:\n${expected}`);
}

function literal(text: string): string {
  return text.trimEnd().replace(/[.*+?^${}()|[\]\\]/g, '\\$&') + (/\s$/.test(text) ? '\\s*' : '');
}

/** A text `…` stands for any value. */
function differenceOf(actual: unknown, expected: unknown, path: string): string | undefined {
  if (expected === '…') return undefined;
  if (typeof expected !== 'object' || expected === null || typeof actual !== 'object' || actual === null) {
    return Object.is(actual, expected)
      ? undefined
      : `${path || 'the answer'} is ${JSON.stringify(actual)}, the page says ${JSON.stringify(expected)}`;
  }
  const keys = new Set([...Object.keys(actual), ...Object.keys(expected)]);
  for (const key of keys) {
    const problem = differenceOf(
      (actual as Record<string, unknown>)[key],
      (expected as Record<string, unknown>)[key],
      path === '' ? key : `${path}.${key}`,
    );
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function onPath(program: string): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (typeof address !== 'object' || address === null) throw new Error('no free port');
  return address.port;
}
