import { memberObjects, memberText, ownMember, scalarText } from '../../../kit/document/members.ts';
import { isMemberOf } from '../../../kit/json/dotted-members.ts';
import type { JsonObject, JsonValue } from '../../../ports/json.ts';
import type { RuleDocument } from '../../../ports/rule.ts';
import {
  type NamedAttribute,
  type RuleAction,
  RuleCompileError,
  type RuleCompiler,
  type RuleHost,
} from '../../../ports/rule-type.ts';
import { actsOfVariables, attributeSetter, needsConfirmation } from '../rule-types/ansible-variables.ts';
import { compileEach } from '../rule-types/outcomes.ts';
import { readNameMode, readSplit, readValueMode, type Split } from './modes.ts';

export function compileOutcomes(document: RuleDocument, compiler: RuleCompiler): RuleAction {
  return compileEach(document, (outcome) => compileOutcome(outcome, compiler));
}

/** Names that templates make are data, which starts nothing. */
export function actsOf(document: RuleDocument): readonly string[] {
  const names = memberObjects(document, 'outcomes').flatMap((outcome) => {
    const mode = memberText(outcome, 'overwrite_name');
    if (mode === 'convert_list' || mode === 'prefix') return [];
    const made = memberText(outcome, 'new_attribute_name');
    return mode === '' ? [memberText(outcome, 'old_attribute_name'), made] : [made];
  });
  return actsOfVariables(names);
}

/** Returns the attributes that outcomes change, and how, except for names made by templates. */
export function attributesNamed(document: RuleDocument): readonly NamedAttribute[] {
  return memberObjects(document, 'outcomes').flatMap((outcome, index): readonly NamedAttribute[] => {
    const [old, made] = [memberText(outcome, 'old_attribute_name'), memberText(outcome, 'new_attribute_name')];
    const isPrefix = memberText(outcome, 'overwrite_name') === 'prefix';
    const keeps = memberText(outcome, 'overwrite_name') === '';
    const at = (member: string) => `outcomes.${index}.${member}`;
    const star = isPrefix ? '*' : '';
    return [
      ...(old === '' ? [] : [{ path: at('old_attribute_name'), name: `${old}${star}`, use: 'reads' as const }]),
      ...(old === '' || !keeps ? [] : [{ path: at('old_attribute_name'), name: old, use: 'sets' as const }]),
      ...(made === '' || (keeps && old !== '') || made.includes('{')
        ? []
        : [{ path: at('new_attribute_name'), name: `${made}${star}`, use: 'sets' as const }]),
    ];
  });
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
    case 'prefix':
      return renameAll(old, names.to, newValue);
    case 'list':
      return spread(old, names.names, newValue);
  }
}

function change(name: string, newValue: NewValue, changes: boolean): RuleAction {
  const set = changes ? attributeSetter(name) : setAttribute(name);
  return (host) => {
    // An object that nested labels are members of stays what it is, unless its value is another one now.
    const value = newValue(host, changes ? oldValue(host, name) : host.attributes.get(name));
    if (value !== undefined) set(host, value);
  };
}

/** The value of an attribute, or the object that nested labels are members of. */
function oldValue(host: RuleHost, name: string): JsonValue | undefined {
  const value = host.attributes.get(name);
  return value === undefined ? host.object(name) : value;
}

/** Takes an attribute away; of an object all its members. */
function remove({ attributes }: RuleHost, name: string): void {
  if (attributes.delete(name)) return;
  for (const member of [...attributes.keys()]) if (isMemberOf(member, name)) attributes.delete(member);
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
    const before = oldValue(host, old);
    const name = names.name(host) || old;
    const value = newValue(host, before);
    if (name !== old && before !== undefined) remove(host, old);
    if (value === undefined || name === '') return;
    attributes.set(name, value);
    if (names.literal && (changes || name !== old) && needsConfirmation(name)) host.vouch(name, value);
  };
}

/** The rest of each name is data, so the resulting names are not vouched for. */
function renameAll(from: string, to: string, newValue: NewValue): RuleAction {
  if (from === '') throw new RuleCompileError('overwrite_name is prefix, and old_attribute_name is empty');
  return (host) => {
    const { attributes } = host;
    const found = [...attributes].filter(([name]) => name.startsWith(from) && name.length + to.length > from.length);
    for (const [name] of found) attributes.delete(name);
    for (const [name, before] of found) {
      const value = newValue(host, before);
      if (value !== undefined) attributes.set(`${to}${name.slice(from.length)}`, value);
    }
  };
}

function spread(
  old: string,
  newNames: (host: RuleHost, old: JsonValue) => readonly string[],
  newValue: NewValue,
): RuleAction {
  return (host) => {
    const before = oldValue(host, old);
    if (before === undefined && old !== '') return;
    const names = newNames(host, before ?? '');
    const value = newValue(host, before);
    if (value === undefined) return;
    for (const name of names) host.attributes.set(name, value);
  };
}

/** The effect on the attribute's name on a host. */
type Names =
  | { readonly kind: 'keep' }
  /** An empty name keeps the old one. `literal`: the document says the name, and no template. */
  | { readonly kind: 'rename'; readonly literal: boolean; name(host: RuleHost): string }
  /** All attributes that begin with the old name. */
  | { readonly kind: 'prefix'; readonly to: string }
  /** The old attribute stays. */
  | { readonly kind: 'list'; names(host: RuleHost, old: JsonValue): readonly string[] };

function compileNames(outcome: JsonObject, compiler: RuleCompiler): Names {
  const mode = readNameMode(memberText(outcome, 'overwrite_name'));
  const text = memberText(outcome, 'new_attribute_name');
  switch (mode) {
    case '':
      return { kind: 'keep' };
    case 'string':
      return { kind: 'rename', literal: true, name: () => text };
    case 'jinja': {
      const template = compiler.template(text);
      const { constant } = template;
      return {
        kind: 'rename',
        literal: constant !== undefined,
        name: (host) => constant ?? template.render(host) ?? '',
      };
    }
    case 'prefix':
      return { kind: 'prefix', to: text };
    case 'convert_list':
      return { kind: 'list', names: compileList(text, compiler) };
    case undefined:
      throw new RuleCompileError('overwrite_name must be empty, string, jinja, convert_list or prefix');
  }
}

function compileList(text: string, compiler: RuleCompiler): (host: RuleHost, old: JsonValue) => readonly string[] {
  const template = compiler.template(text);
  return (host, old) => {
    const rendered = template.render(host, new Map([['result', old]]));
    if (rendered === undefined || rendered === '') return [];
    const list = compiler.list(rendered);
    if (list === undefined) {
      host.report('new_attribute_name did not give a list');
      return [];
    }
    return list
      .flatMap((item) => (item === null ? [] : (scalarText(item)?.trim() ?? [])))
      .filter((name) => name !== '');
  };
}

/** The new value of an attribute; `undefined` adds nothing. `old` is `undefined` when the attribute is not there. */
type NewValue = (host: RuleHost, old: JsonValue | undefined) => JsonValue | undefined;

function compileValue(outcome: JsonObject, compiler: RuleCompiler): NewValue {
  switch (readValueMode(memberText(outcome, 'overwrite_value'))) {
    case '':
      return (_host, old) => old;
    case 'string': {
      const value = ownMember(outcome, 'new_value') ?? '';
      return () => value;
    }
    case 'jinja':
      return rendered(memberText(outcome, 'new_value'), compiler);
    case 'split': {
      const split = readSplit(memberText(outcome, 'new_value'));
      if (typeof split === 'string') throw new RuleCompileError(`new_value ${split}`);
      return (_host, old) => part(old, split);
    }
    case undefined:
      throw new RuleCompileError('overwrite_value must be empty, string, split or jinja');
  }
}

function rendered(text: string, compiler: RuleCompiler): NewValue {
  const template = compiler.template(text);
  return (host) => template.render(host) || undefined;
}

/** A split that fails, also because there is nothing to split at, keeps the value: a number stays one. */
function part(old: JsonValue | undefined, { separator, index }: Split): JsonValue | undefined {
  const text = typeof old === 'number' ? String(old) : old;
  if (typeof text !== 'string') return old;
  const parts = text.split(separator);
  return parts.length === 1 ? old : (parts.at(index) ?? old);
}
