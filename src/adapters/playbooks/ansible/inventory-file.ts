import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../ports/index.ts';

/** Enough of what a failing program says. */
const MOST_WORDS = 4_000;

/**
 * Has the inventory script write the inventory into a file that only this user reads. So the playbook needs no way to the
 * database, and all of its parts see the same hosts. Throws `AppError('failed')` with what the script says.
 */
export async function writeInventory(
  script: string,
  {
    environment,
    temporary,
    signal,
  }: {
    readonly environment: Readonly<Record<string, string | undefined>>;
    /** A private folder. */
    readonly temporary: string;
    readonly signal: AbortSignal;
  },
): Promise<string> {
  const path = join(temporary, 'inventory.json');
  const file = await open(path, 'wx', 0o600);
  try {
    const child = spawn(script, ['--list'], { env: environment, stdio: ['ignore', file.fd, 'pipe'], signal });
    let words = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(-MOST_WORDS);
    });
    const [code] = await once(child, 'close');
    if (code === 0) return path;
    throw unreadable(words.trim() || `the script ended with ${code ?? 'a signal'}`);
  } catch (error) {
    if (signal.aborted || error instanceof AppError) throw error;
    throw unreadable(error instanceof Error ? error.message : String(error), error);
  } finally {
    await file.close();
  }
}

function unreadable(reason: string, cause?: unknown): AppError {
  return new AppError('failed', `the inventory cannot be read: ${reason}`, { cause });
}
