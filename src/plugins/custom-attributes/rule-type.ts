import { memberProblems, membersSchema } from '../../kit/document/member-table.ts';
import { memberObjects, memberText, ownMember } from '../../kit/document/members.ts';
import { detailOf, phrase, worded } from '../../kit/worded.ts';
import type { Wording } from '../../ports/errors.ts';
import type { JsonObject, JsonValue } from '../../ports/json.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import type { RuleMembers } from '../../ports/rule-member.ts';
import {
  type NamedAttribute,
  type RuleAction,
  RuleCompileError,
  type RuleCompiler,
  type RuleProblem,
  type RuleType,
} from '../../ports/rule-type.ts';
import { actsOfVariables, attributeSetter, needsConfirmation } from '../shared/rule-types/ansible-variables.ts';
import { macroRefusals } from '../shared/rule-types/macro-scope.ts';
import { outcomeAttributes } from '../shared/rule-types/named-attributes.ts';
import { compileEach, outcomeTemplateProblems } from '../shared/rule-types/outcomes.ts';
import { setLine } from '../shared/rule-types/value-wording.ts';

/** Limit on the rows of a list. */
const MOST_ROWS = 10_000;

const members: RuleMembers = {
  rule_source: {
    kind: 'choice',
    title: 'The rule looks at',
    choices: ['', 'hosts', 'list'],
    description:
      '`list`: every outcome is a row that is about the host of its `hostname` alone, its value is set as it is, and conditions do not apply. Otherwise the rule looks at every host.',
  },
  outcomes: {
    kind: 'list',
    description: 'Attributes to set on every host that the rule hits, in order.',
    items: {
      kind: 'object',
      description: 'One attribute.',
      members: {
        hostname: {
          kind: 'text',
          title: 'Host',
          description: 'With a list: the host that gets the attribute. Rules that look at every host ignore it.',
        },
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
            'Its value. Texts may be templates (`{{ site|upper }}`); `True` and `False` become booleans; a template that fails gives an empty text. In a list, values are not templates and keep their types.',
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
  line: outcomeLine,
  uniqueNames: true,
  conditional: true,
  exportGroup: 'rules',
  secretMembers: [],
  get schema() {
    return membersSchema(members);
  },
  check: (document, compiler) => [
    ...memberProblems(document, members),
    ...(isList(document) ? rowProblems(document) : outcomeTemplateProblems(document, 'attribute_value', compiler)),
  ],
  attributesNamed,
  refusals: macroRefusals,
  acts: (document) =>
    actsOfVariables(memberObjects(document, 'outcomes').map((outcome) => memberText(outcome, 'attribute_name'))),
  // Rows name hosts of every account.
  visible: (document, { accounts, templates }) => !isList(document) || (accounts === null && templates === null),
  evaluation: {
    stage: 'attributes',
    hostnames: (document) => (isList(document) ? rowHostnames(document) : undefined),
    compile: compileOutcomes,
  },
};

/** Whether the outcomes are rows, each about one host. */
function isList(document: RuleDocument): boolean {
  return memberText(document, 'rule_source') === 'list';
}

function* rowHostnames(document: RuleDocument): Generator<string> {
  for (const row of memberObjects(document, 'outcomes')) yield memberText(row, 'hostname');
}

function outcomeLine(outcome: JsonObject): Wording {
  const hostname = memberText(outcome, 'hostname');
  return hostname === '' ? setLine(outcome) : worded`${{ hostname }}: ${{ line: setLine(outcome) }}`;
}

function rowProblems(document: RuleDocument): RuleProblem[] {
  const rows = memberObjects(document, 'outcomes');
  if (rows.length > MOST_ROWS) {
    return [
      detailOf('outcomes', worded`has ${{ count: rows.length }} rows, and at most ${{ most: MOST_ROWS }} are possible`),
    ];
  }
  return rows.flatMap((row, index) =>
    memberText(row, 'hostname') === '' ? [{ path: `outcomes.${index}.hostname`, message: phrase`is required` }] : [],
  );
}

/** The rows of a list name few attributes again and again. */
function attributesNamed(document: RuleDocument): readonly NamedAttribute[] {
  const named = outcomeAttributes(document, 'attribute_name', 'sets');
  if (!isList(document)) return named;
  return [...new Map(named.toReversed().map((attribute) => [attribute.name, attribute])).values()].toReversed();
}

function compileOutcomes(document: RuleDocument, compiler: RuleCompiler): RuleAction {
  return isList(document)
    ? compileRows(document)
    : compileEach(document, (outcome) => compileOutcome(outcome, compiler));
}

function compileRows(document: RuleDocument): RuleAction {
  const rows = new Map<string, RuleAction[]>();
  for (const row of memberObjects(document, 'outcomes')) {
    const hostname = memberText(row, 'hostname');
    const name = memberText(row, 'attribute_name');
    if (name === '') throw new RuleCompileError('a row has no attribute_name');
    const set = attributeSetter(name);
    const value = ownMember(row, 'attribute_value') ?? '';
    const actions = rows.get(hostname) ?? [];
    actions.push((host) => set(host, value));
    rows.set(hostname, actions);
  }
  return (host) => {
    for (const act of rows.get(host.hostname) ?? []) act(host);
  };
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
    return needsConfirmation(name) ? (host) => set(host, constant) : (host) => void host.attributes.set(name, constant);
  }
  return (host) => set(host, readValue(template.render(host) ?? ''));
}

function readValue(text: string): JsonValue {
  if (text === 'True') return true;
  return text === 'False' ? false : text;
}
