import { printable, printableLines } from '../../kit/words/escape.ts';
import { AppError, type ErrorDetail } from '../../ports/errors.ts';
import { EXIT } from './exit-codes.ts';
import { UsageError } from './usage-error.ts';

/** A name of a hundred thousand letters would not help in a message. */
const MAX_MESSAGE = 2_000;
/** More of these would push the message out of sight. */
const MAX_DETAILS = 20;

export interface ErrorReport {
  /** Lines for the error stream, with line ends. */
  readonly text: string;
  readonly exitCode: number;
}

/** Describes a failure for a person, or for a script if `asJson`. Only `debug` shows where in the program it happened. */
export function reportError(error: unknown, { debug, asJson }: { debug: boolean; asJson: boolean }): ErrorReport {
  const exitCode = exitCodeOf(error);
  if (asJson) return { text: jsonError(error), exitCode };
  if (error instanceof UsageError) return { text: `muster: ${messageText(error)}\n`, exitCode };
  if (error instanceof AppError && error.code !== 'internal') {
    return { text: `muster: ${messageText(error)}\n${detailLines(error)}${debug ? stackOf(error) : ''}`, exitCode };
  }
  if (isAbort(error)) return { text: 'muster: stopped\n', exitCode };
  return { text: unexpected(error, debug), exitCode };
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  const isStopped = error instanceof AppError ? error.code === 'cancelled' : isAbort(error);
  return isStopped ? EXIT.cancelled : EXIT.failed;
}

function jsonError(error: unknown): string {
  if (error instanceof UsageError) return errorLine(error.message, 'usage');
  if (error instanceof AppError && error.code !== 'internal')
    return errorLine(
      error.message,
      error.code,
      error.details.map(({ path, message }) => ({ path, message })),
    );
  if (isAbort(error)) return errorLine('stopped', 'cancelled');
  const message = error instanceof Error ? error.message : String(error);
  return errorLine(`unexpected fault: ${message.split('\n', 1)[0]}`, 'internal');
}

/** The one line that a script reads, in the shape of an error over HTTP. */
export function errorLine(message: string, code: string, details: readonly ErrorDetail[] = []): string {
  return `${JSON.stringify({ message: shortened(message), code, details })}\n`;
}

function unexpected(error: unknown, debug: boolean): string {
  const message = error instanceof Error ? error.message : String(error);
  const first = printable(message.split('\n', 1)[0] ?? '');
  if (debug) return `muster: unexpected fault: ${first}\n${stackOf(error)}`;
  return `muster: unexpected fault: ${first}\n  run the same command with --log-level debug to see where it happened\n`;
}

function messageText({ message }: Error): string {
  return printableLines(shortened(message));
}

/** Cuts text that may repeat input to a readable length. */
export function shortened(text: string): string {
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)} …` : text;
}

function detailLines(error: AppError): string {
  // A single detail only repeats the message.
  const details = error.details.filter(({ message }) => !error.message.includes(message));
  const lines = details
    .slice(0, MAX_DETAILS)
    .map(({ path, message }) => `  ${path === '' ? '' : `${printable(path)}: `}${printable(message)}\n`);
  if (details.length > MAX_DETAILS) lines.push(`  … and ${details.length - MAX_DETAILS} more\n`);
  return lines.join('');
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const cause =
    error.cause === undefined ? '' : `caused by ${stackOf(error.cause) || `${printable(String(error.cause))}\n`}`;
  return `${printableLines(error.stack ?? error.message)}\n${cause}`;
}

function isAbort(error: unknown): boolean {
  return (
    error instanceof Error && (error.name === 'AbortError' || (error as NodeJS.ErrnoException).code === 'ABORT_ERR')
  );
}
