import type { RuleEvaluation, RuleType } from '../../src/ports/rule-type.ts';

/** A type of rules with conditions that takes every document. */
export function ruleTypeOf(id: string, evaluation: RuleEvaluation): RuleType {
  return {
    id,
    aliases: [],
    title: id,
    description: id,
    keyedBy: 'name',
    uniqueNames: true,
    conditional: true,
    exportGroup: 'rules',
    secretMembers: [],
    schema: {},
    check: () => [],
    evaluation,
  };
}
