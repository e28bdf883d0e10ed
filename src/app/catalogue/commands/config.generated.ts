import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `config …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description:
      'Show every configuration key: its value, where that came from (default, file, variable or option), and what it is for.',
    words: 'config show',
    summary: 'show every key, its value and where that came from',
    storage: 'unused',
    columns: ['key', 'value', 'from', 'what_for'],
    json: 'answer a JSON array of keys',
    examples: ['muster config show', 'SERVICE_HTTP_PORT=9000 muster config show --json'],
    async operation() {
      return (await import('./../../maintenance/operations/show-config.ts')).showConfig;
    },
  },
];
