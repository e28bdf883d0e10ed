import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';
import { wholeNumber } from '../option-values.ts';

/** `muster serve` */
export function defineServe(command: Command, context: CommandContext): void {
  command
    .description('Serve the HTTP interface with scheduler and worker threads, until SIGTERM or Ctrl-C.')
    .option('--http-host <address>', 'address to listen on, instead of HTTP_HOST')
    .option('--http-port <port>', 'port to listen on, instead of HTTP_PORT; 0 takes a free one', wholeNumber(0, 65_535))
    .addHelpText('after', examples('muster serve', 'muster serve --http-host 0.0.0.0 --http-port 8443'))
    .action(async () => {
      const { serveCommand } = await import('./system/serve.ts');
      await serveCommand(context);
    });
}
