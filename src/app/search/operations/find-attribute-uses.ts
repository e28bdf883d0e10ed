import * as z from 'zod';
import type { RuleType } from '../../../ports/index.ts';
import { compareEnvelopes, readEnvelope } from '../../rules/engine/envelope.ts';
import { isVisible } from '../../rules/require-rule.ts';
import { isHostType, ruleTypeSchema } from '../../rules/rule-type-input.ts';
import { defineOperation } from '../../rules/services.ts';
import { attributeUses, isUseOf } from '../attribute-uses.ts';
import { attributeUsesView } from '../views/attribute-uses.ts';

const MOST = 1000;
const BATCH_SIZE = 250;

export const findAttributeUses = defineOperation({
  name: 'rules/find-attribute-uses',
  title: 'Uses of an attribute',
  description:
    'The rules of all types that read, set or show an attribute, by their conditions, templates and outcomes. Names that templates make are not known.',
  effect: 'read',
  roles: ['rules'],
  weight: 'heavy',
  at: {
    rest: { path: 'GET /rules/uses', query: ['attribute'], errors: ['forbidden'] },
    command: {
      words: 'rules uses',
      description: 'List the rules that read, set or show an attribute, of all types.',
      summary: 'rules that read or set an attribute',
      arguments: { attribute: { shown: '<attribute>', description: 'name of the attribute' } },
      json: 'answer the rules as JSON',
      examples: ['muster rules uses site'],
      view: attributeUsesView,
    },
    tool: { name: 'find_attribute_uses' },
    page: true,
  },
  input: z.object({ attribute: z.string().min(1).max(1000).describe('Name of the attribute') }),
  output: z.object({
    attribute: z.string(),
    rules: z.array(
      z.object({
        rule_type: ruleTypeSchema,
        title: z.string().describe('Title of the type'),
        id: z.string(),
        name: z.string(),
        enabled: z.boolean(),
        uses: z.array(z.object({ use: z.enum(['reads', 'sets', 'shows']), path: z.string() })),
      }),
    ),
    more: z.boolean().describe('True when there are more than these'),
  }),
  subject: ({ attribute }) => attribute,
  async run({ attribute }, { services, caller }) {
    const rules = [];
    for (const type of types(services.plugins.ruleTypes())) {
      const found = [];
      for await (const batch of services.storage.rules.scan(type.id, BATCH_SIZE)) {
        for (const { document, id, name } of batch.filter((record) => isVisible(type, record, caller))) {
          const uses = attributeUses(type, document.value).filter((use) => isUseOf(use, attribute));
          if (uses.length > 0) found.push({ id, name, uses, envelope: readEnvelope(document.value, type) });
        }
      }
      found.sort((a, b) => compareEnvelopes(a.envelope, b.envelope));
      for (const { id, name, uses, envelope } of found) {
        if (rules.length === MOST) return { attribute, rules, more: true };
        rules.push({
          rule_type: type.id,
          title: type.title,
          id,
          name,
          enabled: envelope.enabled,
          uses: uses.map(({ use, path }) => ({ use, path })),
        });
      }
    }
    return { attribute, rules, more: false };
  },
});

/** Types whose documents are not hosts: attributes of hosts are found by a search. */
function types(all: readonly RuleType[]): readonly RuleType[] {
  return all.filter((type) => !isHostType(type) && type.exportGroup === 'rules' && type.kept === undefined);
}
