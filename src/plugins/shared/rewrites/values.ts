import { memberText, ownMember } from '../../../kit/document/members.ts';
import type { JsonObject, JsonValue } from '../../../ports/json.ts';
import { RuleCompileError, type RuleCompiler, type RuleHost } from '../../../ports/rule-type.ts';
import { readSplit, readValueMode, type Split } from './modes.ts';

/** The new value of an attribute; `undefined` adds nothing. `old` is `undefined` when the attribute is not there. */
export type NewValue = (host: RuleHost, old: JsonValue | undefined) => JsonValue | undefined;

export function compileValue(outcome: JsonObject, compiler: RuleCompiler): NewValue {
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
