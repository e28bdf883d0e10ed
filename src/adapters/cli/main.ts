import packageJson from '../../../package.json' with { type: 'json' };
import { runCli } from './run.ts';
import { processTerminal } from './terminal.ts';

const stopping = new AbortController();

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
