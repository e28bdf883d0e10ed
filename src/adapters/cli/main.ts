import packageJson from '../../../package.json' with { type: 'json' };
import { endProcess } from '../plugin-watch/end-process.ts';
import { EXIT } from './exit-codes.ts';
import { runCli } from './run.ts';
import { processTerminal } from './terminal.ts';

const stopping = new AbortController();
const results = keepResults();

/**
 * Reserves the standard output for results: what a plugin prints, here or in a worker thread, is sent to the error stream, or it
 * would end up in the middle of a JSON document or of the protocol of the tool server.
 */
function keepResults(): NodeJS.WriteStream {
  const { stdout } = process;
  Object.defineProperty(process, 'stdout', { value: process.stderr, configurable: true, enumerable: true });
  return stdout;
}

/** The working directory of the shell may have been removed, and everything after this relies on it. */
function requireDirectory(): void {
  try {
    process.cwd();
  } catch {
    process.stderr.write('muster: the working directory does not exist any more; go to another one\n');
    endProcess(EXIT.failed);
  }
}

requireDirectory();

/** The first signal asks the command to end in good order; a second one ends the process at once, as without a handler. */
function onSignal(signal: NodeJS.Signals): void {
  process.removeAllListeners('SIGINT');
  process.removeAllListeners('SIGTERM');
  stopping.abort(new DOMException(signal, 'AbortError'));
}

process.on('SIGINT', onSignal);
process.on('SIGTERM', onSignal);

const exitCode = await runCli(process.argv.slice(2), processTerminal(results, stopping.signal), {
  version: packageJson.version,
  open: async (request) => (await import('./open-application.ts')).openApplication(request),
});

// A plugin that still waits for something must not keep a finished command from ending.
process.exitCode = exitCode;
await Promise.all([results, process.stderr].map((stream) => new Promise((resolve) => stream.write('', resolve))));
endProcess();
