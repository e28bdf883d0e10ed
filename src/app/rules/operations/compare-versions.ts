import * as z from 'zod';
import { changesBetween } from '../../../kit/json/document-diff.ts';
import { requireStoredType, ruleTypeSchema } from '../rule-type-input.ts';
import { ALL_VERSIONS } from '../secrets/all-versions.ts';
import { maskedDocument } from '../secrets/masked-documents.ts';
import { defineOperation } from '../services.ts';
import { comparedVersionsView } from '../views/history.ts';
import { versionOf, versionsOf } from './rule-history.ts';

const version = z.coerce.number().int().min(1);

export const compareVersions = defineOperation({
  name: 'rules/compare-versions',
  title: 'Compare versions of a rule',
  description: 'Differences between two versions of one rule document. Secrets are masked.',
  effect: 'read',
  roles: ['rules'],
  weight: 'heavy',
  at: {
    command: {
      words: 'rules compare',
      description: 'Show what differs between two versions of a rule.',
      summary: 'show what differs between two versions of a rule',
      arguments: {
        rule_type: { shown: '<type>', description: 'ident of its type' },
        rule: { shown: '<rule>', description: 'name of the rule, or its id when it was removed' },
        from: { shown: '<version>', description: 'as "rules history" shows it', parse: { from: 1 } },
        to: { shown: '<other>', description: 'the version that it is compared with', parse: { from: 1 } },
      },
      json: 'answer the differences as JSON',
      examples: ['muster rules compare custom_attributes "Site from hostname" 2 5'],
      view: comparedVersionsView,
    },
    page: true,
  },
  input: z.object({
    rule_type: ruleTypeSchema,
    rule: z.string().min(1).describe('Name or id of the rule'),
    from: version.describe('The one version, as the history shows it'),
    to: version.describe('The other version'),
  }),
  output: z.object({
    from: z.number().int(),
    to: z.number().int(),
    changes: z.array(z.object({ path: z.string(), before: z.unknown().optional(), after: z.unknown().optional() })),
  }),
  async run({ rule_type, rule, from, to }, { services, caller }) {
    const type = await requireStoredType(services, rule_type);
    const versions = await versionsOf(services, caller, type, rule, ALL_VERSIONS);
    const documentOf = (wanted: number) => maskedDocument(type, versionOf(versions, rule, wanted).document.value);
    return { from, to, changes: [...changesBetween(documentOf(from), documentOf(to))] };
  },
});
