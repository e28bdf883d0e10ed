import { t } from '@lingui/core/macro';
import type { JsonObject, JsonValue } from '../../../../ports/index.ts';
import { flagOf, isObject, textOf } from '../forms/document.ts';
import { valueText } from '../parts/value-text.ts';
import { ENVELOPE_MEMBERS } from './envelope-members.ts';
import { OPERATOR_WORDS } from './fields/operator-words.ts';

/** Members that the other columns already show. */
const SAID: ReadonlySet<string> = new Set([...ENVELOPE_MEMBERS, '_id', 'outcomes']);

/** Describes a rule in lines: its conditions, its outcomes, and all other settings. */
export function bodyWords(document: JsonObject, outcomes: readonly string[]): readonly string[] {
  const others = Object.entries(document).filter(([name, value]) => !SAID.has(name) && value !== '' && value !== null);
  return [
    ...('condition_typ' in document ? [hitWords(document)] : []),
    ...outcomes.map((effect) => t`then ${effect}`),
    ...others.map(([name, value]) => `${name}: ${valueText(value)}`),
  ];
}

function hitWords(document: JsonObject): string {
  const conditions = objectsOf(document.conditions).map(conditionWords);
  const mode = textOf(document.condition_typ);
  if (mode === 'anyway' || (mode === 'all' && conditions.length === 0)) return t`always`;
  if (conditions.length === 0) return t`never (no conditions)`;
  const joined = conditions.join(mode === 'any' ? ` ${t`or`} ` : ` ${t`and`} `);
  return t`if ${{ conditions: joined }}`;
}

function conditionWords(condition: JsonObject): string {
  if (condition.match_type === 'host') return comparison(condition, 'hostname', t`hostname`);
  const name = textOf(condition.tag);
  const named = condition.tag_match === 'equal' && !flagOf(condition.tag_match_negate);
  if (named) return comparison(condition, 'value', name);
  return `${comparison(condition, 'tag', t`the name of an attribute`)}: ${comparison(condition, 'value', t`its value`)}`;
}

function comparison(condition: JsonObject, subject: string, what: string): string {
  const words: Readonly<Record<string, readonly [string, string]>> = OPERATOR_WORDS;
  const operator = textOf(condition[`${subject}_match`]);
  const pair = words[operator] ?? [operator, operator];
  const word = pair[flagOf(condition[`${subject}_match_negate`]) ? 1 : 0];
  const needle = textOf(condition[subject]);
  return operator === 'ignore' ? `${what} ${word}` : `${what} ${word} “${needle}”`;
}

function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
