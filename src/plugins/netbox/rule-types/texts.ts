import { memberText } from '../../../kit/document/members.ts';
import type { JsonObject } from '../../../ports/json.ts';
import type { RuleCompiler, RuleTemplate } from '../../../ports/rule-type.ts';

/** The template of an outcome. Line breaks are there to be read, and are no part of the value. */
export function outcomeTemplate(outcome: JsonObject, compiler: RuleCompiler): RuleTemplate {
  return compiler.template(memberText(outcome, 'param').replaceAll('\n', ''));
}

/** A value as it is decided: what templates print for nothing is none. */
export function decidedText(rendered: string): string | null {
  const text = rendered.trim();
  return /^(?:none|null)$/i.test(text) ? null : text;
}

export function commaTexts(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
