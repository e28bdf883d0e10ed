import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import type { FixOptions } from './system/fix-findings.ts';

/** `muster doctor --fix`: before the doctor looks, and so looks again. */
export function defineDoctor(command: Command, context: CommandContext): void {
  command
    .option('--fix', 'first repair what needs no decision, after asking: modes of files')
    .option('--yes', 'mend without asking, for scripts')
    .hook('preAction', async () => {
      const options = command.opts<FixOptions>();
      if (options.fix === undefined && options.yes === undefined) return;
      const { fixFindings } = await import('./system/fix-findings.ts');
      await fixFindings(context, options);
    });
}
