import packageJson from '../../../package.json' with { type: 'json' };
import { EXIT } from './exit-codes.ts';
import { runCli } from './run.ts';
import { processTerminal } from './terminal.ts';

const stopping = new AbortController();

/** The directory that the shell stands in may be removed, and everything after this relies on it. */
function requireDirectory(): void {
  try {
    process.cwd();
  } catch {
    process.stderr.write('muster: the working directory does not exist any more; go to another one\n');
    process.exit(EXIT.failed);
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

const exitCode = await runCli(process.argv.slice(2), processTerminal(stopping.signal), {
  version: packageJson.version,
  open: async (request) => (await import('./open-application.ts')).openApplication(request),
});

// A plugin that still waits for something must not keep a finished command from ending.
process.exitCode = exitCode;
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write('', resolve))),
);
process.exit();
