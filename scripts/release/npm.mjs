import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { root, SetupError } from '../report.mjs';

/** What a command of npm answers, without what it says besides. */
export async function npm(...args) {
  const options = { cwd: root, shell: process.platform === 'win32', maxBuffer: 64 * 1024 * 1024 };
  try {
    return (await promisify(execFile)('npm', [...args, '--no-update-notifier'], options)).stdout;
  } catch (error) {
    throw new SetupError(`npm ${args.join(' ')} failed.\n\n${error.stderr ?? error.message}`);
  }
}
