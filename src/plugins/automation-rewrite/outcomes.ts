import type { JsonObject, JsonValue } from '../../ports/json.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import { memberText } from '../../ports/rule-members.ts';
import { type RuleAction, RuleCompileError, type RuleCompiler, type RuleHost } from '../../ports/rule-type.ts';
import { compileEach } from '../shared/rule-types/outcomes.ts';
import { compileNames } from './names.ts';
import { compileValue, type NewValue } from './values.ts';

export function compileOutcomes(document: RuleDocument, compiler: RuleCompiler): RuleAction {
  return compileEach(document, (outcome) => compileOutcome(outcome, compiler));
}

function compileOutcome(outcome: JsonObject, compiler: RuleCompiler): RuleAction {
  const old = memberText(outcome, 'old_attribute_name');
  const made = memberText(outcome, 'new_attribute_name');
  if (old === '' && made === '') {
    throw new RuleCompileError('an outcome has neither old_attribute_name nor new_attribute_name');
  }
  const names = compileNames(outcome, compiler);
  const newValue = compileValue(outcome, compiler);
  switch (names.kind) {
    case 'keep':
      return change(old === '' ? made : old, newValue);
    case 'rename':
      return rename(old, names.name, newValue);
    case 'list':
      return spread(old, names.names, newValue);
  }
}

function change(name: string, newValue: NewValue): RuleAction {
  return (host) => {
    const value = newValue(host, host.attributes.get(name));
    if (value !== undefined) host.attributes.set(name, value);
  };
}

/** The old attribute goes, also when its new value turns out empty. */
function rename(old: string, newName: (host: RuleHost) => string, newValue: NewValue): RuleAction {
  return (host) => {
    const { attributes } = host;
    const before = attributes.get(old);
    const name = newName(host) || old;
    const value = newValue(host, before);
    if (name !== old) attributes.delete(old);
    if (value !== undefined && name !== '') attributes.set(name, value);
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
