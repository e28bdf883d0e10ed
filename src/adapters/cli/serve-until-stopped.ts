import { once } from 'node:events';
import { adminInterface } from '../admin/routes.ts';
import { remoteCalls } from '../http/remote-calls.ts';
import { httpServer } from '../http/server.ts';
import type { ToolServer } from '../mcp/network/server.ts';
import type { Application } from './application.ts';
import type { CommandContext } from './context.ts';
import { listenForDebugSignal } from './debug-signal.ts';
import { drain } from './drain.ts';

/** Serves until the person or the system asks to stop, drains, and lets requests under way finish. */
export async function serveUntilStopped(
  context: CommandContext,
  started: (address: string) => Promise<void>,
): Promise<void> {
  const { signal, workingDirectory } = context.terminal;
  const application = await context.app();
  const { executor, services } = application;
  const { version } = context;
  const { ADMIN_ENABLED, REMOTE_COMMANDS, DRAIN_SECONDS } = services.config;
  const server = httpServer({ version, directory: workingDirectory })({
    executor,
    services,
    mounts: [
      ...(ADMIN_ENABLED ? [adminInterface({ version })({ executor, services })] : []),
      ...(REMOTE_COMMANDS ? [remoteCalls({ version })({ executor, services })] : []),
    ],
  });
  const tools = await toolServerOf(context, application);
  const stopListening = listenForDebugSignal(services);
  try {
    const address = await server.start();
    const toolAddress = await tools?.start();
    await started(address);
    if (ADMIN_ENABLED) context.note(`Admin interface: ${address}/admin`);
    if (toolAddress !== undefined)
      context.note(`Tool server for LLM clients: ${toolAddress}/mcp and ${toolAddress}/sse`);
    if (!signal.aborted) await once(signal, 'abort');
    await drain(context, DRAIN_SECONDS, () => {
      server.drain();
      tools?.drain();
      application.drain();
    });
    context.note('Stopping; running requests may finish. Press Ctrl-C again to stop at once.');
  } finally {
    stopListening();
    await Promise.all([tools?.stop(), server.stop()]);
  }
}

/** Returns the tool server on the host of the service, if the configuration wants it. */
async function toolServerOf(
  { version, terminal }: CommandContext,
  { executor, services }: Application,
): Promise<ToolServer | undefined> {
  const { config } = services;
  if (!config.MCPSERVER_ENABLED) return undefined;
  const { toolServer } = await import('../mcp/network/server.ts');
  const address = {
    host: config.HTTP_HOST,
    port: config.MCPSERVER_PORT,
    hostKey: 'HTTP_HOST',
    portKey: 'MCPSERVER_PORT',
  } as const;
  return toolServer({ version, address, directory: terminal.workingDirectory })({ executor, services });
}
