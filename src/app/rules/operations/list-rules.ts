import * as z from 'zod';
import { documentSchema } from '../document-schema.ts';
import { requireStoredType, ruleTypeSchema } from '../rule-type-input.ts';
import { defineStreamOperation } from '../services.ts';
import { documentList } from '../transfer/export-documents.ts';

export const listRules = defineStreamOperation({
  name: 'rules/list-rules',
  title: 'Rules of one type',
  description: 'Every rule document of one type, as stored; it can be posted back unchanged.',
  effect: 'read',
  roles: ['rules'],
  weight: 'heavy',
  at: {
    rest: { path: 'GET /rules/:rule_type', errors: ['not_found', 'forbidden'] },
    tool: {
      name: 'export_rules',
      description: 'Every rule document of one type, as stored; create_rule accepts it unchanged.',
    },
    page: true,
  },
  auditsRead: ({ rule_type }, { plugins }) => {
    const type = plugins.ruleType(rule_type);
    return type !== undefined && (type.secretMembers.length > 0 || type.kept !== undefined);
  },
  input: z.object({
    rule_type: ruleTypeSchema,
    start: z.number().int().min(0).default(0).describe('Zero-based offset of the first rule'),
    rules: z.array(z.string().min(1)).max(1000).optional().describe('Names or ids: only these'),
  }),
  output: z.object({ rule_type: z.string(), rules: z.array(documentSchema) }),
  subject: ({ rule_type }) => rule_type,
  async run({ rule_type, start, rules }, { services, caller }) {
    const type = await requireStoredType(services, rule_type);
    async function* body(): AsyncGenerator<string> {
      yield `{"rule_type":${JSON.stringify(type.id)},"rules":`;
      yield* documentList(services, type, caller, { start, only: rules && new Set(rules) });
      yield '}';
    }
    return { mediaType: 'application/json', unchanged: false, body: body() };
  },
});
