import { memberObjects, memberText, ownMember } from '../../kit/document/members.ts';
import { phrase, worded } from '../../kit/worded.ts';
import type { ErrorDetail, Wording } from '../../ports/errors.ts';
import type { JsonObject } from '../../ports/json.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import { type FilterLine, type NamedAttribute, type RuleAction, RuleCompileError } from '../../ports/rule-type.ts';
import { compileEach } from '../shared/rule-types/outcomes.ts';

export const ACTIONS = ['whitelist_attribute', 'whitelist_attribute_value', 'ignore_hosts'];

export function outcomeProblems(document: RuleDocument): ErrorDetail[] {
  return memberObjects(document, 'outcomes').flatMap((outcome, index) => {
    const action = ownMember(outcome, 'action');
    const needsName = action === 'whitelist_attribute' || action === 'whitelist_attribute_value';
    if (!needsName || memberText(outcome, 'attribute_name') !== '') return [];
    return [{ path: `outcomes.${index}.attribute_name`, message: phrase`is required` }];
  });
}

/** Returns attributes that lines name explicitly: for lines about values, the attributes are unknown. */
export function attributesNamed(document: RuleDocument): readonly NamedAttribute[] {
  return memberObjects(document, 'outcomes').flatMap((outcome, index) => {
    const name = memberText(outcome, 'attribute_name').replace(/^!/, '');
    if (name === '' || ownMember(outcome, 'action') !== 'whitelist_attribute') return [];
    return [{ path: `outcomes.${index}.attribute_name`, name, use: 'shows' as const }];
  });
}

export function compileOutcomes(document: RuleDocument): RuleAction {
  return compileEach(document, compileOutcome);
}

function compileOutcome(outcome: JsonObject): RuleAction {
  switch (ownMember(outcome, 'action')) {
    case 'ignore_hosts':
      return (host) => host.filter.ignoreHost();
    case 'whitelist_attribute':
      return addLine('name', memberText(outcome, 'attribute_name'));
    case 'whitelist_attribute_value':
      return addLine('value', memberText(outcome, 'attribute_name'));
    default:
      throw new RuleCompileError(`the action of an outcome must be one of ${ACTIONS.join(', ')}`);
  }
}

function addLine(on: FilterLine['on'], written: string): RuleAction {
  if (written === '') throw new RuleCompileError('an outcome has no attribute_name');
  const show = !written.startsWith('!');
  const text = show ? written : written.slice(1);
  const prefix = text.endsWith('*');
  const line: FilterLine = { on, show, prefix, text: prefix ? text.slice(0, -1) : text };
  return (host) => host.filter.add(line);
}

/** Describes in one line what is shown or hidden. */
export function filterLine(outcome: JsonObject): Wording {
  const action = memberText(outcome, 'action');
  if (action === 'ignore_hosts') return worded`leave the inventory`;
  const name = memberText(outcome, 'attribute_name');
  const [isHidden, what] = [name.startsWith('!'), name.replace(/^!/, '')];
  if (action === 'whitelist_attribute_value')
    return isHidden ? worded`hide where the value is ${{ what }}` : worded`show where the value is ${{ what }}`;
  return isHidden ? worded`hide ${{ what }}` : worded`show ${{ what }}`;
}
