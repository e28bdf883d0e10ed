import * as z from 'zod';
import { counted } from '../../../kit/words/amounts.ts';
import { readEnvelope } from '../engine/envelope.ts';
import { requireStoredDocumentType } from '../require-rule.ts';
import { ruleTypeSchema } from '../rule-type-input.ts';
import { defineOperation } from '../services.ts';
import { firstOf, namedRule, requireRules, severalRules } from '../several-rules.ts';
import { refuseBeyondReach } from '../transfer/account-scope.ts';
import { setMember } from '../transfer/store-document.ts';

const RULES = {
  rule_type: { shown: '<type>', description: 'ident of their type' },
  rules: { shown: '<rule...>', description: 'names or ids of the rules' },
} as const;

export const switchRules = defineOperation({
  name: 'rules/switch-rules',
  title: 'Enable or disable rules',
  description: 'Enables or disables rules of one type, and changes nothing else in them.',
  effect: 'write',
  roles: ['rules'],
  weight: 'light',
  at: {
    rest: { path: 'POST /rules/:rule_type/enabled', body: 'required', errors: ['not_found', 'forbidden', 'conflict'] },
    command: [
      {
        words: 'rules enable',
        description: 'Enable rules of one type.',
        arguments: RULES,
        fixed: { enabled: true },
        json: 'answer the outcome as JSON',
        examples: ['muster rules enable custom_attributes "Site from hostname"'],
        view: ({ changed }, print) => print.note(`Enabled ${counted(changed.length, 'rule')}.`),
      },
      {
        words: 'rules disable',
        description: 'Disable rules of one type.',
        arguments: RULES,
        fixed: { enabled: false },
        json: 'answer the outcome as JSON',
        examples: ['muster rules disable custom_attributes "Site from hostname"'],
        view: ({ changed }, print) => print.note(`Disabled ${counted(changed.length, 'rule')}.`),
      },
    ],
    page: true,
  },
  input: z.object({ rule_type: ruleTypeSchema, rules: severalRules, enabled: z.boolean() }),
  output: z.object({
    rule_type: z.string(),
    enabled: z.boolean(),
    changed: z.array(z.string()).describe('Ids of the rules that were not so before'),
  }),
  subject: ({ rule_type, rules, enabled }) => switched(rule_type, enabled, rules),
  async run({ rule_type, rules, enabled }, { services, caller, signal, actsOn }) {
    const type = await requireStoredDocumentType(services, rule_type);
    const records = await requireRules(services, caller, type, rules);
    actsOn(switched(type.id, enabled, records.map(namedRule)));
    refuseBeyondReach(type, caller);
    const changed: string[] = [];
    for (const record of records) {
      signal.throwIfAborted();
      if (readEnvelope(record.document.value, type).enabled === enabled) continue;
      await setMember(services, caller, type, record, 'enabled', enabled);
      changed.push(record.id);
    }
    return { rule_type: type.id, enabled, changed };
  },
});

/** For the audit log. */
function switched(type: string, enabled: boolean, rules: readonly string[]): string {
  return `${type} ${enabled ? 'enabled' : 'disabled'}: ${firstOf(rules)}`;
}
