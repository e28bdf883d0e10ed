import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `playbook …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description: 'Ask the service that runs a playbook, on any node, to end it. It ends within seconds.',
    words: 'playbook cancel',
    summary: 'cancel a run',
    arguments: {
      run: {
        shown: '<run>',
        description: 'id of the run',
      },
    },
    json: 'answer the outcome as JSON',
    examples: ['muster playbook cancel 65a1b2c3d4e5f60718293a4b'],
    async operation() {
      return (await import('./../../runs/playbooks/operations/cancel-run.ts')).cancelPlaybookRun;
    },
  },
  {
    description:
      'Let an imported rule, which was not evaluated yet, run its playbooks for the hosts that it matches already. Without this, what it matches in its first pass counts as fired, because it has fired where it comes from.',
    words: 'playbook fire-existing',
    summary: 'let an imported rule fire for what it matches already',
    arguments: {
      rule: {
        shown: '<rule>',
        description: 'name or id of the rule',
      },
    },
    json: 'answer the rule as JSON',
    examples: ["muster playbook fire-existing 'agent on debian'", 'muster playbook fire --dry-run'],
    async operation() {
      return (await import('./../../runs/playbooks/operations/fire-existing.ts')).fireExistingMatches;
    },
  },
  {
    description:
      'Run the playbooks of rules that begin to match hosts, and exit when they have ended. The job "Fire Playbooks" of a cron group does the same.',
    words: 'playbook fire',
    summary: 'run the playbooks of rules that begin to match',
    options: {
      dry_run: {
        flags: '--dry-run',
        description: 'show what would be run; nothing is run or remembered',
      },
    },
    json: 'answer the runs and what went wrong as JSON',
    examples: ['muster playbook fire --dry-run', 'muster playbook fire'],
    async operation() {
      return (await import('./../../runs/playbooks/operations/fire-playbooks.ts')).firePlaybooks;
    },
  },
  {
    description: 'List the playbooks of the manifest in PLAYBOOK_DIR. Nothing else can be run.',
    words: 'playbook list',
    summary: 'list the playbooks that can be run',
    columns: ['file', 'name', 'inventory', 'description'],
    json: 'answer a JSON array of playbooks',
    examples: ['muster playbook list', "muster playbook list --json | jq -r '.[].file'"],
    async operation() {
      return (await import('./../../runs/playbooks/operations/list-playbooks.ts')).listPlaybooks;
    },
  },
  {
    description: 'List the latest runs of playbooks, newest first.',
    words: 'playbook runs',
    summary: 'list runs of playbooks',
    options: {
      host: {
        flags: '--host <hostname>',
        description: 'only runs for this one host',
      },
      limit: {
        flags: '--limit <n>',
        description: 'how many',
        parse: {
          from: 1,
          to: 1000,
        },
      },
    },
    columns: ['run', 'started', 'status', 'playbook', 'host', 'by', 'message'],
    json: 'answer a JSON array of runs',
    examples: ['muster playbook runs', 'muster playbook runs --host web01.example.org --limit 5'],
    async operation() {
      return (await import('./../../runs/playbooks/operations/list-runs.ts')).listPlaybookRuns;
    },
  },
  {
    description: 'Show one run of a playbook with the end of what it printed.',
    words: 'playbook show',
    summary: 'show a run and its output',
    arguments: {
      run: {
        shown: '<run>',
        description: 'id of the run',
      },
    },
    json: 'answer the run with its output as JSON',
    examples: ['muster playbook show 65a1b2c3d4e5f60718293a4b'],
    async operation() {
      return (await import('./../../runs/playbooks/operations/show-run.ts')).showPlaybookRun;
    },
  },
];
