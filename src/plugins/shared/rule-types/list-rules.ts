import { isListRule } from '../../../kit/document/list-rule.ts';
import type { RuleDocument } from '../../../ports/rule.ts';
import type { RuleProblem } from '../../../ports/rule-type.ts';

/** Why a rule of a target cannot be about the rows of a pasted list. Taken for a rule about hosts, it would hit every host. */
export function listRuleProblems(document: RuleDocument, system: string): readonly RuleProblem[] {
  if (!isListRule(document)) return [];
  const message = `is list, and rules of ${system} look at hosts: import the list as objects or hosts, and write the rule for those`;
  return [{ path: 'rule_source', message, inText: true }];
}
