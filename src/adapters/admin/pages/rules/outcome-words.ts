import { t } from '@lingui/core/macro';
import type { JsonObject, JsonValue } from '../../../../ports/index.ts';
import { flagOf, textOf } from '../forms/document.ts';
import { valueText } from '../parts/value-text.ts';

/** An outcome in one line. */
export function outcomeWords(type: string, outcome: JsonObject): string {
  switch (type) {
    case 'custom_attributes':
    case 'automation_customvars': {
      const name = textOf(outcome.attribute_name);
      const value = newValue(outcome.attribute_value);
      return flagOf(outcome.expression) ? t`${name} = ${value} (expression)` : `${name} = ${value}`;
    }
    case 'automation_filter':
      return filterWords(textOf(outcome.action), textOf(outcome.attribute_name));
    case 'automation_rewrite':
      return rewriteWords(outcome);
    case 'automation_playbook_fire':
      return t`run ${{ playbook: textOf(outcome.playbook) }}`;
    default:
      return Object.entries(outcome)
        .map(([name, value]) => `${name}: ${valueText(value)}`)
        .join(', ');
  }
}

function filterWords(action: string, name: string): string {
  if (action === 'ignore_hosts') return t`leave the inventory`;
  const isHidden = name.startsWith('!');
  const what = name.replace(/^!/, '');
  if (action === 'whitelist_attribute_value') {
    return isHidden ? t`hide where the value is ${what}` : t`show where the value is ${what}`;
  }
  return isHidden ? t`hide ${what}` : t`show ${what}`;
}

function rewriteWords(outcome: JsonObject): string {
  const old = textOf(outcome.old_attribute_name);
  const name = textOf(outcome.overwrite_name);
  const attribute = textOf(outcome.new_attribute_name);
  const made = name === 'convert_list' ? t`${attribute} (of each element)` : attribute;
  const renamed = old === '' ? made : name === '' ? old : `${old} → ${made}`;
  const value = textOf(outcome.overwrite_value);
  if (value === '') return renamed;
  if (value === 'split') return t`${renamed}, split by ${{ separator: newValue(outcome.new_value) }}`;
  return `${renamed} = ${newValue(outcome.new_value)}`;
}

function newValue(value: JsonValue | undefined): string {
  if (value === undefined || value === '') return t`empty`;
  return typeof value === 'string' ? value : valueText(value);
}
