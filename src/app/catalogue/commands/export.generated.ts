import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `export …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description:
      'Export the hosts to the target of an account, as the rules of its project make them. A run that fails removes nothing from the target, and makes the command fail.',
    words: 'export',
    arguments: {
      account: {
        shown: '<account>',
        description: 'name of the account',
      },
    },
    options: {
      dry_run: {
        flags: '--dry-run',
        description: 'say what would happen, show how files would begin, and write nothing',
      },
      part: {
        flags: '--part <part>',
        description: 'export one part of the target, where it has several',
      },
    },
    json: 'answer the summary as JSON',
    examples: [
      'muster export everything',
      'muster export everything --dry-run',
      'muster export netbox --part devices',
      'muster export everything --json',
    ],
    async operation() {
      return (await import('./../../runs/export/operations/export-account.ts')).exportAccount;
    },
  },
];
