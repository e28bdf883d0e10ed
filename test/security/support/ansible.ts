import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonEnvironment, pythonProgram } from '../../support/python-environment.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PLUGINS = join(ROOT, 'ansible', 'inventory_plugins');
const READER = fileURLToPath(new URL('read_inventories.py', import.meta.url));

/** What a consumer sees of one document. */
interface ReadInventory {
  readonly refused?: string;
  readonly hosts: Readonly<Record<string, { readonly reached: readonly string[]; readonly mark: string }>>;
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** How Ansible reaches the machine that it runs on. */
  readonly localhost: string;
  readonly messages: readonly string[];
}

export interface ReadByVersion {
  readonly version: string;
  readonly answers: readonly { readonly script: ReadInventory; readonly plugin: ReadInventory }[];
}

/** The folders of older versions beside the one of the tests' environment; `THOROUGH=1` brings them. */
function olderVersions(): readonly string[] {
  const environment = dirname(dirname(pythonProgram('python')));
  const isOlder = (name: string): boolean => name.startsWith('ansible-core-');
  return existsSync(environment)
    ? readdirSync(environment)
        .filter(isOlder)
        .map((name) => join(environment, name))
    : [];
}

/** Reads documents with every ansible-core there is, by script and by plugin. */
export function readInventories(documents: readonly string[]): Promise<readonly ReadByVersion[]> {
  return Promise.all(['', ...olderVersions()].map((older) => readWith(older, documents)));
}

async function readWith(older: string, documents: readonly string[]): Promise<ReadByVersion> {
  const { code, stdout, stderr } = await runPython(pythonProgram('python'), [READER], {
    input: JSON.stringify(documents),
    environment: {
      ANSIBLE_OLDER: older,
      ANSIBLE_INVENTORY_PLUGINS: PLUGINS,
      ANSIBLE_INVENTORY_ENABLED: 'muster,script',
      PYTHONDONTWRITEBYTECODE: '1',
    },
  });
  if (code !== 0) throw new Error(`reading inventories failed: ${stderr}`);
  return JSON.parse(stdout);
}

export interface PythonRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function runPython(
  program: string,
  args: readonly string[],
  options: { readonly input?: string; readonly cwd?: string; readonly environment?: Record<string, string> } = {},
): Promise<PythonRun> {
  const { input = '', cwd, environment = {} } = options;
  const child = spawn(program, args, { env: pythonEnvironment(environment), ...(cwd === undefined ? {} : { cwd }) });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}
