import { type Command, Option } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';
import { wholeNumber } from '../option-values.ts';

/** `muster mcp` */
export function defineMcp(command: Command, context: CommandContext): void {
  command
    .description(
      'Run the tool server for LLM clients: for the one client that starts it (stdio), or for clients over the network, ' +
        'which then have /mcp and /sse, until SIGTERM or Ctrl-C.',
    )
    .addOption(
      new Option('--transport <transport>', 'how clients talk to it, instead of MCP_TRANSPORT').choices([
        'stdio',
        'sse',
        'http',
      ]),
    )
    .option('--host <address>', 'network: address to listen on, instead of MCP_HOST')
    .option(
      '--port <port>',
      'network: port to listen on, instead of MCP_PORT; 0 takes a free one',
      wholeNumber(0, 65_535),
    )
    .option('--user <name>', 'stdio: the user that every call is made for, instead of MUSTER_TOKEN or SERVICE_API_USER')
    .option(
      '--password <password>',
      'stdio: instead of SERVICE_API_PASSWORD, which other users of the machine cannot see',
    )
    .addHelpText(
      'after',
      examples(
        'MUSTER_TOKEN="$TOKEN" muster mcp',
        'SERVICE_API_USER=assistant SERVICE_API_PASSWORD="$PASSWORD" muster mcp',
        'muster mcp --transport http --port 8765',
      ),
    )
    .action(context.lazily(async () => (await import('./system/mcp.ts')).mcpCommand));
}
