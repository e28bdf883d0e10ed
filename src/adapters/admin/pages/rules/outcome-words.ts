import type { JsonObject, JsonValue } from '../../../../ports/index.ts';
import { flagOf, textOf } from '../forms/document.ts';
import { valueText } from '../parts/value-text.ts';

/** An outcome in one line. */
export function outcomeWords(type: string, outcome: JsonObject): string {
  switch (type) {
    case 'custom_attributes':
    case 'automation_customvars': {
      const value = outcome.attribute_value;
      const shown = newValue(value);
      return `${textOf(outcome.attribute_name)} = ${shown}${flagOf(outcome.expression) ? ' (expression)' : ''}`;
    }
    case 'automation_filter':
      return filterWords(textOf(outcome.action), textOf(outcome.attribute_name));
    case 'automation_rewrite':
      return rewriteWords(outcome);
    case 'automation_playbook_fire':
      return `run ${textOf(outcome.playbook)}`;
    default:
      return Object.entries(outcome)
        .map(([name, value]) => `${name}: ${valueText(value)}`)
        .join(', ');
  }
}

function filterWords(action: string, name: string): string {
  if (action === 'ignore_hosts') return 'leave the inventory';
  const verb = name.startsWith('!') ? 'hide' : 'show';
  const what = name.replace(/^!/, '');
  return action === 'whitelist_attribute_value' ? `${verb} where the value is ${what}` : `${verb} ${what}`;
}

function rewriteWords(outcome: JsonObject): string {
  const old = textOf(outcome.old_attribute_name);
  const name = textOf(outcome.overwrite_name);
  const made = `${textOf(outcome.new_attribute_name)}${name === 'convert_list' ? ' (of each element)' : ''}`;
  const renamed = old === '' ? made : name === '' ? old : `${old} → ${made}`;
  const value = textOf(outcome.overwrite_value);
  if (value === '') return renamed;
  if (value === 'split') return `${renamed}, split by ${newValue(outcome.new_value)}`;
  return `${renamed} = ${newValue(outcome.new_value)}`;
}

function newValue(value: JsonValue | undefined): string {
  if (value === undefined || value === '') return 'empty';
  return typeof value === 'string' ? value : valueText(value);
}
