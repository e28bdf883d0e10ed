import { isListRule } from '../../app/rules/document/list-rule.ts';
import { memberFlag, memberObjects, memberText, ownMember } from '../../app/rules/document/members.ts';
import { readPastedList } from '../../app/rules/document/pasted-list.ts';
import type { JsonObject, JsonValue } from '../../ports/json.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import {
  type RuleAction,
  RuleCompileError,
  type RuleCompiler,
  type RuleHost,
  type RuleProblem,
  type RuleVariable,
} from '../../ports/rule-type.ts';
import { actsOfVariables, needsVoucher } from '../shared/rule-types/ansible-variables.ts';
import { compileEach, outcomeTemplateProblems } from '../shared/rule-types/outcomes.ts';

export function outcomeProblems(document: RuleDocument, compiler: RuleCompiler): RuleProblem[] {
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

/** What the document lets consumers do: connect otherwise, or evaluate its texts. */
export function actsOf(document: RuleDocument): readonly string[] {
  const outcomes = memberObjects(document, 'outcomes');
  const expressions = outcomes.filter((outcome) => memberFlag(outcome, 'expression')).map(nameOf);
  const columns = isListRule(document) ? readPastedList(memberText(document, 'list_source')).columns : [];
  return [
    ...actsOfVariables([...columns, ...outcomes.map(nameOf)]),
    ...(expressions.length === 0 ? [] : [`lets Ansible evaluate expressions (${expressions.join(', ')})`]),
  ];
}

function nameOf(outcome: JsonObject): string {
  return memberText(outcome, 'attribute_name');
}

function compileOutcome(outcome: JsonObject, compiler: RuleCompiler): RuleAction {
  const name = memberText(outcome, 'attribute_name');
  if (name === '') throw new RuleCompileError('an outcome has no attribute_name');
  const value = ownMember(outcome, 'attribute_value') ?? '';
  const expression = memberFlag(outcome, 'expression');
  if (expression || typeof value !== 'string') return constant(name, { value, expression });
  const template = compiler.template(value);
  if (template.constant !== undefined) return constant(name, plain(readValue(template.constant)));
  const set = setter(name);
  return (host) => set(host, plain(readValue(template.render(host) ?? '')));
}

function constant(name: string, variable: RuleVariable): RuleAction {
  const set = setter(name);
  return (host) => set(host, variable);
}

function setter(name: string): (host: RuleHost, variable: RuleVariable) => void {
  if (!needsVoucher(name)) return (host, variable) => void host.variables.set(name, variable);
  return (host, variable) => {
    host.variables.set(name, variable);
    host.vouch(name, variable);
  };
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
