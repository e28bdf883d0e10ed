import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';
import { collect, wholeNumber } from '../option-values.ts';
import type { PolicyOptions } from './cron/webhook.ts';

interface Json {
  readonly json?: true;
}

/** `muster cron …` */
export function defineCron(cron: Command, context: CommandContext): void {
  cron.addHelpText('after', examples('muster cron status', 'muster cron trigger nightly', 'muster cron run'));

  cron
    .command('run')
    .description(
      'Run the cron groups that are due, in their order, and exit when they are finished. A running service does that by itself; where none runs, call this from the cron of the system.',
    )
    .summary('run what is due, then exit')
    .option('--json', 'answer how each group and job ended as JSON')
    .addHelpText('after', examples('muster cron run', '*/5 * * * *  muster cron run'))
    .action(async (options: Json) => {
      const { runPassCommand } = await import('./cron/run-pass.ts');
      await runPassCommand(context, options);
    });

  cron
    .command('status')
    .description(
      'Show how each cron group stands: whether it runs, its last start and next run in UTC, its schedule in hours of TIMEZONE, what its webhook asks for, and what its last run said.',
    )
    .summary('show how the cron groups stand')
    .option('--json', 'answer a JSON array of groups')
    .addHelpText('after', examples('muster cron status', "muster cron status --json | jq '.[] | select(.has_error)'"))
    .action(async (options: Json) => {
      const { showGroups } = await import('./cron/show-groups.ts');
      await showGroups(context, options);
    });

  cron
    .command('trigger')
    .description('Make a cron group run on the next pass, whatever its schedule says.')
    .argument('<group>', 'name of the cron group')
    .option('--json', 'answer the outcome as JSON')
    .addHelpText('after', examples('muster cron trigger nightly'))
    .action(async (group: string, options: Json) => {
      const { triggerGroupCommand } = await import('./cron/show-groups.ts');
      await triggerGroupCommand(context, group, options);
    });

  cron
    .command('token')
    .description('Make a new webhook token for a cron group and show it, this once. The one before is no longer valid.')
    .argument('<group>', 'name of the cron group')
    .option('--json', 'answer the token as JSON')
    .addHelpText(
      'after',
      examples(
        'muster cron token nightly',
        'curl -X POST -H "X-Webhook-Token: $TOKEN" https://muster.example.org/api/v1/syncer/cron/trigger/nightly',
      ),
    )
    .action(async (group: string, options: Json) => {
      const { makeTokenCommand } = await import('./cron/webhook.ts');
      await makeTokenCommand(context, group, options);
    });

  cron
    .command('policy')
    .description(
      'Make the webhook of a cron group take signed calls only, and from certain networks if wanted. What is not given stays as it is.',
    )
    .summary('ask the webhook of a group for signatures')
    .argument('<group>', 'name of the cron group')
    .option('--secret-stdin', 'read the signing secret from the standard input')
    .option('--generate', 'make a signing secret and show it, this once')
    .option('--window <seconds>', 'how far the time of a call may be off', wholeNumber(1, 86_400))
    .option('--allow-ip <network>', 'address or network that may call (may be repeated)', collect)
    .option('--remove', 'take the policy away')
    .option('--json', 'answer the policy as JSON')
    .addHelpText(
      'after',
      examples(
        'muster cron policy nightly --generate --allow-ip 10.20.0.0/16',
        'echo "$SECRET" | muster cron policy nightly --secret-stdin --window 60',
        'muster cron policy nightly --remove',
      ),
    )
    .action(async (group: string, options: PolicyOptions) => {
      const { setPolicyCommand } = await import('./cron/webhook.ts');
      await setPolicyCommand(context, group, options);
    });
}
