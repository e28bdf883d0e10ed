import { memberText, ownMember } from '../../kit/document/members.ts';
import type { JsonObject, JsonValue } from '../../ports/json.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import { type RuleAction, RuleCompileError, type RuleCompiler, type RuleProblem } from '../../ports/rule-type.ts';
import { attributeSetter, needsVoucher } from '../shared/rule-types/ansible-variables.ts';
import { compileEach, outcomeTemplateProblems } from '../shared/rule-types/outcomes.ts';

export function outcomeProblems(document: RuleDocument, compiler: RuleCompiler): RuleProblem[] {
  return outcomeTemplateProblems(document, 'attribute_value', compiler);
}

export function compileOutcomes(document: RuleDocument, compiler: RuleCompiler): RuleAction {
  return compileEach(document, (outcome) => compileOutcome(outcome, compiler));
}

function compileOutcome(outcome: JsonObject, compiler: RuleCompiler): RuleAction {
  const name = memberText(outcome, 'attribute_name');
  if (name === '') throw new RuleCompileError('an outcome has no attribute_name');
  const value = ownMember(outcome, 'attribute_value') ?? '';
  const set = attributeSetter(name);
  if (typeof value !== 'string') return (host) => set(host, value);
  const template = compiler.template(value);
  if (template.constant !== undefined) {
    const constant = readValue(template.constant);
    // The most frequent action of all: a call less shows in every inventory.
    return needsVoucher(name) ? (host) => set(host, constant) : (host) => void host.attributes.set(name, constant);
  }
  return (host) => set(host, readValue(template.render(host) ?? ''));
}

function readValue(text: string): JsonValue {
  if (text === 'True') return true;
  return text === 'False' ? false : text;
}
