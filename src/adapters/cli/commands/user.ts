import { type Command, InvalidArgumentError } from 'commander';
import { API_ROLES, currentRole, isRole } from '../../../app/kernel/caller.ts';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';
import { collect } from '../option-values.ts';

/** Commands of `muster user …` that ask for passwords. */
export function defineUser(user: Command, context: CommandContext): void {
  user
    .command('add')
    .description(
      'Create a user. The password comes from a prompt or from the standard input; without a terminal to ask at, one is generated and printed once.',
    )
    .summary('create a user')
    .argument('<name>', 'name to log in with')
    .option('--email <address>', 'e-mail address')
    .option(
      '--role <role>',
      'API role: all, objects, rules, syncer, automation, mcp or metrics (may be repeated)',
      (role: string, previous: readonly string[] | undefined) => collect(knownRole(role), previous),
    )
    .option('--account <name>', 'restrict the user to this account (may be repeated)', collect)
    .option('--template <name>', 'restrict the user to hosts that name this template (may be repeated)', collect)
    .option('--read-only', 'refuse everything that changes data')
    .option('--admin', 'make the user a global administrator')
    .option('--password-stdin', 'read the password from the standard input')
    .option('--json', 'answer the outcome as JSON, with a generated password')
    .addHelpText(
      'after',
      examples(
        'muster user add olga --email olga@example.org --role objects --role automation',
        'echo "$PASSWORD" | muster user add ansible --role automation --read-only --password-stdin',
      ),
    )
    .action(context.lazily(async () => (await import('./user/passwords.ts')).addUserCommand));

  user
    .command('passwd')
    .description(
      'Give a user a new password, from a prompt or the standard input, or one that is generated and printed once.',
    )
    .summary('give a user a new password')
    .argument('<name>', 'name of the user')
    .option('--password-stdin', 'read the password from the standard input')
    .option('--json', 'answer the outcome as JSON, with a generated password')
    .addHelpText(
      'after',
      examples('muster user passwd olga', 'echo "$PASSWORD" | muster user passwd olga --password-stdin'),
    )
    .action(context.lazily(async () => (await import('./user/passwords.ts')).changePassword));

  user
    .command('token')
    .description('Create, list and revoke personal API tokens.')
    .helpCommand(false)
    .addHelpText(
      'after',
      examples('muster user token create olga --label ci --expires-days 90', 'muster user token list olga'),
    );
}

/** Returns the role in its current spelling; an unknown role is a usage error, reported before anyone types a password. */
function knownRole(role: string): string {
  if (isRole(role)) return currentRole(role);
  throw new InvalidArgumentError(`There is no role ${role}; there are ${API_ROLES.join(', ')}.`);
}
