import * as z from 'zod';
import { counted } from '../../../kit/words/amounts.ts';
import { defineOperation } from '../services.ts';

export const beginAuditChain = defineOperation({
  name: 'storage/begin-audit-chain',
  title: 'Begin audit chain',
  description:
    'Begins a new chain of the audit log if the instance key of the present one is lost for good. The entries so far stay, but can no longer be verified. Refused while the chain can be continued.',
  effect: 'write',
  roles: ['admin'],
  weight: 'heavy',
  at: {
    command: {
      words: 'storage begin-audit-chain',
      description:
        'Begin a new chain of the audit log where the instance key of the present one is lost for good. Entries so far stay, and can never be verified again: look for the old key first. Refused while the chain can be continued.',
      summary: 'go on with the audit log after the instance key was lost',
      json: 'answer the outcome as JSON',
      examples: ['muster storage begin-audit-chain'],
      view: ({ unverifiable }, print) =>
        print.result(
          unverifiable === 0
            ? 'A new audit chain begins\n'
            : `A new audit chain begins behind ${counted(unverifiable, 'entry', 'entries')} that can no longer be verified`,
        ),
    },
  },
  input: z.object({}),
  output: z.object({
    status: z.literal('begun'),
    unverifiable: z
      .number()
      .int()
      .describe('Place of the last entry before the new chain; those up to it cannot be verified'),
  }),
  subject: () => 'audit log',
  async run(_input, { services }) {
    await services.audit.settled();
    return { status: 'begun' as const, unverifiable: await services.audit.chain.beginAnew() };
  },
});
