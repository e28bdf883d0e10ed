import { createInterface } from 'node:readline';
import { AppError } from '../../ports/errors.ts';
import type { Terminal } from './terminal.ts';

/** Asks on the terminal, apart from the result. Anything but a clear yes counts as no. */
export function askYes(terminal: Terminal, question: string): Promise<boolean> {
  const reader = createInterface({ input: terminal.stdin, terminal: false });
  terminal.stderr.write(`${question} [y/N] `);
  return new Promise((resolve, reject) => {
    reader.once('line', (line) => {
      resolve(/^y(es)?$/i.test(line.trim()));
      reader.close();
    });
    // Ctrl-D; after an answer this comes too late to matter.
    reader.once('close', () => resolve(false));
    terminal.signal.addEventListener(
      'abort',
      () => {
        reject(new AppError('cancelled', 'stopped; nothing was changed'));
        reader.close();
      },
      { once: true },
    );
  });
}
