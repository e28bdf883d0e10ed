import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';

/** `muster playbook run`, which shows the output of the playbook. */
export function definePlaybook(playbook: Command, context: CommandContext): void {
  playbook
    .command('run')
    .description(
      'Run a playbook of the manifest, show what it prints, and fail when it fails. Without --host, --search or --group it runs for the whole inventory.',
    )
    .summary('run a playbook')
    .argument('<playbook>', 'its file, or its name')
    .option('--host <hostname>', 'run it for this host only')
    .option('--search <search>', 'run it for the hosts of the inventory that this search finds')
    .option('--group <group>', 'run it for the hosts in this group of the inventory')
    .option('--provider <provider>', 'run it with this inventory; see "muster inventory-providers"')
    .option('--check', 'only show what it would change')
    .option('--extra-vars <variables>', 'further variables: a JSON object, or name=value pairs')
    .option('--json', 'answer the run as JSON; what the playbook prints goes to the error stream')
    .addHelpText(
      'after',
      examples(
        'muster playbook run cleanup_versions.yml --check',
        "muster playbook run agent.yml --search 'rack:R04 os:debian' --check",
        'muster playbook run agent.yml --host web01.example.org --extra-vars \'{"release": "2.4"}\'',
      ),
    )
    .action(context.lazily(async () => (await import('./playbook/run-playbook.ts')).runPlaybookCommand));
}
