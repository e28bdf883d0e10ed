import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const programs = join(root, '.venv', process.platform === 'win32' ? 'Scripts' : 'bin');

/** The path of a program of the tests' own virtual environment: `python`, `ansible-inventory`, `schemathesis`… */
export function pythonProgram(name: string): string {
  const path = join(programs, process.platform === 'win32' ? `${name}.exe` : name);
  if (existsSync(path)) return path;
  throw new Error(
    `${name} is not in .venv. Run "npm test" or "node scripts/python.mjs" once; it installs what the tests need.`,
  );
}

/** Ansible refuses to start where the locale is not UTF-8, as on many build machines, and a user's own settings must not decide a test. */
export function pythonEnvironment(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(ANSIBLE_|PYTHON|VIRTUAL_ENV$|SERVICE_)/.test(name));
  return { ...Object.fromEntries(own), LC_ALL: 'C.UTF-8', PYTHONUNBUFFERED: '1', ANSIBLE_NOCOLOR: '1', ...extra };
}
