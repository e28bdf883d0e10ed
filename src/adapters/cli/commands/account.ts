import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';
import { collectPairs } from '../option-values.ts';

/** `muster account add` and `set`, which ask for passwords. */
export function defineAccount(account: Command, context: CommandContext): void {
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
    .option(
      '--password-from <reference>',
      'where the password is kept instead of here, such as vault:secret/data/netbox#token',
    )
    .option('--set-from <option=reference>', 'where this option of the type is kept (may be repeated)', collectPairs)
    .option('--set-stdin <option>', 'read this option of the type from the standard input, such as a token')
    .option('--ask-password', 'ask for it on the terminal')
    .option('--json', 'answer the outcome as JSON')
    .addHelpText(
      'after',
      examples(
        'muster account add datacentre --type csv --set path=hosts.csv --set hostname_field=host',
        'muster account add netbox --type json --set path=devices.json --set data_key=results --set hostname_field=name',
        'muster account add everything --type json_file --set path=/srv/hosts.jsonl',
        'muster account add netbox --type netbox --set url=https://netbox.example.org --set-from token=file:netbox-token',
        'muster account add lab --type api',
      ),
    )
    .action(context.lazily(async () => (await import('./account/change-account.ts')).addAccountCommand));

  account
    .command('set')
    .description(
      'Change settings and options of an account. What is not named stays; an empty value removes an option.',
    )
    .summary('change settings and options of an account')
    .argument('<name>', 'name of the account')
    .option('--set <key=value>', 'a setting or an option of the type (may be repeated)', collectPairs)
    .option('--password-stdin', 'read a new password of the remote system from the standard input')
    .option(
      '--password-from <reference>',
      'where the password is kept instead of here, such as vault:secret/data/netbox#token',
    )
    .option('--set-from <option=reference>', 'where this option of the type is kept (may be repeated)', collectPairs)
    .option('--set-stdin <option>', 'read this option of the type from the standard input, such as a token')
    .option('--ask-password', 'ask for it on the terminal')
    .option('--json', 'answer the outcome as JSON')
    .addHelpText(
      'after',
      examples(
        'muster account set datacentre --set delete_host_if_not_found_on_import=true',
        'muster account set datacentre --set encoding=',
        'muster account set cmdb --password-from vault:secret/data/cmdb#password',
      ),
    )
    .action(context.lazily(async () => (await import('./account/change-account.ts')).setAccountCommand));
}
