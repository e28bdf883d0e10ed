import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';
import { collect, wholeNumber } from '../option-values.ts';

interface Json {
  readonly json?: true;
}

interface RunOptions extends Json {
  readonly despitePause?: true;
}

/** `muster cron …` */
export function defineCron(cron: Command, context: CommandContext): void {
  cron
    .command('run')
    .description(
      'Run the cron groups that are due, in their order, and exit when they are finished. A running service does that by itself; if none runs, call this from the cron of the system. With a group, run that one now, whatever its schedule says.',
    )
    .summary('run what is due, or one group now, then exit')
    .argument('[group]', 'name of the cron group')
    .option('--despite-pause', 'run the group although it is paused')
    .option('--json', 'answer how each group and job ended as JSON')
    .addHelpText('after', examples('muster cron run', 'muster cron run nightly', '*/5 * * * *  muster cron run'))
    .action(async (group: string | undefined, options: RunOptions) => {
      const { runGroupCommand, runPassCommand } = await import('./cron/run-pass.ts');
      if (group === undefined) await runPassCommand(context, options);
      else await runGroupCommand(context, group, options);
    });

  cron
    .command('policy')
    .description(
      'Make the webhook of a cron group take signed calls only, and from certain networks if wanted. What is not given stays as it is.',
    )
    .summary('ask the webhook of a group for signatures')
    .argument('<group>', 'name of the cron group')
    .option('--secret-stdin', 'read the signing secret from the standard input')
    .option('--generate', 'generate a signing secret and show it once')
    .option('--window <seconds>', 'how far the time of a call may be off', wholeNumber(1, 86_400))
    .option('--allow-ip <network>', 'address or network that may call (may be repeated)', collect)
    .option('--remove', 'remove the policy')
    .option('--json', 'answer the policy as JSON')
    .addHelpText(
      'after',
      examples(
        'muster cron policy nightly --generate --allow-ip 10.20.0.0/16',
        'echo "$SECRET" | muster cron policy nightly --secret-stdin --window 60',
        'muster cron policy nightly --remove',
      ),
    )
    .action(context.lazily(async () => (await import('./cron/set-policy.ts')).setPolicyCommand));
}
