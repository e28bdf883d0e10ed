import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { counted } from '../../../kit/words/amounts.ts';
import { AppError } from '../../../ports/index.ts';
import { defineOperation } from '../../rules/services.ts';
import { removeDocuments } from '../../rules/settle-changes.ts';
import { unknownRuleType } from '../../rules/unknown-types.ts';
import { untouchedByAutorules } from '../autorules-pass.ts';

export const undoAutorules = defineOperation({
  name: 'rules/undo-autorules',
  title: 'Undo a run of autorules',
  description:
    'Removes the rules that one run of autorules made. Rules that were changed since stay; each removed one can be restored.',
  effect: 'destructive',
  roles: ['rules'],
  acrossAccounts: true,
  weight: 'heavy',
  at: {
    rest: { path: 'POST /rules/autorules/undo', body: 'required', errors: ['not_found', 'forbidden'] },
    command: {
      words: 'rules autorules undo',
      description: 'Remove the rules that one run of autorules made, but those that were changed since.',
      summary: 'remove what a run of autorules made',
      arguments: {
        began_at: { shown: '<began>', description: 'when the run began, as "rules autorules list" shows it' },
      },
      json: 'answer the outcome as JSON',
      examples: ['muster rules autorules undo 2026-03-01T08:00:00.000Z'],
      view: ({ removed }, print) => print.note(`Removed ${counted(removed, 'rule')}.`),
    },
    page: true,
  },
  input: z.object({
    began_at: z.iso.datetime().describe('When the run began, to the millisecond'),
  }),
  output: z.object({ status: z.literal('removed'), removed: z.number().int() }),
  subject: ({ began_at }) => began_at,
  async run({ began_at }, { services, caller, signal, progress }) {
    const { storage, plugins } = services;
    const wanted = Date.parse(began_at);
    let removed = 0;
    for await (const batch of untouchedByAutorules(storage)) {
      for (const { type, id } of batch.filter(({ at }) => at.getTime() === wanted)) {
        signal.throwIfAborted();
        const record = await storage.rules.get(type, id);
        if (record === undefined) continue;
        const known = plugins.ruleType(type) ?? unknownRuleType(type);
        removed += (await removeDocuments(services, caller, known, [record])).length;
      }
      progress({ done: removed, unit: 'rules' });
    }
    if (removed > 0) return { status: 'removed' as const, removed };
    throw new AppError('not_found', worded`no rule is left as a run of autorules at ${{ began_at }} made it`);
  },
});
