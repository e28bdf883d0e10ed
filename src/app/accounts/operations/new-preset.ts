import * as z from 'zod';
import { AppError } from '../../../ports/index.ts';
import { defineOperation } from '../services.ts';

export const newPreset = defineOperation({
  name: 'accounts/new-preset',
  title: 'New preset',
  description: 'The text of a preset to start from, with what each of its members means.',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'preset new',
      description: 'Print a commented preset to start from. Keep it in the folder presets.',
      arguments: { name: { shown: '<name>', description: 'how accounts will call it' } },
      json: 'answer the text as JSON',
      examples: ['muster preset new mycmdb > presets/mycmdb.yaml'],
      view: ({ text }, print) => print.result(text),
    },
  },
  input: z.object({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,60}$/, 'must be words in lower case joined by dashes')
      .describe('How accounts will call it'),
    type: z.string().default('rest').describe('The type of accounts that it is for'),
  }),
  output: z.object({ text: z.string() }),
  async run({ name, type }, { services }) {
    const presets = services.plugins.source(type)?.item.presets;
    if (presets === undefined) throw new AppError('invalid_input', `accounts of type ${type} have no presets`);
    return { text: await presets.starter(name) };
  },
});
