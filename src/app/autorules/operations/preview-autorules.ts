import * as z from 'zod';
import { defineOperation } from '../../rules/services.ts';
import { runAutorulesPass } from '../autorules-pass.ts';
import { autorulesPreview, autorulesPreviewSchema, wordedPreviewSchema } from '../autorules-preview.ts';
import { autorulesPreviewView } from '../views/autorules.ts';

export const previewAutorules = defineOperation({
  name: 'rules/preview-autorules',
  title: 'Preview of autorules',
  description: 'How many rules autorules would make now, and the first of them. Stores nothing.',
  effect: 'read',
  roles: ['rules'],
  acrossAccounts: true,
  weight: 'heavy',
  at: {
    rest: {
      path: 'GET /rules/autorules/preview',
      query: ['autorule'],
      output: autorulesPreviewSchema,
      errors: ['failed', 'not_found', 'forbidden'],
    },
    command: {
      words: 'rules autorules preview',
      description: 'Show which rules autorules would make now. Stores nothing.',
      summary: 'show which rules autorules would make',
      arguments: { autorule: { shown: '[autorule]', description: 'only this one, by name or id' } },
      json: 'answer the preview as JSON',
      examples: ['muster rules autorules preview', 'muster rules autorules preview "Site rules"'],
      view: autorulesPreviewView,
    },
    page: true,
  },
  input: z.object({
    autorule: z.string().min(1).optional().describe('Name or id of the only autorule to look at; absent: all of them'),
  }),
  output: wordedPreviewSchema,
  async run({ autorule }, { services, caller, signal, progress }) {
    return autorulesPreview(
      services,
      caller,
      await runAutorulesPass(services, { signal, verbose: false, preview: true, autorule, progress }),
    );
  },
});
