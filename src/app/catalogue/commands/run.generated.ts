import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `run …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description:
      'Ask a running import, export or plan to stop. What was written until then stays; nothing is archived.',
    words: 'run cancel',
    summary: 'cancel what runs now',
    arguments: {
      run: {
        shown: '<run>',
        description: 'id of the run, which "muster run active" says',
      },
    },
    json: 'answer the run as JSON',
    examples: ['muster run cancel 65a1b2c3d4e5f60718293a4b'],
    async operation() {
      return (await import('./../../runs/active/operations/cancel-active-run.ts')).cancelActiveRun;
    },
  },
  {
    description: 'List imports, exports and plans that run now, on all nodes and in all commands.',
    words: 'run active',
    summary: 'list what runs now',
    columns: ['run', 'started', 'what', 'account', 'by', 'progress'],
    json: 'answer a JSON array of runs',
    examples: ['muster run active'],
    async operation() {
      return (await import('./../../runs/active/operations/list-active-runs.ts')).listActiveRuns;
    },
  },
  {
    description: 'List imports, exports, plans, cron groups and playbooks that ran, newest first.',
    words: 'run list',
    summary: 'list what ran',
    options: {
      kind: {
        flags: '--kind <kind>',
        description: 'only import, export, plan, cron, playbook',
      },
      account: {
        flags: '--account <name>',
        description: 'only runs of this account',
      },
      outcome: {
        flags: '--outcome <outcome>',
        description: 'only done, partial, failed, cancelled, undone, waiting, discarded, running',
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
    columns: ['when', 'what', 'of', 'outcome', 'message', 'place'],
    json: 'answer a JSON array of runs',
    examples: ['muster run list --outcome failed', 'muster run list --account datacentre --kind import --json'],
    async operation() {
      return (await import('./../../runs/past/operations/list-runs.ts')).listRuns;
    },
  },
  {
    description: 'Show an import, an export or a run of a cron group that ended, with what the log says of it.',
    words: 'run show',
    summary: 'show what ran',
    arguments: {
      place: {
        shown: '<place>',
        description: 'place of the run, as "run list" shows it',
      },
    },
    json: 'answer the run as JSON',
    examples: ['muster run show 1767225600000-6956d2a07b8e4f2a9c0d1e2f'],
    async operation() {
      return (await import('./../../runs/past/operations/show-run.ts')).showRun;
    },
  },
  {
    description:
      'Take back what an import did to hosts: labels, sections, owner and names are as before it, hosts that it created are archived, those that it archived are restored. A host that something else changed since is left alone and named.',
    words: 'run undo',
    summary: 'take back what an import did',
    arguments: {
      place: {
        shown: '<place>',
        description: 'place of the run, as "run list" shows it',
      },
    },
    options: {
      dry_run: {
        flags: '--dry-run',
        description: 'show what would be taken back, change nothing',
      },
      only_archived: {
        flags: '--only-archived',
        description: 'only restore the hosts that it archived',
      },
    },
    json: 'answer the outcome as JSON',
    examples: [
      'place=$(muster run list --kind import --limit 1 -o name)',
      'muster run undo "$place" --dry-run',
      'muster run undo "$place"',
      'muster run undo "$place" --only-archived',
    ],
    async operation() {
      return (await import('./../../runs/undo/operations/undo-run.ts')).undoImport;
    },
  },
];
