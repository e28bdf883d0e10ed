import { once } from 'node:events';
import { callEnvironment, processSettings } from '../../../../main/settings.ts';
import type { CommandContext } from '../../context.ts';
import { drain } from '../../drain.ts';
import { UsageError } from '../../usage-error.ts';

interface McpOptions {
  readonly transport?: 'stdio' | 'sse' | 'http';
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
}

/** Serves one client over the standard streams, or many over the network. */
export async function mcpCommand(context: CommandContext, options: McpOptions): Promise<void> {
  context.configure({ MCP_TRANSPORT: options.transport, MCP_HOST: options.host, MCP_PORT: options.port });
  const { config } = await processSettings(context.flags);
  if (config.MCP_TRANSPORT === 'stdio') return serveClient(context, options);
  if (options.user !== undefined || options.password !== undefined) {
    throw new UsageError('over the network every client shows credentials of its own; leave out --user and --password');
  }
  return serveNetwork(context);
}

async function serveClient(context: CommandContext, options: McpOptions): Promise<void> {
  const { serveStdio } = await import('../../../mcp/stdio.ts');
  const { executor, services } = await context.app();
  const environment = callEnvironment();
  const { stdin, stdout, signal } = context.terminal;
  // A user named on the command line takes precedence.
  const namesUser = options.user !== undefined || options.password !== undefined;
  const credentials = {
    token: namesUser ? undefined : environment.token,
    user: options.user ?? environment.apiUser,
    password: options.password ?? environment.apiPassword,
  };
  await serveStdio(
    { version: context.version, credentials, input: stdin, output: stdout, signal },
    { executor, services },
  );
}

async function serveNetwork(context: CommandContext): Promise<void> {
  context.role = 'server';
  const { toolServer } = await import('../../../mcp/network/server.ts');
  const { executor, services } = await context.app();
  const { signal, workingDirectory } = context.terminal;
  const address = {
    host: services.config.MCP_HOST,
    port: services.config.MCP_PORT,
    hostKey: 'MCP_HOST',
    portKey: 'MCP_PORT',
  } as const;
  const server = toolServer({ version: context.version, address, directory: workingDirectory })({ executor, services });
  try {
    const url = await server.start();
    await context.result(`Muster's tool server listens on ${url}\n`);
    context.note(`Clients use ${url}/mcp, older ones ${url}/sse, with credentials of a user that has the role mcp.`);
    context.note('Ctrl-C stops it.');
    if (!signal.aborted) await once(signal, 'abort');
    await drain(context, services.config.DRAIN_SECONDS, () => server.drain());
    context.note('Stopping; calls under way may finish. Once more Ctrl-C ends at once.');
  } finally {
    await server.stop();
  }
}
