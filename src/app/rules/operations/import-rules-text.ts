import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { bundleAnswer, bundleMembers } from '../import-answer.ts';
import { switchSchema } from '../rule-type-input.ts';
import { importDocuments } from '../transfer/import-documents.ts';
import { partsOfText } from '../transfer/rules-text.ts';

export const importRulesText = defineOperation({
  name: 'rules/import-rules-text',
  title: 'Import a file of rules',
  description: 'Imports a file of rules: an export, the rules of one type, or JSON lines, detected by content.',
  effect: 'write',
  roles: ['rules'],
  weight: 'heavy',
  at: { page: true },
  input: z.object({
    text: z.string().describe('Content of the file'),
    rule_type: z.string().optional().describe('Type of documents that the text does not name the type of'),
    override: switchSchema.describe('Replaces existing rules'),
    dry_run: switchSchema.describe('Only counts and checks'),
  }),
  output: z.object(bundleMembers),
  async run({ text, rule_type, override, dry_run }, { services, caller }) {
    const parts = partsOfText(text, rule_type);
    const result = await importDocuments(services, caller, parts, { override, dryRun: dry_run });
    return bundleAnswer(result, dry_run);
  },
});
