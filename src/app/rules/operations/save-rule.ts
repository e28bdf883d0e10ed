import * as z from 'zod';
import { documentName } from '../../../kit/document/document-name.ts';
import { memberReference, memberText, ownMember } from '../../../kit/document/members.ts';
import { detailOf, placed, worded } from '../../../kit/worded.ts';
import { AppError, type ErrorDetail, type RuleDocument, type RuleType } from '../../../ports/index.ts';
import { documentSchema } from '../document-schema.ts';
import { requireDocumentType, requireRule, requireStoredDocumentType } from '../require-rule.ts';
import { ruleTypeSchema } from '../rule-type-input.ts';
import { unmaskedDocument } from '../secrets/masked-documents.ts';
import { defineOperation } from '../services.ts';
import { problemsFor } from '../transfer/document-problem.ts';
import { problemMembers } from '../transfer/import-answer.ts';
import { importDocuments } from '../transfer/import-documents.ts';
import { keepsConfirmer } from '../trust/confirmer.ts';

/**
 * Stores an edited rule, all or nothing, whereas `createRule` takes a document as an import does and reports what is wrong with
 * it.
 */
export const saveRule = defineOperation({
  name: 'rules/save-rule',
  title: 'Save rule',
  description:
    'Stores a rule that was edited, if it was not changed meanwhile, or a new one. Secrets that are masked in it stay as they are stored.',
  effect: 'write',
  roles: ['rules'],
  weight: 'heavy',
  at: { page: true },
  input: z.object({
    rule_type: ruleTypeSchema,
    document: documentSchema,
    version: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('The version that was edited, of the rule with the _id of the document; absent for a new rule'),
  }),
  output: z.object({
    status: z.enum(['created', 'saved']),
    rule_type: z.string(),
    id: z.string(),
    version: z.number().int(),
    warnings: problemMembers.warnings,
  }),
  subject: ({ rule_type, document }) =>
    `${rule_type} ${memberText(document, 'name') || memberText(document, 'hostname')}`,
  async run({ rule_type, document: edited, version }, { services, caller }) {
    // Documents of unknown types can be edited, but not created.
    const type =
      version === undefined
        ? requireDocumentType(services, rule_type)
        : await requireStoredDocumentType(services, rule_type);
    const id = memberReference(edited, '_id')?.toLowerCase() ?? services.newId();
    const stored = version === undefined ? undefined : await requireRule(services, caller, type, id);
    const { document, problems } = unmaskedDocument(type, withId(edited, id), stored?.document.value);
    refuse(problems);
    const keepsConfirmation = stored !== undefined && keepsConfirmer(type, stored, document, caller);
    const options =
      version === undefined ? { override: false } : { override: true, expectedVersion: version, keepsConfirmation };
    const { details, counts, warnings, cannotWork } = await importDocuments(
      services,
      caller,
      [{ type: type.id, documents: [document] }],
      options,
    );
    refuse(details);
    if (counts.get(type.id)?.imported !== 1) throw duplicate(type, documentName(type, document));
    const record = await requireRule(services, caller, type, id);
    return {
      status: version === undefined ? ('created' as const) : ('saved' as const),
      rule_type: type.id,
      id: record.id,
      version: record.version,
      warnings: problemsFor(caller, [...cannotWork, ...warnings]),
    };
  },
});

function withId(document: RuleDocument, id: string): RuleDocument {
  return ownMember(document, '_id') === undefined ? { _id: { $oid: id }, ...document } : document;
}

function refuse(problems: readonly ErrorDetail[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const details = problems.map(({ path, message, wording }) => ({ path, message, ...(wording && { wording }) }));
  throw new AppError('invalid_input', placed(first), { details });
}

function duplicate(type: RuleType, name: string): AppError {
  const problem = worded`another rule of this type has that name, id, or another value that only one may have`;
  return new AppError('conflict', worded`${{ id: type.id }} ${{ name }} was not stored: ${{ problem }}`, {
    details: [detailOf(type.keyedBy, problem)],
  });
}
