import { isListRule } from '../../kit/document/list-rule.ts';
import { memberFlag, memberObjects, memberText, ownMember } from '../../kit/document/members.ts';
import { readListColumns } from '../../kit/document/pasted-list.ts';
import { phrase } from '../../kit/worded.ts';
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
import { actsOfVariables, needsConfirmation } from '../shared/rule-types/ansible-variables.ts';
import { compileEach, outcomeTemplateProblems } from '../shared/rule-types/outcomes.ts';
import { withoutMarks } from '../shared/rule-types/unsafe-texts.ts';

export function outcomeProblems(document: RuleDocument, compiler: RuleCompiler): RuleProblem[] {
  return [
    ...outcomeTemplateProblems(document, 'attribute_value', compiler, (outcome) => !memberFlag(outcome, 'expression')),
    ...memberObjects(document, 'outcomes').flatMap(patternProblems),
  ];
}

/** Attributes that begin alike are named by their beginning, and so are the variables that they become. */
function patternProblems(outcome: JsonObject, index: number): RuleProblem[] {
  if (memberText(outcome, 'from_attributes') === '') return [];
  const wrong = ['from_attributes', 'attribute_name'].filter(
    (member) => !/^[^*]*\*$/.test(memberText(outcome, member)),
  );
  return wrong.map((member) => ({
    path: `outcomes.${index}.${member}`,
    message: phrase`must be the beginning of names with * at its end, such as ansible__*; * alone is all names`,
  }));
}

export function compileOutcomes(document: RuleDocument, compiler: RuleCompiler): RuleAction {
  return compileEach(document, (outcome) => compileOutcome(outcome, compiler));
}

/** Returns the effects of the document on consumers: changing connections, or evaluating its texts. */
export function actsOf(document: RuleDocument): readonly string[] {
  const outcomes = memberObjects(document, 'outcomes');
  const expressions = outcomes.filter((outcome) => memberFlag(outcome, 'expression')).map(nameOf);
  const columns = isListRule(document) ? readListColumns(memberText(document, 'list_source')) : [];
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
  const from = memberText(outcome, 'from_attributes');
  if (from !== '') return fromAttributes(from, name, memberFlag(outcome, 'expression'));
  if (name === '') throw new RuleCompileError('an outcome has no attribute_name');
  const value = ownMember(outcome, 'attribute_value') ?? '';
  const expression = memberFlag(outcome, 'expression');
  if (expression || typeof value !== 'string') return constant(name, { value, expression });
  const template = compiler.template(value);
  if (template.constant !== undefined) return constant(name, plain(readValue(template.constant)));
  const set = setter(name);
  return (host) => set(host, plain(readValue(template.render(host) ?? '')));
}

/**
 * Sets variables from attributes with a common prefix, named after the rest of their names. Names are data, so they are not
 * vouched for.
 */
function fromAttributes(from: string, to: string, expression: boolean): RuleAction {
  const [beginning, front] = [from.slice(0, -1), to.slice(0, -1)];
  return (host) => {
    for (const [attribute, value] of host.attributes) {
      if (!attribute.startsWith(beginning) || attribute.length + front.length === beginning.length) continue;
      const name = `${front}${attribute.slice(beginning.length)}`;
      host.variables.set(name, { value: withoutMarks(value, expression), expression });
    }
  };
}

function constant(name: string, variable: RuleVariable): RuleAction {
  const set = setter(name);
  return (host) => set(host, variable);
}

function setter(name: string): (host: RuleHost, variable: RuleVariable) => void {
  if (!needsConfirmation(name)) return (host, variable) => void host.variables.set(name, variable);
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
