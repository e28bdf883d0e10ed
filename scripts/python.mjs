#!/usr/bin/env node
// Makes .venv with the Python programs that the tests run: an inventory consumer, protocol clients, a test database.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fingerprintOfContents } from './fingerprint.mjs';
import { capture, fail, findProgram, root, SetupError, step } from './report.mjs';

const testRequirements = 'test/support/requirements.txt';
const testFolder = join(root, '.venv');
/** Older consumers of inventories beside the one of the requirements, over its packages: for THOROUGH=1 alone. */
const olderConsumers = ['2.14.18', '2.17.14'];
/** The interpreter of a virtual environment. */
export function pythonOf(folder) {
  return join(folder, ...(process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python']));
}

async function findPython() {
  const candidates = [process.env.PYTHON, 'python3', 'python3.11', 'python3.12', 'python3.13', 'python3.14', 'python'];
  let found = 'none';
  for (const candidate of candidates) {
    if (!candidate) continue;
    const { code, output } = await capture(candidate, ['-c', 'import sys; print(*sys.version_info[:3], sep=".")']);
    if (code !== 0) continue;
    const [major, minor] = output.split('.').map(Number);
    if (major === 3 && minor >= 11) return candidate;
    found = `${candidate} is ${output}`;
  }
  throw new SetupError(
    `The tests need Python 3.11 or newer (found: ${found}).\n` +
      'Install it (Debian, Ubuntu: apt-get install python3 python3-venv; macOS: brew install python) or name it: PYTHON=/path/to/python3 npm test',
  );
}

async function makeEnvironment(folder, requirements) {
  const program = await findPython();
  rmSync(folder, { recursive: true, force: true });
  const made = await capture(program, ['-m', 'venv', folder]);
  if (made.code !== 0) {
    rmSync(folder, { recursive: true, force: true });
    const advice = /ensurepip|No module named venv/.test(made.output)
      ? `${program} cannot make virtual environments. ${
          findProgram('apt-get')
            ? 'On Debian and Ubuntu: apt-get install python3-venv'
            : 'Install its venv and pip modules.'
        }`
      : 'The virtual environment for the tests could not be made.';
    throw new SetupError(`${advice}\n\n${made.output}`);
  }
  const installed = await install(folder, '--requirement', requirements);
  if (installed.code !== 0) {
    throw new SetupError(`The Python packages of ${requirements} could not be installed.\n\n${installed.output}`);
  }
}

function install(folder, ...what) {
  // Compiling thousands of modules that no test imports takes longer than installing them.
  const options = ['--quiet', '--no-compile', '--no-input', '--disable-pip-version-check', '--prefer-binary'];
  return capture(pythonOf(folder), ['-m', 'pip', 'install', ...options, ...what]);
}

/** Not every Python runs them: the tests name what is missing. */
async function addOlderConsumers() {
  for (const version of olderConsumers) {
    const target = join(testFolder, `ansible-core-${version}`);
    if (existsSync(target)) continue;
    const added = await install(testFolder, '--no-deps', '--target', target, `ansible-core==${version}`);
    if (added.code !== 0) rmSync(target, { recursive: true, force: true });
  }
}

/**
 * Begins to make an environment anew when its requirements changed, and otherwise only looks. Other things can be done beside it;
 * the answer waits until it is there.
 */
export function prepareEnvironment(folder, requirements, title) {
  const stampFile = join(folder, '.requirements');
  const stamp = fingerprintOfContents(requirements);
  const isThere = existsSync(pythonOf(folder)) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
  const made = isThere ? Promise.resolve() : makeEnvironment(folder, requirements);
  made.catch(() => undefined);
  return async () => {
    if (!isThere) await step(title, () => made);
    writeFileSync(stampFile, stamp);
  };
}

/** The environment of the tests. */
export function preparePython() {
  const isReady = prepareEnvironment(testFolder, testRequirements, 'Preparing the Python programs that the tests run');
  return async () => {
    await isReady();
    if (process.env.THOROUGH) await step('Adding older versions of ansible-core', addOlderConsumers);
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) preparePython()().catch(fail);
