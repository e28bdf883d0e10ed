import * as z from 'zod';
import { secondName } from '../../kernel/operation.ts';
import { requireStoredDocumentType, unknownRule } from '../require-rule.ts';
import { ruleTypeSchema } from '../rule-type-input.ts';
import { defineOperation } from '../services.ts';
import { removeDocuments, waitsSchema } from '../settle-changes.ts';
import { namedRules, refuseOwnCommands, requireRules, severalRules, subjectOf } from '../several-rules.ts';
import { refuseBeyondReach } from '../transfer/account-scope.ts';

export const removeRules = defineOperation({
  name: 'rules/remove-rules',
  title: 'Remove rules',
  description: 'Removes rules of one type. Their history stays, and each can be reverted by its id.',
  effect: 'destructive',
  roles: ['rules'],
  weight: 'light',
  at: {
    rest: { path: 'POST /rules/:rule_type/remove', body: 'required', errors: ['not_found', 'forbidden', 'conflict'] },
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

export const removeRule = secondName(removeRules, {
  name: 'rules/remove-rule',
  title: 'Remove rule',
  description: 'Removes one rule. Its history stays, and it can be reverted by its id.',
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
        if (waits) print.note('Changes that it holds back stay held back until an administrator confirms the removal.');
      },
    },
    page: true,
  },
  input: z.object({ rule_type: ruleTypeSchema, rule: z.string().min(1).describe('Name or id of the rule') }),
  output: z.object({ status: z.literal('removed'), rule_type: z.string(), id: z.string(), waits: waitsSchema }),
  subject: ({ rule_type, rule }) => `${rule_type} ${rule}`,
  becomes: ({ rule_type, rule }) => ({ rule_type, rules: [rule] }),
  answers({ rule_type, removed: [removed] }, { rule }) {
    if (removed === undefined) throw unknownRule({ id: rule_type }, rule);
    const { id, waits } = removed;
    return { status: 'removed' as const, rule_type, id, ...(waits && { waits }) };
  },
});
