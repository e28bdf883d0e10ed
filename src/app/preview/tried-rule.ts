import * as z from 'zod';
import { memberReference } from '../../kit/document/members.ts';
import type { RuleDocument, RuleType } from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { documentSchema } from '../rules/document-schema.ts';
import { projectOf } from '../rules/project-of.ts';
import { requireDocumentType } from '../rules/require-rule.ts';
import { ruleTypeSchema } from '../rules/rule-type-input.ts';
import type { RuleServices } from '../rules/services.ts';
import { triedDocument } from '../rules/transfer/tried-document.ts';

/** The common input of operations that try one rule. */
export const triedRuleInput = z.object({
  rule_type: ruleTypeSchema,
  document: documentSchema,
  project: z.string().optional().describe('The provider to look at; absent: automation'),
});

export interface TriedRule {
  readonly type: RuleType;
  /** By which explanations name it. */
  readonly id: string | undefined;
  readonly document: RuleDocument;
  readonly project: string | null;
  /** Takes the place of what is stored of it. */
  readonly changed: ReadonlyMap<string, readonly RuleDocument[]>;
}

/** The rule as it would run if stored and enabled. Throws if its caller may not store it, or no caller could. */
export async function triedRule(
  { rule_type, document: given, project }: z.output<typeof triedRuleInput>,
  { services, caller }: { readonly services: RuleServices; readonly caller: Caller },
): Promise<TriedRule> {
  const type = requireDocumentType(services, rule_type);
  const document: RuleDocument = { ...(await triedDocument(services, caller, type, given, '')), enabled: true };
  return {
    type,
    id: memberReference(document, '_id'),
    document,
    project: projectOf(project),
    changed: new Map([[type.id, [document]]]),
  };
}
