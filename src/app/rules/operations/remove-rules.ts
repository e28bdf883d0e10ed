import * as z from 'zod';
import { requireStoredDocumentType } from '../require-rule.ts';
import { ruleTypeSchema } from '../rule-type-input.ts';
import { defineOperation } from '../services.ts';
import { namedRules, refuseOwnCommands, requireRules, severalRules, subjectOf } from '../several-rules.ts';
import { refuseBeyondReach } from '../transfer/account-scope.ts';
import { removeDocuments, waitsSchema } from '../trust/settle-changes.ts';

export const removeRules = defineOperation({
  name: 'rules/remove-rules',
  title: 'Remove rules',
  description: 'Removes rules of one type. Their history stays, and each can be reverted by its id.',
  effect: 'destructive',
  roles: ['rules'],
  weight: 'light',
  at: {
    rest: { path: 'POST /rules/:rule_type/remove', body: 'required', errors: ['not_found', 'forbidden'] },
    page: true,
  },
  input: z.object({ rule_type: ruleTypeSchema, rules: severalRules }),
  output: z.object({
    rule_type: z.string(),
    removed: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        version: z.number().int().describe('The version to which the rule can be reverted'),
        waits: waitsSchema,
      }),
    ),
  }),
  subject: (input) => subjectOf(input),
  async run({ rule_type, rules }, { services, caller, signal, actsOn }) {
    const type = await requireStoredDocumentType(services, rule_type);
    refuseOwnCommands(type, 'removed');
    const records = await requireRules(services, caller, type, rules);
    actsOn(namedRules(type, records));
    refuseBeyondReach(type, caller);
    const removed = await removeDocuments(services, caller, type, records, signal);
    return {
      rule_type: type.id,
      removed: removed.map(({ record: { id, name, version }, waits }) => ({
        ...{ id, name, version },
        ...(waits && { waits }),
      })),
    };
  },
});
