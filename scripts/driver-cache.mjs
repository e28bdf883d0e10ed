// Keeps the compiled database driver in the cache of the user, so that the next clone on this machine does not compile it again.
import { copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './report.mjs';

const built = join(root, 'node_modules', 'better-sqlite3', 'build', 'Release', 'better_sqlite3.node');

/**
 * A file for each thing that the driver depends on: its own version, the Node that loads it, and the machine. `integrity` is that of the
 * lock file.
 */
function cached({ version, integrity }) {
  const { glibcVersionRuntime } = process.report.getReport().header;
  const libc = glibcVersionRuntime ? 'glibc' : 'libc';
  const machine = `node${process.versions.modules}-${process.platform}-${process.arch}-${libc}`;
  const source = Buffer.from(integrity).toString('hex').slice(-16);
  const folder = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(folder, 'muster', `better-sqlite3-${version}-${source}-${machine}.node`);
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  const partial = `${to}.${process.pid}`;
  copyFileSync(from, partial);
  renameSync(partial, to);
}

/** Puts a driver that was compiled before in its place. Whether it works is for the caller to try. */
export function takeCompiledDriver(locked) {
  try {
    copy(cached(locked), built);
    return true;
  } catch {
    return false;
  }
}

/** Forgets a driver that did not load. */
export function forgetCompiledDriver(locked) {
  rmSync(built, { force: true });
  rmSync(cached(locked), { force: true });
}

/** A cache that cannot be written is none: the next clone compiles again. */
export function keepCompiledDriver(locked) {
  try {
    copy(built, cached(locked));
  } catch {
    // The driver is in place, which is what was asked for.
  }
}
