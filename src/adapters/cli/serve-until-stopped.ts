import { once } from 'node:events';
import { httpServer } from '../http/server.ts';
import type { CommandContext } from './context.ts';

/** Serves until the person or the system asks to stop, then lets requests under way finish. */
export async function serveUntilStopped(
  context: CommandContext,
  started: (address: string) => Promise<void>,
): Promise<void> {
  const { signal, workingDirectory } = context.terminal;
  const { executor, services } = await context.app();
  const server = httpServer({ version: context.version, directory: workingDirectory })({ executor, services });
  try {
    await started(await server.start());
    if (!signal.aborted) await once(signal, 'abort');
    context.note('Stopping; requests under way may finish. Once more Ctrl-C ends at once.');
  } finally {
    await server.stop();
  }
}
