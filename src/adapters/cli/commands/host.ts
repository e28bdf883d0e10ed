import { type Command, Option } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';
import { addListOptions, outputOption } from '../list-options.ts';
import { ofFeature } from '../of-feature.ts';
import { collect, collectPairs, wholeNumber } from '../option-values.ts';
import type { BulkOptions } from './host/change-hosts.ts';

/** `muster host list`, which reads page by page, `set`, which reads files, and `relations`, which is several operations. */
export function defineHost(host: Command, context: CommandContext): void {
  ofFeature('search', host)
    .command('list')
    .description('List the hosts, by hostname.')
    .option('--limit <n>', 'at most this many hosts', wholeNumber(0))
    .option('--start <n>', 'skip this many hosts first', wholeNumber(0), 0)
    .option('--account <name>', 'only those of this account')
    .option('--where <query>', 'only those that a query finds: site:fra cpus>=8, seen<2d, NOT role:db')
    .option('--sort <field>', 'by a field, with a minus in front for the other direction')
    .option('--objects', 'objects that are not hosts')
    .option('--archived', 'what is in the archive, and why')
    .option('--columns <fields>', 'these fields of each host: name,account,site,facts.os')
    .addOption(outputOption())
    .option('--json', 'answer a JSON array of host records')
    .addHelpText(
      'after',
      examples(
        'muster host list --limit 20',
        'muster host list --archived',
        "muster host list --where 'site:codfw role:(appserver OR db*) NOT os~buster'",
        "muster host list --where 'seen>7d' --sort seen",
        "muster host list --where 'site:codfw' --columns name,role,seen -o csv > codfw.csv",
        "muster host list --json | jq -r '.[].hostname'",
      ),
    )
    .action(context.lazily(async () => (await import('./host/search-hosts.ts')).searchHostsCommand));

  for (const verb of ['archive', 'restore'] as const) {
    const isArchive = verb === 'archive';
    const command = host.command(verb);
    command
      .description(
        isArchive
          ? 'Archive hosts, so that no import and no API write brings them back. Only "host restore" does. With --where they are shown first, and on a terminal you are asked.'
          : 'Bring archived hosts back as they were: those that are named, that a query finds, or that one import archived. With --where they are shown first, and on a terminal you are asked.',
      )
      .summary(isArchive ? 'archive hosts until they are restored' : 'bring archived hosts back')
      .argument('[hostname...]', 'names of hosts')
      .option('--where <query>', isArchive ? 'all hosts that a query finds' : 'all archived hosts that a query finds')
      .option('--dry-run', 'show which hosts these are, change nothing')
      .option('--yes', 'do not ask')
      .option('--json', 'answer the outcome as JSON')
      .addHelpText(
        'after',
        examples(
          `muster host ${verb} web01.example.org`,
          `muster host ${verb} --where 'site:fra role:web' --dry-run`,
          `muster host ${verb} --where 'seen>90d' --yes`,
          ...(isArchive
            ? []
            : ['muster host restore --run "$(muster run list --kind import --limit 1 -o name)" --dry-run']),
        ),
      )
      .action(async (hostnames: readonly string[], options: BulkOptions) => {
        const { changeHosts } = await import('./host/change-hosts.ts');
        await changeHosts(context, verb, hostnames, options);
      });
    if (!isArchive) {
      command.option('--run <place>', 'all hosts that one import archived; "muster run list" shows the place of a run');
    }
  }

  ofFeature('search', host)
    .command('changes')
    .description(
      'Show what changed at any host, newest first: when, how and by whom. With --since or --follow all that happens behind a cursor, oldest first, as lines of JSON in a pipe.',
    )
    .summary('show what changed at any host, or follow it')
    .option('--where <query>', 'only of hosts that this query finds now, as "host list --where" takes it')
    .option('--field <name>', 'only of this field: a label, labels, inventory, account, archive or hostname')
    .option('--from <time>', 'only since this date or time in UTC')
    .option('--until <time>', 'only until this date or time in UTC')
    .option('--by <whom>', 'only what this caused: account:<name>, user:<name>, rule:<name>')
    .option('--kind <kind>', 'only labels, inventory, archived, restored, account, renamed')
    .option('--limit <n>', 'at most this many changes (default: 50)', wholeNumber(1, 1000))
    .option('--since <cursor>', 'go on behind a cursor; start: as far back as is kept, now: from now on')
    .option('--follow', 'go on until you stop it')
    .option('--json', 'answer a JSON array of changes; lines of JSON with --since or --follow')
    .addHelpText(
      'after',
      examples(
        'muster host changes --from 2026-01-31',
        'muster host changes --by account:datacentre --kind archived',
        "muster host changes --where 'site:fra role:web' --field owner",
        'muster host changes --follow',
        'muster host changes --since start > changes.jsonl',
      ),
    )
    .action(context.lazily(async () => (await import('./host/follow-changes.ts')).changesCommand));

  host
    .command('set')
    .description('Set the labels of a host, creating it when missing. The given labels replace all that the host has.')
    .summary('set the labels of a host')
    .argument('<hostname>', 'name of the host')
    .requiredOption('--account <name>', 'account that the host belongs to')
    .option('--label <key=value>', 'a label as text; key:=value takes JSON (may be repeated)', collectPairs)
    .option('--labels-from <file>', 'JSON object of labels; - reads the standard input')
    .option('--json', 'answer the outcome as JSON')
    .addHelpText(
      'after',
      examples(
        'muster host set web01.example.org --account lab --label os=debian --label cpus:=8',
        'echo \'{"os": "debian"}\' | muster host set web01.example.org --account lab --labels-from -',
      ),
    )
    .action(context.lazily(async () => (await import('./host/set-host.ts')).setHost));

  host
    .command('create')
    .description(
      'Create a host. One that is there already is left alone. Without --account it goes to the account that people and programs write hosts to.',
    )
    .summary('create a host')
    .argument('<hostname>', 'name of the host')
    .option('--account <name>', 'account of type api that keeps the host, if there is more than one')
    .option('--label <key=value>', 'a label as text; key:=value takes JSON (may be repeated)', collectPairs)
    .option('--json', 'answer the outcome as JSON')
    .addHelpText(
      'after',
      examples(
        'muster host create web01.example.org --label os=debian --label cpus:=8',
        'muster host create web01.example.org --account lab',
      ),
    )
    .action(context.lazily(async () => (await import('./host/create-host.ts')).createHostCommand));

  host
    .command('edit')
    .description(
      'Change the labels of a host that people keep: with --set and --unset, or in your editor ($VISUAL, $EDITOR). The differences are shown, and on a terminal you are asked. What someone else changed meanwhile is kept.',
    )
    .summary('change the labels of a host, in your editor or by options')
    .argument('<hostname>', 'name of the host')
    .option('--set <label=value>', 'give a label this text; label:=value takes JSON (may be repeated)', collectPairs)
    .option('--unset <label>', 'remove a label (may be repeated)', collect)
    .option('--dry-run', 'show what would change, change nothing')
    .option('--yes', 'do not ask')
    .option('--json', 'answer the changes as JSON')
    .addHelpText(
      'after',
      examples(
        'muster host edit web01.example.org',
        'muster host edit web01.example.org --set os=debian13 --set cpus:=16 --unset note --yes',
      ),
    )
    .action(context.lazily(async () => (await import('./host/edit-host.ts')).editHostCommand));

  ofFeature('search', host)
    .command('purge')
    .description(
      'Delete hosts for good, with history and relations. This cannot be undone. Only hosts in the archive, unless --include-active is given. They are shown first, and on a terminal you are asked.',
    )
    .summary('delete archived hosts for good')
    .argument('[hostname...]', 'names of hosts')
    .option('--where <query>', 'all archived hosts that a query finds')
    .option('--include-active', 'active hosts too')
    .option('--dry-run', 'show which hosts these are, change nothing')
    .option('--yes', 'do not ask')
    .option('--json', 'answer the outcome as JSON')
    .addHelpText(
      'after',
      examples(
        'muster host purge web01.example.org',
        "muster host purge --where 'archived>90d' --dry-run",
        "muster host purge --where 'account:lab' --include-active --yes",
      ),
    )
    .action(context.lazily(async () => (await import('./host/purge-hosts.ts')).purgeHostsCommand));

  const relations = host
    .command('relations')
    .description('Show, add or remove relations of a host. Needs CMDB_MODE.')
    .summary('show, add or remove relations of a host')
    .argument('<hostname>', 'name of the host')
    .option('--add <type=target>', 'add a relation (may be repeated)', collectPairs)
    .option('--remove <type=target>', 'remove a relation (may be repeated)', collectPairs)
    .addOption(new Option('--source <tag>', 'who says so, for --add').default('manual'));
  addListOptions(relations, ['relation', 'host', 'type', 'source']);
  relations
    .option('--json', 'answer the relations as JSON')
    .addHelpText(
      'after',
      examples(
        'muster host relations web01.example.org',
        'muster host relations web01.example.org --add depends_on=db01.example.org',
      ),
    )
    .action(context.lazily(async () => (await import('./host/relations.ts')).hostRelations));
}
