import { createRequire } from 'node:module';
import { sep } from 'node:path';
import { AppError } from '../../../ports/index.ts';

const PACKAGE = 'better-sqlite3';

/** Why the compiled driver of SQLite does not load, in words of what to do; `undefined` for any other error. */
export function driverFault(error: unknown): AppError | undefined {
  const reason = reasonOf(error);
  if (reason === undefined) return undefined;
  const folder = folderOfPackage();
  const where = folder === undefined ? 'in the folder where Muster is installed' : `in ${folder}`;
  return new AppError(
    'failed',
    `The driver of SQLite ${reason}. Run "npm rebuild ${PACKAGE}" ${where}, or install Muster again, with the Node.js that runs it and with install scripts allowed, or run it with Node.js 24 or newer, which has SQLite itself; if no prebuilt driver fits, that needs a C++ compiler and Python. DATABASE_URL=postgresql://… or mongodb://… needs no such driver.`,
    { cause: error },
  );
}

function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.message.startsWith('Could not locate the bindings file')) {
    return 'was not built when Muster was installed, because install scripts were not run or it could not be compiled';
  }
  if ('code' in error && error.code === 'MODULE_NOT_FOUND' && error.message.includes(PACKAGE)) {
    return 'was not installed, because it could not be compiled';
  }
  if (!('code' in error) || error.code !== 'ERR_DLOPEN_FAILED') return undefined;
  if (error.message.includes('NODE_MODULE_VERSION')) {
    return `was built for another version of Node.js than the one that runs now (${process.version})`;
  }
  return `cannot be loaded: ${error.message.split('\n', 1)[0]}`;
}

/** Returns the folder that contains its `node_modules`. */
function folderOfPackage(): string | undefined {
  try {
    const path = createRequire(import.meta.url).resolve(PACKAGE);
    return path.slice(0, path.lastIndexOf(`${sep}node_modules${sep}${PACKAGE}${sep}`));
  } catch {
    return undefined;
  }
}
