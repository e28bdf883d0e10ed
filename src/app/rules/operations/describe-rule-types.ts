import * as z from 'zod';
import { flag } from '../../../kit/options/values.ts';
import type { RuleType } from '../../../ports/index.ts';
import { type Caller, hostScopeOf, isRestricted } from '../../kernel/caller.ts';
import { RULE_STAGES } from '../../kernel/plugin-host/rule-stages.ts';
import { documentSchema } from '../document-schema.ts';
import { hidesDocuments, isVisible } from '../require-rule.ts';
import { isHostType } from '../rule-type-input.ts';
import type { RuleServices } from '../services.ts';
import { defineOperation } from '../services.ts';
import { reachRefusal } from '../transfer/account-scope.ts';
import { unknownRuleType, unknownTypes } from '../unknown-types.ts';

export const describeRuleTypes = defineOperation({
  name: 'rules/describe-rule-types',
  title: 'Rule types in detail',
  description:
    'All rule types with what they are for, the schema of their documents, and how many documents there are.',
  effect: 'read',
  roles: ['rules'],
  weight: 'light',
  at: { page: true },
  input: z.object({
    schemas: flag().default(true).describe('False omits the schemas of documents, which are most of the answer'),
  }),
  output: z.object({
    hosts: z.number().int().describe('Active hosts that the rules run over'),
    types: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        description: z.string(),
        rules: z.number().int(),
        keyed_by: z.string().describe('The member that names a document'),
        kept: z
          .object({ system: z.string(), reason: z.string().describe('Words that follow "its documents"') })
          .nullable()
          .describe(
            'The future feature that documents without effect are kept for; null for types that have an effect',
          ),
        unique_names: z.boolean(),
        group: z
          .object({ title: z.string() })
          .nullable()
          .describe('Purpose of the documents, as a heading; null for types of other plugins'),
        switched: z.boolean().describe('Whether it matters that a document is enabled'),
        conditional: z.boolean().describe('Whether documents have conditions and outcomes'),
        export_group: z.enum(['rules', 'hosts', 'accounts', 'users', 'passwords']),
        stage: z
          .enum(RULE_STAGES)
          .nullable()
          .describe('When a host passes rules of the type; null when they do not run over hosts'),
        target: z
          .string()
          .nullable()
          .describe('The type of targets that the rules are for; null when they are for every inventory and export'),
        schema: documentSchema.describe('JSON Schema of the members beyond the envelope; empty if not requested'),
        refusal: z
          .string()
          .nullable()
          .describe('Why the caller, who is restricted, cannot write documents of the type; null when they can'),
        secret_members: z.array(z.string()),
      }),
    ),
  }),
  async run({ schemas }, { services, caller }) {
    const { storage, plugins } = services;
    const counts = await storage.rules.counts();
    const hosts = await storage.hosts.count({ scope: hostScopeOf(caller), kind: 'hosts', state: 'active' });
    const types = [];
    const unknown = isRestricted(caller) ? [] : await unknownTypes(storage, plugins);
    const all = [...plugins.ruleTypes(), ...unknown.map(({ ident }) => unknownRuleType(ident))];
    for (const type of all.toSorted((a, b) => placeOf(a) - placeOf(b))) {
      types.push({
        id: type.id,
        title: type.title,
        description: type.description,
        rules: await visibleCount(services, caller, type, counts),
        keyed_by: type.keyedBy,
        kept: type.kept ?? null,
        unique_names: type.uniqueNames,
        group: type.group === undefined ? null : { title: type.group },
        switched: type.switched !== false && type.kept === undefined,
        conditional: type.conditional,
        export_group: type.exportGroup,
        stage: type.evaluation?.stage ?? null,
        target: type.evaluation?.target ?? null,
        schema: schemas ? type.schema : {},
        refusal: reachRefusal(type, caller)?.text ?? null,
        secret_members: [...type.secretMembers],
      });
    }
    return { hosts, types };
  },
});

async function visibleCount(
  { storage }: RuleServices,
  caller: Caller,
  type: RuleType,
  counts: ReadonlyMap<string, number>,
): Promise<number> {
  if (isHostType(type)) return storage.hosts.count({ scope: hostScopeOf(caller), kind: 'all', state: 'any' });
  if (!isRestricted(caller) || !hidesDocuments(type)) return counts.get(type.id) ?? 0;
  return (await storage.rules.list(type.id)).filter((record) => isVisible(type, record, caller)).length;
}

/** Headings of built-in types, in the order in which a host passes them; those of other plugins follow. */
const GROUPS: readonly (string | undefined)[] = [
  'For every consumer',
  'Inventory of a project',
  'Automation',
  'Monitoring',
  'Kept with the rules',
];

/** Types of a group are in the order of their stages. */
function placeOf({ group, evaluation }: RuleType): number {
  const index = GROUPS.indexOf(group);
  const stage = evaluation === undefined ? 0 : 1 + RULE_STAGES.indexOf(evaluation.stage);
  return (index === -1 ? GROUPS.length : index) * (RULE_STAGES.length + 1) + stage;
}
