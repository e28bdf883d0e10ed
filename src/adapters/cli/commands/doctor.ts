import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';

/** `muster doctor` */
export function defineDoctor(command: Command, context: CommandContext): void {
  command
    .description(
      'Check storage, instance key, plugins, rules, clock and disk, and say what to do. Exit code 1 when something is wrong.',
    )
    .option('--json', 'answer the findings as JSON')
    .addHelpText('after', examples('muster doctor'))
    .action(async (options: { json?: true }) => {
      const { runDoctorCommand } = await import('./system/run-doctor.ts');
      await runDoctorCommand(context, options);
    });
}
