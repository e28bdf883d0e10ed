import * as z from 'zod';
import { saidAt, worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';
import { withCounted } from '../counted-members.ts';
import { requireStoredType, ruleTypeSchema } from '../rule-type-input.ts';
import { ALL_VERSIONS } from '../secrets/all-versions.ts';
import { defineOperation } from '../services.ts';
import { namedRules } from '../several-rules.ts';
import { importDocuments } from '../transfer/import-documents.ts';
import { versionOf, versionsOf } from './rule-history.ts';

export const revertRule = defineOperation({
  name: 'rules/revert-rule',
  title: 'Revert rule',
  description: 'Stores a past version of a rule again, as a new version. A removed rule comes back.',
  effect: 'write',
  roles: ['rules'],
  weight: 'heavy',
  at: {
    command: {
      words: 'rules revert',
      description: 'Store a past version of a rule again, as a new version. A removed rule comes back.',
      summary: 'bring back a past version of a rule',
      arguments: {
        rule_type: { shown: '<type>', description: 'ident of its type' },
        rule: { shown: '<rule>', description: 'name of the rule, or its id when it was removed' },
        version: {
          shown: '<version>',
          description: 'version to go back to, as "rules history" shows it',
          parse: { from: 1 },
        },
      },
      json: 'answer the outcome as JSON',
      examples: ['muster rules revert custom_attributes "Site from hostname" 3'],
      view: ({ version }, print, { rule }) => print.note(`Rule ${rule} is as it was in version ${version}.`),
    },
    page: true,
  },
  input: z.object({
    rule_type: ruleTypeSchema,
    rule: z.string().min(1).describe('Name or id of the rule'),
    version: z.coerce.number().int().min(1).describe('The version to go back to, as the history shows it'),
  }),
  output: z.object({ status: z.literal('reverted'), rule_type: z.string(), id: z.string(), version: z.number().int() }),
  subject: (input) => `${input.rule_type} ${input.rule}`,
  async run({ rule_type, rule, version }, { services, caller, actsOn }) {
    const type = await requireStoredType(services, rule_type);
    const versions = await versionsOf(services, caller, type, rule, ALL_VERSIONS);
    const wanted = versionOf(versions, rule, version);
    actsOn(namedRules(type, [wanted]));
    const present = (await services.storage.rules.get(type.id, wanted.id)) ?? versions[0];
    const part = { type: type.id, documents: [withCounted(type, wanted.document.value, present?.document.value)] };
    const result = await importDocuments(services, caller, [part], { override: true });
    const [problem] = result.details;
    if (problem !== undefined) {
      throw new AppError(
        'conflict',
        worded`version ${{ version }} cannot be stored again: ${{ path: problem.path }} ${{ message: saidAt(problem) }}`,
      );
    }
    return { status: 'reverted' as const, rule_type: type.id, id: wanted.id, version };
  },
});
