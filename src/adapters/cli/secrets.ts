import { randomInt } from 'node:crypto';
import { AppError } from '../../ports/errors.ts';
import type { CommandContext } from './context.ts';
import { readSecretLine } from './input-text.ts';
import { UsageError } from './usage-error.ts';

/** Without letters and digits that are mistaken for each other. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const GENERATED_LENGTH = 20;

export interface SecretChoice {
  readonly secret: string;
  /** True if the secret is new and has to be shown once. */
  readonly generated: boolean;
}

/**
 * Returns a password from the standard input, from a prompt, or a generated one if there is no terminal or the user enters none.
 */
export async function choosePassword(
  context: CommandContext,
  options: { stdin: boolean; message: string },
): Promise<SecretChoice> {
  if (options.stdin) return { secret: await secretFromStdin(context), generated: false };
  if (!canAsk(context)) return { secret: generatedPassword(), generated: true };
  const secret = await askTwice(context, `${options.message} (empty: generate one)`);
  return secret === '' ? { secret: generatedPassword(), generated: true } : { secret, generated: false };
}

/** A secret that cannot be made up, such as the password of a remote system. */
export async function secretFromStdin(context: CommandContext): Promise<string> {
  const secret = await readSecretLine(context.terminal);
  if (secret === '')
    throw new AppError('invalid_input', 'standard input has no password; pipe one line into the command');
  return secret;
}

export async function secretFromPrompt(context: CommandContext, message: string): Promise<string> {
  if (!canAsk(context)) throw new UsageError('there is no terminal to ask for it; use --password-stdin');
  const { askSecret } = await import('./ask-secret.ts');
  const secret = await askSecret(context.terminal, message);
  if (secret === '') throw new AppError('invalid_input', 'no password was given; nothing was changed');
  return secret;
}

export function generatedPassword(): string {
  return Array.from({ length: GENERATED_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** Whether a user is at the terminal. */
export function canAsk(context: CommandContext): boolean {
  return context.terminal.stdin.isTTY === true && context.terminal.stderr.isTTY === true;
}

async function askTwice(context: CommandContext, message: string): Promise<string> {
  const { askSecret } = await import('./ask-secret.ts');
  const first = await askSecret(context.terminal, message);
  if (first === '') return '';
  const second = await askSecret(context.terminal, 'The same again');
  if (first !== second) throw new AppError('invalid_input', 'the two passwords differ; nothing was changed');
  return first;
}
