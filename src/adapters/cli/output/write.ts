import type { Writable } from 'node:stream';
import { AppError } from '../../../ports/errors.ts';

/** The reader of the result has gone (`muster host list | head`). Ends the command without an error. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

/** Text written to a stream that may be slow or close: every write waits until the stream accepts more. */
export interface TextOutput {
  write(text: string | Uint8Array): Promise<void>;
  /** Waits until everything has left. */
  end(): Promise<void>;
}

export function textOutput(stream: Writable): TextOutput {
  let failure: Error | undefined;
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const resume of waiting) resume();
    waiting.clear();
  };
  stream.on('error', (error: NodeJS.ErrnoException) => {
    failure ??= writeFailure(error);
    wake();
  });
  stream.on('drain', wake);
  stream.on('close', () => {
    failure ??= new OutputClosed();
    wake();
  });
  const check = (): void => {
    if (failure !== undefined) throw failure;
  };
  return {
    async write(text) {
      check();
      if (text.length === 0 || stream.write(text)) return;
      await new Promise<void>((resolve) => waiting.add(resolve));
      check();
    },
    async end() {
      check();
      await new Promise<void>((resolve) => {
        waiting.add(resolve);
        stream.write('', () => resolve());
      });
      check();
    },
  };
}

function writeFailure(error: NodeJS.ErrnoException): Error {
  if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') return new OutputClosed();
  const reason = error.code === 'ENOSPC' ? 'there is no space left on the device' : error.message;
  return new AppError('failed', `the standard output cannot be written: ${reason}`, { cause: error });
}
