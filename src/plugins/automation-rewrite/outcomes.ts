import { memberObjects, memberText } from '../../app/rules/document/members.ts';
import type { JsonObject, JsonValue } from '../../ports/json.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import { type RuleAction, RuleCompileError, type RuleCompiler, type RuleHost } from '../../ports/rule-type.ts';
import { actsOfVariables, attributeSetter, needsVoucher } from '../shared/rule-types/ansible-variables.ts';
import { compileEach } from '../shared/rule-types/outcomes.ts';
import { compileNames, type Names } from './names.ts';
import { compileValue, type NewValue } from './values.ts';

export function compileOutcomes(document: RuleDocument, compiler: RuleCompiler): RuleAction {
  return compileEach(document, (outcome) => compileOutcome(outcome, compiler));
}

/** Names that templates make are data, which starts nothing. */
export function actsOf(document: RuleDocument): readonly string[] {
  const names = memberObjects(document, 'outcomes').flatMap((outcome) => {
    const mode = memberText(outcome, 'overwrite_name');
    if (mode === 'convert_list') return [];
    const made = memberText(outcome, 'new_attribute_name');
    return mode === '' ? [memberText(outcome, 'old_attribute_name'), made] : [made];
  });
  return actsOfVariables(names);
}

function compileOutcome(outcome: JsonObject, compiler: RuleCompiler): RuleAction {
  const old = memberText(outcome, 'old_attribute_name');
  const made = memberText(outcome, 'new_attribute_name');
  if (old === '' && made === '') {
    throw new RuleCompileError('an outcome has neither old_attribute_name nor new_attribute_name');
  }
  const names = compileNames(outcome, compiler);
  const newValue = compileValue(outcome, compiler);
  // An outcome that leaves an attribute as it came does not make it the author's.
  const changes = memberText(outcome, 'overwrite_value') !== '';
  switch (names.kind) {
    case 'keep':
      return change(old === '' ? made : old, newValue, changes);
    case 'rename':
      return rename(old, names, newValue, changes);
    case 'list':
      return spread(old, names.names, newValue);
  }
}

function change(name: string, newValue: NewValue, changes: boolean): RuleAction {
  const set = changes ? attributeSetter(name) : setAttribute(name);
  return (host) => {
    const value = newValue(host, host.attributes.get(name));
    if (value !== undefined) set(host, value);
  };
}

function setAttribute(name: string): (host: RuleHost, value: JsonValue) => void {
  return (host, value) => void host.attributes.set(name, value);
}

/** The old attribute goes, also when its new value turns out empty. */
function rename(
  old: string,
  names: Extract<Names, { kind: 'rename' }>,
  newValue: NewValue,
  changes: boolean,
): RuleAction {
  return (host) => {
    const { attributes } = host;
    const before = attributes.get(old);
    const name = names.name(host) || old;
    const value = newValue(host, before);
    if (name !== old) attributes.delete(old);
    if (value === undefined || name === '') return;
    attributes.set(name, value);
    if (names.literal && (changes || name !== old) && needsVoucher(name)) host.vouch(name, value);
  };
}

function spread(
  old: string,
  newNames: (host: RuleHost, old: JsonValue) => readonly string[],
  newValue: NewValue,
): RuleAction {
  return (host) => {
    const before = host.attributes.get(old);
    if (before === undefined && old !== '') return;
    const names = newNames(host, before ?? '');
    const value = newValue(host, before);
    if (value === undefined) return;
    for (const name of names) host.attributes.set(name, value);
  };
}
