import type { ErrorDetail } from '../../ports/errors.ts';
import type { JsonObject, JsonValue } from '../../ports/json.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import { memberFlag, memberText, ownMember } from '../../ports/rule-members.ts';
import { type RuleAction, RuleCompileError, type RuleCompiler, type RuleVariable } from '../../ports/rule-type.ts';
import { compileEach, outcomeTemplateProblems } from '../shared/rule-types/outcomes.ts';

export function outcomeProblems(document: RuleDocument, compiler: RuleCompiler): ErrorDetail[] {
  return outcomeTemplateProblems(
    document,
    'attribute_value',
    compiler,
    (outcome) => !memberFlag(outcome, 'expression'),
  );
}

export function compileOutcomes(document: RuleDocument, compiler: RuleCompiler): RuleAction {
  return compileEach(document, (outcome) => compileOutcome(outcome, compiler));
}

function compileOutcome(outcome: JsonObject, compiler: RuleCompiler): RuleAction {
  const name = memberText(outcome, 'attribute_name');
  if (name === '') throw new RuleCompileError('an outcome has no attribute_name');
  const value = ownMember(outcome, 'attribute_value') ?? '';
  const expression = memberFlag(outcome, 'expression');
  if (expression || typeof value !== 'string') return setVariable(name, { value, expression });
  const template = compiler.template(value);
  if (template.constant !== undefined) return setVariable(name, plain(readValue(template.constant)));
  return (host) => void host.variables.set(name, plain(readValue(template.render(host) ?? '')));
}

function setVariable(name: string, variable: RuleVariable): RuleAction {
  return (host) => void host.variables.set(name, variable);
}

function plain(value: JsonValue): RuleVariable {
  return { value, expression: false };
}

/** Templates print booleans as `True` and `False`, rule authors write `true` and `false`; both are meant. */
function readValue(text: string): JsonValue {
  if (text.length > 5) return text;
  const lower = text.toLowerCase();
  if (lower === 'true') return true;
  return lower === 'false' ? false : text;
}
