import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { AppError } from 'muster/plugin-api';

/**
 * Takes the lock of a file, or throws and says which process has it. Answers how it is given back.
 *
 * The name of a lock says which process made it. A process makes its own and looks for others then: of two that start at once, one at least sees the
 * other, and they never both go on. A lock that a killed process left is removed: no living process has its name.
 *
 * @param {string} path
 */
export function lockFile(path) {
  const begin = `${path}.lock-`;
  const own = `${begin}${hostname()}-${process.pid}-${beganAt(process.pid)}`;
  const refuse = (by) => {
    throw new AppError('unavailable', `${path} is in use by ${by}. Only one process can have it open`);
  };
  if (existsSync(own)) refuse(`this process, or one that left ${own}`);
  writeFileSync(own, '', { mode: 0o600 });
  const giveBack = () => rmSync(own, { force: true });
  try {
    for (const name of readdirSync(dirname(path))) {
      const lock = join(dirname(path), name);
      if (!lock.startsWith(begin) || lock === own) continue;
      const [, machine, pid, began] = /^(.*)-(\d+)-(\w+)$/.exec(lock.slice(begin.length)) ?? [];
      if (machine !== hostname()) refuse(`another machine. If it no longer runs there, remove ${lock}`);
      if (beganAt(pid) === began && isRunning(Number(pid))) refuse(`process ${pid}`);
      rmSync(lock, { force: true });
    }
  } catch (error) {
    giveBack();
    throw error;
  }
  return giveBack;
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** By which a process differs from a later one with its number, where the system says it, behind the name of the program in brackets. */
function beganAt(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return 'unknown';
  }
}
