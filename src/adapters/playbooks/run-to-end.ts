import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { counted } from '../../kit/words/amounts.ts';
import { AppError, type ProgramCall, type ProgramEnd } from '../../ports/index.ts';
import { endProcess } from './ansible/end-process.ts';

/** Enough of what a failing program says. */
const MOST_WORDS = 8_000;
/** Descendants may keep the lines of output open after the end; nobody waits longer than this for them. */
const LATE_OUTPUT_MS = 1_000;

interface Call extends ProgramCall {
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What `SourcePrograms.run` promises. */
export async function runToEnd(call: Call, signal: AbortSignal): Promise<ProgramEnd> {
  signal.throwIfAborted();
  const { command, args, directory, env, timeoutMs, maxBytes } = call;
  const child = spawn(command, [...args], {
    cwd: directory,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    shell: false,
  });
  let why: AppError | undefined;
  let ending: Promise<void> | undefined;
  const exited = exitOf(child, command);
  const over = exited.catch(() => undefined);
  const end = (reason?: AppError): void => {
    why ??= reason;
    ending ??= endProcess(child, over);
  };
  const abort = (): void => end();
  const tooLong = new AppError(
    'failed',
    `${command} was ended, because it took longer than ${counted(Math.round(timeoutMs / 1000), 'second')}`,
  );
  const timer = setTimeout(() => end(tooLong), timeoutMs);
  signal.addEventListener('abort', abort, { once: true });

  const pieces: Buffer[] = [];
  let bytes = 0;
  let words = '';
  child.stdout.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes <= maxBytes) pieces.push(piece);
    else end(new AppError('failed', `${command} was ended, because it wrote more than ${inMegabytes(maxBytes)}`));
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-MOST_WORDS);
  });
  try {
    const closed = once(child, 'close').catch(() => undefined);
    const exitCode = await exited;
    await ending;
    await within(LATE_OUTPUT_MS, closed);
    signal.throwIfAborted();
    if (why !== undefined) throw why;
    return { exitCode, output: Buffer.concat(pieces), words };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

function exitOf(child: ChildProcess, command: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.on('exit', (code) => resolve(code));
    child.on('error', (error) => {
      const code = 'code' in error ? ` (${String(error.code)})` : '';
      reject(
        new AppError(
          'failed',
          `the program ${command} cannot be started${code}; is it installed, and is its folder there?`,
          {
            cause: error,
          },
        ),
      );
    });
  });
}

async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}
