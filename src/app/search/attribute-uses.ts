import { compileTemplate, TemplateSyntaxError } from '../../jinja/template.ts';
import type { JsonValue, NamedAttribute, RuleDocument, RuleType } from '../../ports/index.ts';
import { readConditions } from '../rules/engine/condition-document.ts';

/**
 * Every place where a document names an attribute: its conditions, its templates, and what its type says. A template that does not
 * compile names nothing; one that reads all attributes names none of them.
 */
export function attributeUses(type: RuleType, document: RuleDocument): readonly NamedAttribute[] {
  return [...conditionUses(type, document), ...(type.attributesNamed?.(document) ?? []), ...textUses(document, '')];
}

/** Whether the use is one of the attribute: by its name, or by the beginning of its name. */
export function isUseOf({ name }: NamedAttribute, attribute: string): boolean {
  return name.endsWith('*') ? attribute.startsWith(name.slice(0, -1)) : name === attribute;
}

function conditionUses(type: RuleType, document: RuleDocument): readonly NamedAttribute[] {
  if (!type.conditional) return [];
  return readConditions(document).conditions.flatMap(({ index, condition }): readonly NamedAttribute[] => {
    const path = `conditions.${index}.tag`;
    if (condition.kind === 'absent') return [{ path, name: condition.name, use: 'reads' }];
    if (condition.kind !== 'attribute') return [];
    const { operator, negate, needle } = condition.name;
    if (negate || needle === '') return [];
    if (operator === 'equal') return [{ path, name: needle, use: 'reads' }];
    if (operator === 'swith') return [{ path, name: `${needle}*`, use: 'reads' }];
    if (operator !== 'in_list') return [];
    return needle.split(',').map((name) => ({ path, name: name.trim(), use: 'reads' as const }));
  });
}

function textUses(value: JsonValue, path: string): readonly NamedAttribute[] {
  if (typeof value === 'string') {
    return namesOf(value).map((name) => ({ path, name, use: 'reads' as const }));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    textUses(member as JsonValue, path === '' ? name : `${path}.${name}`),
  );
}

function namesOf(text: string): readonly string[] {
  if (!text.includes('{{') && !text.includes('{%')) return [];
  try {
    return [...compileTemplate(text).names];
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return [];
    throw error;
  }
}
