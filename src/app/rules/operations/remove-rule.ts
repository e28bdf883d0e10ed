import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';
import { requireRule, unknownRule } from '../require-rule.ts';
import { requireStoredType, ruleTypeSchema } from '../rule-type-input.ts';
import { defineOperation } from '../services.ts';
import { namedRules } from '../several-rules.ts';
import { refuseBeyondReach } from '../transfer/account-scope.ts';
import { removeDocuments, waitsSchema } from '../trust/settle-changes.ts';

export const removeRule = defineOperation({
  name: 'rules/remove-rule',
  title: 'Remove rule',
  description: 'Removes one rule. Its history stays, and it can be reverted by its id.',
  effect: 'destructive',
  roles: ['rules'],
  weight: 'light',
  at: {
    command: {
      words: 'rules remove',
      description: 'Remove a rule. "rules revert" brings it back.',
      arguments: {
        rule_type: { shown: '<type>', description: 'ident of its type' },
        rule: { shown: '<rule>', description: 'name or id of the rule' },
      },
      json: 'answer the outcome as JSON',
      examples: ['muster rules remove custom_attributes "Site from hostname"'],
      view: ({ id, waits }, print, { rule }) => {
        print.note(`Removed rule ${rule} with id ${id}.`);
        if (waits) print.note('What it holds back stays so until an administrator confirms the removal.');
      },
    },
    page: true,
  },
  input: z.object({ rule_type: ruleTypeSchema, rule: z.string().min(1).describe('Name or id of the rule') }),
  output: z.object({ status: z.literal('removed'), rule_type: z.string(), id: z.string(), waits: waitsSchema }),
  subject: (input) => `${input.rule_type} ${input.rule}`,
  async run({ rule_type, rule }, { services, caller, actsOn }) {
    const type = await requireStoredType(services, rule_type);
    if (type.id === 'accounts' || type.id === 'users') {
      throw new AppError(
        'invalid_input',
        worded`${{ id: type.id }} are not removed as rules; use the commands of ${{ id: type.id }}`,
      );
    }
    const record = await requireRule(services, caller, type, rule);
    actsOn(namedRules(type, [record]));
    refuseBeyondReach(type, caller);
    const [removed] = await removeDocuments(services, caller, type, [record]);
    if (removed === undefined) throw unknownRule(type, rule);
    return { status: 'removed' as const, rule_type: type.id, id: record.id, ...(removed.waits && { waits: true }) };
  },
});
