import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { AppError } from '../../ports/errors.ts';
import type { Terminal } from './terminal.ts';

/** Asks on the terminal without showing the input. The question is written to the error stream, apart from the result. */
export function askSecret(terminal: Terminal, message: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: terminal.stdin, output: nowhere, terminal: true, historySize: 0 });
  terminal.stderr.write(`${message}: `);
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(new AppError('cancelled', 'stopped; nothing was changed'));
      reader.close();
    };
    reader.once('line', (line) => {
      resolve(line);
      reader.close();
    });
    reader.once('SIGINT', stop);
    // Ctrl-D; after an answer this comes too late to matter.
    reader.once('close', () => {
      terminal.stderr.write('\n');
      stop();
    });
    terminal.signal.addEventListener('abort', stop, { once: true });
  });
}
