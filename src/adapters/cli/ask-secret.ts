import { isCancel, password } from '@clack/prompts';
import { AppError } from '../../ports/errors.ts';
import type { Terminal } from './terminal.ts';

/** Asks on the terminal without showing what is typed. The question goes to the error stream, away from the result. */
export async function askSecret(terminal: Terminal, message: string): Promise<string> {
  const answer = await password({ message, input: terminal.stdin, output: terminal.stderr, signal: terminal.signal });
  if (isCancel(answer)) throw new AppError('cancelled', 'stopped; nothing was changed');
  return answer ?? '';
}
