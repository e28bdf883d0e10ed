import { type Command, InvalidArgumentError } from 'commander';
import { API_ROLES, currentRole, isRole } from '../../../app/kernel/caller.ts';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';
import { collect, wholeNumber } from '../option-values.ts';
import type { AddUserOptions } from './user/passwords.ts';
import type { CreateTokenOptions } from './user/tokens.ts';

interface Json {
  readonly json?: true;
}

/** `muster user …` */
export function defineUser(user: Command, context: CommandContext): void {
  user.addHelpText(
    'after',
    examples(
      'muster user add olga --role objects --role automation',
      'muster user list',
      'muster user token create olga --label ci',
    ),
  );

  user
    .command('add')
    .description(
      'Create a user. The password comes from a prompt or from the standard input; where nobody can be asked, one is made up and printed once.',
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
    .option('--read-only', 'refuse everything that changes data')
    .option('--admin', 'make the user a global administrator')
    .option('--password-stdin', 'read the password from the standard input')
    .option('--json', 'answer the outcome as JSON, with a password that was made up')
    .addHelpText(
      'after',
      examples(
        'muster user add olga --email olga@example.org --role objects --role automation',
        'echo "$PASSWORD" | muster user add ansible --role automation --read-only --password-stdin',
      ),
    )
    .action(async (name: string, options: AddUserOptions) => {
      const { addUserCommand } = await import('./user/passwords.ts');
      await addUserCommand(context, name, options);
    });

  user
    .command('list')
    .description('List the users with their roles and restrictions.')
    .option('--json', 'answer a JSON array of users')
    .addHelpText('after', examples('muster user list', "muster user list --json | jq -r '.[].name'"))
    .action(async (options: Json) => {
      const { showUsers } = await import('./user/show-users.ts');
      await showUsers(context, options);
    });

  user
    .command('show')
    .description('Show one user.')
    .argument('<name>', 'name of the user')
    .option('--json', 'answer the user as JSON')
    .addHelpText('after', examples('muster user show olga'))
    .action(async (name: string, options: Json) => {
      const { showUserCommand } = await import('./user/show-users.ts');
      await showUserCommand(context, name, options);
    });

  user
    .command('passwd')
    .description(
      'Give a user a new password, from a prompt or the standard input, else one that is made up and printed once.',
    )
    .summary('give a user a new password')
    .argument('<name>', 'name of the user')
    .option('--password-stdin', 'read the password from the standard input')
    .option('--json', 'answer the outcome as JSON, with a password that was made up')
    .addHelpText(
      'after',
      examples('muster user passwd olga', 'echo "$PASSWORD" | muster user passwd olga --password-stdin'),
    )
    .action(async (name: string, options: Json & { passwordStdin?: true }) => {
      const { changePassword } = await import('./user/passwords.ts');
      await changePassword(context, name, options);
    });

  user
    .command('delete')
    .description('Delete a user with all tokens; sessions end at once. History and audit keep the name.')
    .summary('delete a user')
    .argument('<name>', 'name of the user')
    .option('--json', 'answer the outcome as JSON')
    .addHelpText('after', examples('muster user delete olga'))
    .action(async (name: string, options: Json) => {
      const { deleteUser } = await import('../../../app/users/operations/delete-user.ts');
      const answer = await context.value(deleteUser, { name });
      if (options.json) await context.json(answer);
      else context.note(`User ${answer.name} is deleted.`);
    });

  for (const [word, disabled, done] of [
    ['disable', true, 'may no longer log in'],
    ['enable', false, 'may log in again'],
  ] as const) {
    user
      .command(word)
      .description(
        disabled ? 'Refuse a user from now on, passwords and tokens alike.' : 'Let a disabled user in again.',
      )
      .argument('<name>', 'name of the user')
      .option('--json', 'answer the outcome as JSON')
      .addHelpText('after', examples(`muster user ${word} olga`))
      .action(async (name: string, options: Json) => {
        const { changeUser } = await import('../../../app/users/operations/change-user.ts');
        const answer = await context.value(changeUser, { name, disabled });
        if (options.json) await context.json(answer);
        else context.note(`User ${name} ${done}.`);
      });
  }

  user
    .command('sessions')
    .description('List where a user is logged in at the admin interface.')
    .argument('<name>', 'name of the user')
    .option('--json', 'answer a JSON array of sessions')
    .addHelpText('after', examples('muster user sessions olga'))
    .action(async (name: string, options: Json) => {
      const { showSessions } = await import('./user/sessions.ts');
      await showSessions(context, name, options);
    });

  user
    .command('end-sessions')
    .description('End a session of a user at the admin interface, or all of them, on every node.')
    .argument('<name>', 'name of the user')
    .argument('[session]', 'only this session, as "user sessions" names it')
    .option('--json', 'answer the outcome as JSON')
    .addHelpText('after', examples('muster user end-sessions olga', 'muster user end-sessions olga 3f5a9c0d1e2b'))
    .action(async (name: string, session: string | undefined, options: Json) => {
      const { endSessionsCommand } = await import('./user/sessions.ts');
      await endSessionsCommand(context, name, session, options);
    });

  defineToken(
    user.command('token').description('Create, list and revoke personal API tokens.').helpCommand(false),
    context,
  );
}

/** The role in its spelling of today; a name that is no role is a wrong call, and found out before anybody types a password. */
function knownRole(role: string): string {
  if (isRole(role)) return currentRole(role);
  throw new InvalidArgumentError(`There is no role ${role}; there are ${API_ROLES.join(', ')}.`);
}

function defineToken(token: Command, context: CommandContext): void {
  token.addHelpText(
    'after',
    examples('muster user token create olga --label ci --expires-days 90', 'muster user token list olga'),
  );

  token
    .command('create')
    .description('Make an API token for a user and print it. It is shown this once and never again.')
    .argument('<name>', 'name of the user')
    .requiredOption('--label <text>', 'what the token is for')
    .option(
      '--expires-days <n>',
      'days until it ends, 0 or never for no end; without it as TOKEN_DEFAULT_DAYS says',
      daysOrNever,
    )
    .option('--role <role>', 'carry this role of the user only (may be repeated)', collect)
    .option('--account <name>', 'reach this account only (may be repeated)', collect)
    .option('--read-only', 'refuse everything that changes data')
    .option('--json', 'answer the token as JSON')
    .addHelpText(
      'after',
      examples(
        'muster user token create olga --label ci --expires-days 90',
        'muster user token create olga --label controller --role automation --read-only',
      ),
    )
    .action(async (name: string, options: CreateTokenOptions) => {
      const { createTokenCommand } = await import('./user/tokens.ts');
      await createTokenCommand(context, name, options);
    });

  token
    .command('list')
    .description('List the tokens of a user: prefix, label, end and last use.')
    .argument('<name>', 'name of the user')
    .option('--json', 'answer a JSON array of tokens')
    .addHelpText('after', examples('muster user token list olga'))
    .action(async (name: string, options: Json) => {
      const { showTokens } = await import('./user/tokens.ts');
      await showTokens(context, name, options);
    });

  token
    .command('revoke')
    .description('Take a token back; it stops working at once.')
    .argument('<name>', 'name of the user')
    .argument('<prefix>', 'prefix of the token, as "user token list" shows it')
    .option('--json', 'answer the outcome as JSON')
    .addHelpText('after', examples('muster user token revoke olga muster_Zk3hQ9aB'))
    .action(async (name: string, prefix: string, options: Json) => {
      const { revokeToken } = await import('../../../app/users/operations/revoke-token.ts');
      const answer = await context.value(revokeToken, { name, prefix });
      if (options.json) await context.json(answer);
      else context.note(`Token ${prefix} of ${name} no longer works.`);
    });
}

function daysOrNever(text: string): number {
  return text === 'never' ? 0 : wholeNumber(0, 3650)(text);
}
