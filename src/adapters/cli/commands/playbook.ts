import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';
import { wholeNumber } from '../option-values.ts';
import type { FireOptions } from './playbook/fire-playbooks.ts';
import type { RunOptions } from './playbook/run-playbook.ts';
import type { RunsOptions } from './playbook/show-runs.ts';

interface Json {
  readonly json?: true;
}

/** `muster playbook …` */
export function definePlaybook(playbook: Command, context: CommandContext): void {
  playbook.addHelpText(
    'after',
    examples('muster playbook list', 'muster playbook run agent.yml --host web01.example.org', 'muster playbook fire'),
  );

  playbook
    .command('list')
    .description('List the playbooks of the manifest in PLAYBOOK_DIR. Nothing else can be run.')
    .summary('list the playbooks that can be run')
    .option('--json', 'answer a JSON array of playbooks')
    .addHelpText('after', examples('muster playbook list', "muster playbook list --json | jq -r '.[].file'"))
    .action(async (options: Json) => {
      const { listPlaybooksCommand } = await import('./playbook/list-playbooks.ts');
      await listPlaybooksCommand(context, options);
    });

  playbook
    .command('run')
    .description(
      'Run a playbook of the manifest, show what it prints, and fail when it fails. Without --host it runs for the whole inventory.',
    )
    .summary('run a playbook')
    .argument('<playbook>', 'its file, or its name')
    .option('--host <hostname>', 'run it for this host only')
    .option('--provider <provider>', 'run it with this inventory; see "muster inventory-providers"')
    .option('--check', 'only show what it would change')
    .option('--extra-vars <variables>', 'further variables: a JSON object, or name=value pairs')
    .option('--json', 'answer the run as JSON; what the playbook prints goes to the error stream')
    .addHelpText(
      'after',
      examples(
        'muster playbook run cleanup_versions.yml --check',
        'muster playbook run agent.yml --host web01.example.org --extra-vars \'{"release": "2.4"}\'',
      ),
    )
    .action(async (file: string, options: RunOptions) => {
      const { runPlaybookCommand } = await import('./playbook/run-playbook.ts');
      await runPlaybookCommand(context, file, options);
    });

  playbook
    .command('fire')
    .description(
      'Run the playbooks of rules that begin to match hosts, and exit when they have ended. The job "Fire Playbooks" of a cron group does the same.',
    )
    .summary('run the playbooks of rules that begin to match')
    .option('--dry-run', 'show what would be run; nothing is run or remembered')
    .option('--json', 'answer the runs and what went wrong as JSON')
    .addHelpText('after', examples('muster playbook fire --dry-run', 'muster playbook fire'))
    .action(async (options: FireOptions) => {
      const { firePlaybooksCommand } = await import('./playbook/fire-playbooks.ts');
      await firePlaybooksCommand(context, options);
    });

  playbook
    .command('runs')
    .description('List the latest runs of playbooks, newest first.')
    .summary('list runs of playbooks')
    .option('--host <hostname>', 'only runs for this one host')
    .option('--limit <n>', 'how many', wholeNumber(1, 1000))
    .option('--json', 'answer a JSON array of runs')
    .addHelpText('after', examples('muster playbook runs', 'muster playbook runs --host web01.example.org --limit 5'))
    .action(async (options: RunsOptions) => {
      const { listRunsCommand } = await import('./playbook/show-runs.ts');
      await listRunsCommand(context, options);
    });

  playbook
    .command('show')
    .description('Show one run of a playbook with the end of what it printed.')
    .summary('show a run and its output')
    .argument('<run>', 'id of the run')
    .option('--json', 'answer the run with its output as JSON')
    .addHelpText('after', examples('muster playbook show 65a1b2c3d4e5f60718293a4b'))
    .action(async (run: string, options: Json) => {
      const { showRunCommand } = await import('./playbook/show-runs.ts');
      await showRunCommand(context, run, options);
    });

  playbook
    .command('cancel')
    .description('Ask whoever runs a playbook, on whatever node, to end it. It ends within seconds.')
    .summary('cancel a run')
    .argument('<run>', 'id of the run')
    .option('--json', 'answer the outcome as JSON')
    .addHelpText('after', examples('muster playbook cancel 65a1b2c3d4e5f60718293a4b'))
    .action(async (run: string, options: Json) => {
      const { cancelRunCommand } = await import('./playbook/show-runs.ts');
      await cancelRunCommand(context, run, options);
    });
}
