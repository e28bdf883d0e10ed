import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';
import { collectPairs } from '../option-values.ts';
import type { AddAccountOptions, SetAccountOptions } from './account/change-account.ts';

interface Json {
  readonly json?: true;
}

/** `muster account …` */
export function defineAccount(account: Command, context: CommandContext): void {
  account.addHelpText(
    'after',
    examples(
      'muster account add datacentre --type csv --set path=hosts.csv --set hostname_field=host',
      'muster account test datacentre',
      'muster import datacentre',
    ),
  );

  account
    .command('add')
    .description(
      'Create an account: a source that hosts come from, a target that they are exported to, or (type api) a name to write hosts under through the API.',
    )
    .summary('create an account')
    .argument('<name>', 'name of the account')
    .requiredOption('--type <type>', 'api, or the type of a source or target such as csv, json or json_file')
    .option('--set <key=value>', 'a setting or an option of the type (may be repeated)', collectPairs)
    .option('--object', 'the account holds objects instead of hosts')
    .option('--disabled', 'do not use the account yet')
    .option('--password-stdin', 'read the password of the remote system from the standard input')
    .option('--ask-password', 'ask for it on the terminal')
    .option('--json', 'answer the outcome as JSON')
    .addHelpText(
      'after',
      examples(
        'muster account add datacentre --type csv --set path=hosts.csv --set hostname_field=host',
        'muster account add netbox --type json --set path=devices.json --set data_key=results --set hostname_field=name',
        'muster account add everything --type json_file --set path=/srv/hosts.jsonl',
        'muster account add lab --type api',
      ),
    )
    .action(async (name: string, options: AddAccountOptions) => {
      const { addAccountCommand } = await import('./account/change-account.ts');
      await addAccountCommand(context, name, options);
    });

  account
    .command('set')
    .description(
      'Change settings and options of an account. What is not named stays; an empty value takes an option away.',
    )
    .summary('change settings and options of an account')
    .argument('<name>', 'name of the account')
    .option('--set <key=value>', 'a setting or an option of the type (may be repeated)', collectPairs)
    .option('--password-stdin', 'read a new password of the remote system from the standard input')
    .option('--ask-password', 'ask for it on the terminal')
    .option('--json', 'answer the outcome as JSON')
    .addHelpText(
      'after',
      examples(
        'muster account set datacentre --set delete_host_if_not_found_on_import=true',
        'muster account set datacentre --set encoding=',
      ),
    )
    .action(async (name: string, options: SetAccountOptions) => {
      const { setAccountCommand } = await import('./account/change-account.ts');
      await setAccountCommand(context, name, options);
    });

  account
    .command('list')
    .description('List the accounts.')
    .option('--json', 'answer a JSON array of accounts')
    .addHelpText('after', examples('muster account list', 'muster account list --json'))
    .action(async (options: Json) => {
      const { showAccounts } = await import('./account/show-accounts.ts');
      await showAccounts(context, options);
    });

  account
    .command('show')
    .description('Show an account with its options. Secrets are masked.')
    .argument('<name>', 'name of the account')
    .option('--json', 'answer the account as JSON')
    .addHelpText('after', examples('muster account show datacentre'))
    .action(async (name: string, options: Json) => {
      const { showAccountCommand } = await import('./account/show-accounts.ts');
      await showAccountCommand(context, name, options);
    });

  account
    .command('test')
    .description(
      'Read the first three records of an account and show what they would become; of a target, ask it and show the first three hosts that it would get. Stores nothing.',
    )
    .summary('try a source or target and show the first hosts')
    .argument('<name>', 'name of the account')
    .option('--json', 'answer the records as JSON')
    .addHelpText('after', examples('muster account test datacentre'))
    .action(async (name: string, options: Json) => {
      const { testAccountCommand } = await import('./account/test-account.ts');
      await testAccountCommand(context, name, options);
    });

  for (const [word, enabled, done] of [
    ['enable', true, 'is enabled'],
    ['disable', false, 'is disabled: nothing is imported, exported or written through it'],
  ] as const) {
    account
      .command(word)
      .description(
        enabled
          ? 'Use a disabled account again.'
          : 'Stop imports, exports and API writes through an account. Its hosts stay.',
      )
      .argument('<name>', 'name of the account')
      .option('--json', 'answer the outcome as JSON')
      .addHelpText('after', examples(`muster account ${word} datacentre`))
      .action(async (name: string, options: Json) => {
        const { setAccount } = await import('../../../app/accounts/operations/set-account.ts');
        const answer = await context.value(setAccount, { name, enabled });
        if (options.json) await context.json(answer);
        else context.note(`Account ${name} ${done}.`);
      });
  }

  account
    .command('delete')
    .description('Delete an account that nothing uses: no hosts, no other accounts, no rules.')
    .summary('delete an account that nothing uses')
    .argument('<name>', 'name of the account')
    .option('--json', 'answer the outcome as JSON')
    .addHelpText('after', examples('muster account delete lab'))
    .action(async (name: string, options: Json) => {
      const { deleteAccount } = await import('../../../app/accounts/operations/delete-account.ts');
      const answer = await context.value(deleteAccount, { name });
      if (options.json) await context.json(answer);
      else context.note(`Deleted account ${name}.`);
    });
}
