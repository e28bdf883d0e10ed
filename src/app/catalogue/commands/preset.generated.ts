import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `preset …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description: 'List the presets of known systems, with their parameters.',
    words: 'preset list',
    storage: 'optional',
    columns: ['name', 'type', 'title', 'parameters'],
    json: 'answer the presets as JSON',
    examples: ['muster preset list'],
    async operation() {
      return (await import('./../../accounts/operations/list-presets.ts')).listPresets;
    },
  },
  {
    description:
      'Print a commented preset to start from. Keep it in the folder presets, or presets/targets for a type of targets.',
    words: 'preset new',
    storage: 'optional',
    arguments: {
      name: {
        shown: '<name>',
        description: 'how accounts will call it',
      },
    },
    options: {
      type: {
        flags: '--type <type>',
        description: 'the type of accounts that it is for (default: rest)',
      },
    },
    json: 'answer the text as JSON',
    examples: [
      'muster preset new mycmdb > presets/mycmdb.yaml',
      'muster preset new mycmdb --type rest_target > presets/targets/mycmdb.yaml',
    ],
    async operation() {
      return (await import('./../../accounts/operations/new-preset.ts')).newPreset;
    },
  },
];
