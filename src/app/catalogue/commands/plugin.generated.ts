import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `plugin …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description: 'List what plugins offer to do. "muster plugin run" does it.',
    words: 'plugin actions',
    columns: ['plugin', 'action', 'effect', 'description'],
    json: 'answer the actions as JSON',
    examples: ['muster plugin actions'],
    async operation() {
      return (await import('./../../extensions/operations/list-actions.ts')).listActions;
    },
  },
];
