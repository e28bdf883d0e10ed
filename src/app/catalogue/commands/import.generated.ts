import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `import …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description:
      'Import the hosts of an account. A source that cannot be read to its end, or has nothing, archives no host and makes the command fail.',
    words: 'import',
    arguments: {
      account: {
        shown: '<account>',
        description: 'name of the account',
      },
    },
    options: {
      dry_run: {
        flags: '--dry-run',
        description: 'count what would happen and write nothing',
      },
      diff: {
        flags: '--diff',
        description: 'with --dry-run: show what would change in each host',
      },
      part: {
        flags: '--part <part>',
        description: 'read one part of the source, where it has several',
      },
      full: {
        flags: '--full',
        description: 'read everything, also where the account reads only what changed',
      },
      inventorize: {
        flags: '--inventorize',
        description: 'fill the inventory section inventorize_key of hosts that exist, and create no host',
      },
    },
    json: 'answer the summary as JSON',
    examples: [
      'muster import datacentre',
      'muster import datacentre --dry-run --diff',
      'muster import datacentre --json',
    ],
    async operation() {
      return (await import('./../../runs/import/operations/import-account.ts')).importAccount;
    },
  },
];
