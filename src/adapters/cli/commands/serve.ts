import { type Command, Option } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';
import { wholeNumber } from '../option-values.ts';

/** `muster serve` */
export function defineServe(command: Command, context: CommandContext): void {
  command
    .description('Serve the HTTP interface with scheduler and worker threads, until SIGTERM or Ctrl-C.')
    .option('--host <address>', 'address to listen on, instead of HTTP_HOST')
    .option('--port <port>', 'port to listen on, instead of HTTP_PORT; 0 takes a free one', wholeNumber(0, 65_535))
    .addOption(new Option('--http-host <address>', 'what --host was called before').hideHelp())
    .addOption(
      new Option('--http-port <port>', 'what --port was called before').argParser(wholeNumber(0, 65_535)).hideHelp(),
    )
    .addHelpText('after', examples('muster serve', 'muster serve --host 0.0.0.0 --port 8443'))
    .action(async ({ host, port }: { readonly host?: string; readonly port?: number }) => {
      if (host !== undefined) context.configure({ HTTP_HOST: host });
      if (port !== undefined) context.configure({ HTTP_PORT: port });
      const { serveCommand } = await import('./system/serve.ts');
      await serveCommand(context);
    });
}
