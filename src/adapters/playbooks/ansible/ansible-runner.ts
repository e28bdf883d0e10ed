import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, type PlaybookCall, type PlaybookRunner } from '../../../ports/index.ts';
import { endProcess } from './end-process.ts';
import { writeInventory } from './inventory-file.ts';
import { passedEnvironment, withUtf8 } from './passed-environment.ts';
import { variablesDocument } from './variables-file.ts';

export interface AnsibleRunnerOptions {
  /** The program `ansible-playbook`: a path, or a name on PATH. */
  readonly program: string;
  /** The folder that the files of playbooks are relative to. */
  readonly directory: string;
  /** The inventory script of this installation. */
  readonly inventoryScript: string;
  /** Of this process, with what makes the script find this very program and its configuration. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names of further variables that playbooks get of it, see `passedEnvironment`. */
  readonly passed: readonly string[];
}

/** Descendants may keep the lines of output open after the end; nobody waits longer than this for them. */
const LATE_OUTPUT_MS = 1_000;
const CHECK_MS = 60_000;

/** Runs playbooks with ansible-core, each as a process that leads a group of its own. */
export function ansiblePlaybookRunner(options: AnsibleRunnerOptions): PlaybookRunner {
  const { program, directory, environment, passed } = options;

  return {
    async check(signal) {
      const env = withUtf8(passedEnvironment(environment, passed));
      await new Promise<void>((resolve, reject) => {
        execFile(program, ['--version'], { cwd: directory, env, signal, timeout: CHECK_MS }, (error, _out, stderr) => {
          if (error === null) resolve();
          else if (signal.aborted) reject(signal.reason);
          else if (typeof error.code === 'string') reject(notStarted(program, error));
          else reject(refused(program, stderr, error));
        });
      });
    },

    async run(call, { signal, onOutput }) {
      signal.throwIfAborted();
      const temporary = await mkdtemp(join(tmpdir(), 'muster-playbook-'));
      try {
        const inventory = await writeInventory(options.inventoryScript, {
          environment: { ...inventoryEnvironment(options, call), ...(await onlyHosts(call, temporary)) },
          temporary,
          signal,
        });
        const env = await runEnvironment(options, call, temporary, inventory);
        const args = await runArguments(options, call, temporary);
        signal.throwIfAborted();
        const child = spawn(program, args, { cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
        for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', onOutput);
        return { exitCode: await exitOf(child, program, signal) };
      } finally {
        await rm(temporary, { recursive: true, force: true });
      }
    },
  };
}

async function exitOf(child: ChildProcess, program: string, signal: AbortSignal): Promise<number | null> {
  const closed = once(child, 'close').catch(() => undefined);
  const exited = new Promise<number | null>((resolve, reject) => {
    child.on('exit', (code) => resolve(code));
    child.on('error', (error) => reject(notStarted(program, error)));
  });
  const over = exited.catch(() => undefined);
  let ending: Promise<void> | undefined;
  const end = (): void => {
    ending ??= endProcess(child, over);
  };
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    const code = await exited;
    await ending;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, LATE_OUTPUT_MS);
    });
    await Promise.race([closed, late]);
    clearTimeout(timer);
    return code;
  } finally {
    signal.removeEventListener('abort', end);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

/**
 * No `--limit`: a hostname is data, and could be a pattern (`all`, `web*:!db`, `@file`). The inventory script gives only the
 * hosts that the run is for instead.
 */
async function runArguments(
  { directory, inventoryScript }: AnsibleRunnerOptions,
  { playbook, checkMode, extraVariables }: PlaybookCall,
  temporary: string,
): Promise<readonly string[]> {
  const args = ['--inventory', inventoryScript];
  if (checkMode) args.push('--check');
  if (extraVariables !== null) {
    const file = join(temporary, 'variables.yml');
    await writeFile(file, variablesDocument(extraVariables), { mode: 0o600 });
    args.push('--extra-vars', `@${file}`);
  }
  return [...args, join(directory, playbook)];
}

/** Names in a file, because an environment holds only so much. Always said, so that one from outside counts for no run. */
async function onlyHosts({ hostnames }: PlaybookCall, temporary: string): Promise<Record<string, string | undefined>> {
  if (hostnames === undefined) return { SERVICE_INVENTORY_HOSTS: undefined };
  const file = join(temporary, 'hosts.json');
  await writeFile(file, JSON.stringify(hostnames), { mode: 0o600 });
  return { SERVICE_INVENTORY_HOSTS: file };
}

/** For the inventory script: everything that this process has, because it reads the database. */
function inventoryEnvironment(
  { environment }: AnsibleRunnerOptions,
  call: PlaybookCall,
): Record<string, string | undefined> {
  return {
    ...environment,
    ...inventoryChoice(call),
    // Ansible runs programs that such variables name, here on this machine; labels are data, so only rules may set them.
    SERVICE_INVENTORY_ANSIBLE_LABELS: 'drop',
  };
}

async function runEnvironment(
  { environment, passed }: AnsibleRunnerOptions,
  call: PlaybookCall,
  temporary: string,
  inventoryFile: string,
): Promise<Record<string, string | undefined>> {
  const given = passedEnvironment(environment, passed);
  const { ANSIBLE_LOCAL_TEMP = join(temporary, 'ansible'), HOME = temporary } = given;
  if (given.ANSIBLE_LOCAL_TEMP === undefined) await mkdir(ANSIBLE_LOCAL_TEMP, { mode: 0o700 });
  return {
    ...withUtf8(given),
    HOME,
    ANSIBLE_LOCAL_TEMP,
    // A broken inventory is a failed run, and not one for no hosts.
    ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED: 'True',
    ANSIBLE_INVENTORY_ENABLED: 'script',
    ANSIBLE_RETRY_FILES_ENABLED: 'False',
    ANSIBLE_NOCOLOR: 'True',
    PYTHONUNBUFFERED: '1',
    ...inventoryChoice(call),
    MUSTER_INVENTORY_FILE: inventoryFile,
  };
}

function inventoryChoice({ provider, hostname }: PlaybookCall): Record<string, string | undefined> {
  return { SERVICE_INVENTORY_PROVIDER: provider, SERVICE_INVENTORY_HOST: hostname ?? undefined };
}

function notStarted(program: string, error: Error): AppError {
  const code = 'code' in error ? ` (${String(error.code)})` : '';
  return new AppError(
    'failed',
    `the program ${program} cannot be started${code}; install ansible-core, or name the program in ANSIBLE_PLAYBOOK`,
    { cause: error },
  );
}

function refused(program: string, stderr: string, error: Error): AppError {
  const reason = stderr.trim().split('\n')[0] || error.message;
  return new AppError('failed', `the program ${program} does not work: ${reason}`, { cause: error });
}
