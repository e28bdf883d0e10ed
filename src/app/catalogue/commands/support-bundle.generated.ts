import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `support-bundle …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description:
      'Print what support needs to help you, as JSON: versions, changed configuration, findings of doctor, plugins, sizes, errors of the log. It has no secrets, and names accounts, rules and hosts: read it before you send it.',
    words: 'support-bundle',
    summary: 'print what support needs to help you',
    json: 'answer it as JSON on one line',
    examples: ['muster support-bundle > support.json'],
    async operation() {
      return (await import('./../../maintenance/operations/support-bundle.ts')).supportBundle;
    },
  },
];
