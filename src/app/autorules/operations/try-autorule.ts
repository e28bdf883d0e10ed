import * as z from 'zod';
import { AUTORULES } from '../../../kit/document/autorule-condition.ts';
import { documentSchema } from '../../rules/document-schema.ts';
import { requireDocumentType } from '../../rules/require-rule.ts';
import { defineOperation } from '../../rules/services.ts';
import { triedDocument } from '../../rules/transfer/tried-document.ts';
import { runAutorulesPass } from '../autorules-pass.ts';
import { autorulesPreview, wordedPreviewSchema } from '../autorules-preview.ts';

/** The user is typing: an inexact count is better than a late one. */
const TIMEOUT_MS = 4000;

export const tryAutorule = defineOperation({
  name: 'rules/try-autorule',
  title: 'Try autorule',
  description:
    'Shows the rules that an autorule would make if it were the only one, stored and enabled. Stores nothing.',
  effect: 'read',
  roles: ['rules'],
  acrossAccounts: true,
  weight: 'preview',
  at: { page: true },
  input: z.object({ document: documentSchema }),
  output: wordedPreviewSchema.extend({
    is_exact: z.boolean().describe('False when time ran out before all hosts were looked at'),
  }),
  async run({ document: given }, { services, caller, signal, progress }) {
    const type = requireDocumentType(services, AUTORULES);
    const document = await triedDocument(services, caller, type, given, '');
    const pass = await runAutorulesPass(services, {
      signal,
      verbose: false,
      preview: true,
      tried: { ...document, enabled: true },
      endsAt: Date.now() + TIMEOUT_MS,
      progress,
    });
    return { ...autorulesPreview(services, caller, pass), is_exact: pass.isWhole };
  },
});
