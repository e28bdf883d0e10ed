import { memberProblems, membersSchema } from '../../kit/document/member-table.ts';
import { memberObjects, memberText, ownMember } from '../../kit/document/members.ts';
import type { JsonObject, JsonValue } from '../../ports/json.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import type { RuleMembers } from '../../ports/rule-member.ts';
import {
  type RuleAction,
  RuleCompileError,
  type RuleCompiler,
  type RuleProblem,
  type RuleType,
} from '../../ports/rule-type.ts';
import { actsOfVariables, attributeSetter, needsVoucher } from '../shared/rule-types/ansible-variables.ts';
import { macroRefusals } from '../shared/rule-types/macro-scope.ts';
import { outcomeAttributes } from '../shared/rule-types/named-attributes.ts';
import { compileEach, outcomeTemplateProblems } from '../shared/rule-types/outcomes.ts';
import { setLine } from '../shared/rule-types/value-wording.ts';

const members: RuleMembers = {
  outcomes: {
    kind: 'list',
    description: 'Attributes to set on every host that the rule hits, in order.',
    items: {
      kind: 'object',
      description: 'One attribute.',
      members: {
        attribute_name: {
          kind: 'text',
          title: 'Attribute',
          offers: 'attribute',
          required: true,
          description: 'Name of the attribute.',
        },
        attribute_value: {
          kind: 'value',
          title: 'Value',
          description:
            'Its value. Texts may be templates (`{{ site|upper }}`); `True` and `False` become booleans; a template that fails gives an empty text.',
        },
      },
    },
  },
};

export const customAttributes: RuleType = {
  id: 'custom_attributes',
  aliases: [],
  title: 'Custom attributes',
  description:
    'Sets attributes for every consumer, before the rules of any project. Each rule sees what the ones before it set.',
  keyedBy: 'name',
  group: 'For every consumer',
  line: setLine,
  uniqueNames: true,
  conditional: true,
  exportGroup: 'rules',
  secretMembers: [],
  get schema() {
    return membersSchema(members);
  },
  check: (document, compiler) => [...memberProblems(document, members), ...outcomeProblems(document, compiler)],
  attributesNamed: (document) => outcomeAttributes(document, 'attribute_name', 'sets'),
  refusals: macroRefusals,
  acts: (document) =>
    actsOfVariables(memberObjects(document, 'outcomes').map((outcome) => memberText(outcome, 'attribute_name'))),
  evaluation: { stage: 'attributes', compile: compileOutcomes },
};

function outcomeProblems(document: RuleDocument, compiler: RuleCompiler): RuleProblem[] {
  return outcomeTemplateProblems(document, 'attribute_value', compiler);
}

function compileOutcomes(document: RuleDocument, compiler: RuleCompiler): RuleAction {
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
