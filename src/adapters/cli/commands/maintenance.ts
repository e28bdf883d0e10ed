import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';

/** `muster maintenance` */
export function defineMaintenance(command: Command, context: CommandContext): void {
  command
    .description(
      'Archive hosts unseen for STALE_DAYS, delete for good what is in the archive for ARCHIVE_DAYS, and prune history, logs, audit and runs of playbooks. The service does this every hour by itself.',
    )
    .option('--json', 'answer the counts as JSON')
    .addHelpText('after', examples('muster maintenance', 'SERVICE_ARCHIVE_DAYS=90 muster maintenance'))
    .action(async (options: { json?: true }) => {
      const { runMaintenanceCommand } = await import('./system/run-maintenance.ts');
      await runMaintenanceCommand(context, options);
    });
}
