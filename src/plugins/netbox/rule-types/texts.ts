import { memberText } from '../../../kit/document/members.ts';
import type { JsonObject } from '../../../ports/json.ts';
import type { RuleCompiler, RuleTemplate } from '../../../ports/rule-type.ts';

/** Compiles the template of an outcome. Line breaks are only for readability and not part of the value. */
export function outcomeTemplate(outcome: JsonObject, compiler: RuleCompiler): RuleTemplate {
  return compiler.template(memberText(outcome, 'param').replaceAll('\n', ''));
}

/** Returns the decided value of a rendered text: the texts that templates print for a missing value become `null`. */
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
