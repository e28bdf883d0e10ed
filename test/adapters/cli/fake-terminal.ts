import { PassThrough, Readable, Writable } from 'node:stream';
import type { Terminal, TerminalInput, TerminalOutput } from '../../../src/adapters/cli/terminal.ts';

export interface FakeTerminal {
  readonly terminal: Terminal;
  stdout(): string;
  stderr(): string;
  interrupt(): void;
}

export interface FakeTerminalOptions {
  readonly workingDirectory?: string;
  readonly stdin?: string | Uint8Array;
  /** What a person types at a terminal, in the place of the standard input; in a list, each when it is asked for. */
  readonly typed?: string | readonly string[];
  /** Columns of a terminal; absent: the output is a pipe. */
  readonly columns?: number;
  readonly variables?: Readonly<Record<string, string>>;
  /** Aborts where the person stops the command. */
  readonly signal?: AbortSignal;
  /** Takes the place of the captured standard output. */
  readonly stdout?: Writable;
}

export function fakeTerminal(options: FakeTerminalOptions = {}): FakeTerminal {
  const out = captured(options.columns);
  const err = captured(options.typed === undefined ? options.columns : (options.columns ?? 80));
  const stopping = new AbortController();
  return {
    terminal: {
      stdin: options.typed === undefined ? inputOf(options.stdin) : typedInput(options.typed),
      stdout: options.stdout ?? out.stream,
      stderr: err.stream,
      workingDirectory: options.workingDirectory ?? '/nowhere',
      variable: (name) => options.variables?.[name],
      userName: () => 'olga',
      signal: options.signal ?? stopping.signal,
    },
    stdout: out.text,
    stderr: err.text,
    interrupt: () => stopping.abort(new DOMException('SIGINT', 'AbortError')),
  };
}

function inputOf(text: string | Uint8Array | undefined): TerminalInput {
  return text === undefined ? new PassThrough().end() : Readable.from([Buffer.from(text)]);
}

function typedInput(typed: string | readonly string[]): TerminalInput {
  return Object.assign(Readable.from([typed].flat().map((text) => Buffer.from(text))), { isTTY: true });
}

function captured(columns: number | undefined): { stream: TerminalOutput; text: () => string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const marked = columns === undefined ? stream : Object.assign(stream, { isTTY: true, columns });
  return { stream: marked, text: () => Buffer.concat(chunks).toString('utf8') };
}
