import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';
import { addListOptions } from '../list-options.ts';

/** `muster login` */
export function defineLogin(command: Command, context: CommandContext): void {
  command
    .description(
      'Log in at a service and keep a token for it in a profile. From then on commands work with that service; "muster profile use local" goes back to the store of this machine.',
    )
    .argument('<address>', 'https address of the service')
    .option('--user <name>', 'log in with a password and have a token made, which only an administrator may')
    .option('--password-stdin', 'with --user: read the password from the standard input')
    .option('--json', 'answer the profile as JSON, without its token')
    .addHelpText(
      'after',
      examples(
        'muster login https://muster.example.org',
        'echo "$TOKEN" | muster login https://muster.example.org --profile prod --token-stdin',
        'muster login https://muster.example.org --user olga',
        'muster login https://muster.internal --ca-file ca.pem',
      ),
    )
    .action(context.lazily(async () => (await import('./remote/login.ts')).loginCommand));
}

/** `muster profile …` */
export function defineProfile(profile: Command, context: CommandContext): void {
  const list = profile
    .command('list')
    .description('List the services that you logged in at, and which of them commands work with.')
    .summary('list profiles');
  addListOptions(list, ['profile', 'address', 'user', 'used']);
  list
    .option('--json', 'answer a JSON array of profiles, without their tokens')
    .addHelpText('after', examples('muster profile list', 'muster profile list -o name'))
    .action(context.lazily(async () => (await import('./remote/manage-profiles.ts')).listProfiles));

  profile
    .command('use')
    .description(
      'Let commands work with the service of a profile from now on, or with the store of this machine (local).',
    )
    .summary('choose what commands work with')
    .argument('<name>', 'name of the profile, or local')
    .option('--json', 'answer the outcome as JSON')
    .addHelpText('after', examples('muster profile use prod', 'muster profile use local'))
    .action(context.lazily(async () => (await import('./remote/manage-profiles.ts')).useProfile));

  profile
    .command('remove')
    .description('Remove a profile with its token. The token itself stays valid until it ends or is revoked.')
    .summary('remove a profile with its token')
    .argument('<name>', 'name of the profile')
    .option('--json', 'answer the outcome as JSON')
    .addHelpText('after', examples('muster profile remove prod'))
    .action(context.lazily(async () => (await import('./remote/manage-profiles.ts')).removeProfile));
}
