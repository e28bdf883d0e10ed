import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `published …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description: 'List the files that the exports of an account publish.',
    words: 'published list',
    summary: 'list published files',
    arguments: {
      account: {
        shown: '<account>',
        description: 'name of the account',
      },
    },
    columns: ['file', 'bytes', 'published'],
    json: 'answer a JSON array of files',
    examples: ['muster published list prometheus'],
    async operation() {
      return (await import('./../../runs/export/operations/list-published.ts')).listPublished;
    },
  },
  {
    description: 'Print a file that the exports of an account publish, as programs read it.',
    words: 'published show',
    summary: 'print a published file',
    arguments: {
      account: {
        shown: '<account>',
        description: 'name of the account',
      },
      file: {
        shown: '<file>',
        description: 'name of the file, as "muster published list" shows it',
      },
    },
    fixed: {
      limit: 1000000000,
    },
    json: 'answer the file and its text as JSON',
    examples: ['muster published show prometheus targets.json'],
    async operation() {
      return (await import('./../../runs/export/operations/show-published.ts')).showPublished;
    },
  },
];
