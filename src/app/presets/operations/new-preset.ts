import * as z from 'zod';
import { phrase, worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';
import { defineOperation } from '../../accounts/services.ts';
import { presetTypes } from '../preset-types.ts';

/** A command only: its answer is the beginning of a file, and only users of the machine have a folder for it. */
export const newPreset = defineOperation({
  name: 'accounts/new-preset',
  title: 'New preset',
  description: 'The text of a preset to start from, with what each of its members means.',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  at: {
    remote: true,
    command: {
      words: 'preset new',
      storage: 'optional',
      description:
        'Print a commented preset to start from. Keep it in the folder presets, or presets/targets for a type of targets.',
      arguments: { name: { shown: '<name>', description: 'how accounts will call it' } },
      options: { type: { flags: '--type <type>', description: 'the type of accounts that it is for (default: rest)' } },
      json: 'answer the text as JSON',
      examples: [
        'muster preset new mycmdb > presets/mycmdb.yaml',
        'muster preset new mycmdb --type rest_target > presets/targets/mycmdb.yaml',
      ],
      view: ({ text }, print) => print.result(text),
    },
  },
  input: z.object({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,60}$/, phrase`must be words in lower case joined by dashes`)
      .describe('How accounts will call it'),
    type: z.string().default('rest').describe('The type of accounts that it is for'),
  }),
  output: z.object({ text: z.string() }),
  async run({ name, type }, { services }) {
    const types = presetTypes(services);
    const presets = types.get(type);
    if (presets === undefined) {
      const known = [...types.keys()].join(', ');
      throw new AppError(
        'invalid_input',
        worded`accounts of type ${{ type }} have no presets; those of these types have: ${{ known }}`,
      );
    }
    return { text: await presets.starter(name) };
  },
});
