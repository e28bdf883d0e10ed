import type { Comparison, Condition } from './condition-document.ts';
import type { Operator } from './operators.ts';

const HOLDS: Readonly<Record<Operator, readonly [string, string]>> = {
  equal: ['equals', 'does not equal'],
  in: ['contains', 'does not contain'],
  not_in: ['does not contain', 'contains'],
  swith: ['starts with', 'does not start with'],
  ewith: ['ends with', 'does not end with'],
  in_list: ['is one of', 'is none of'],
  string_in_list: ['has the element', 'does not have the element'],
  regex: ['matches the pattern', 'does not match the pattern'],
  bool: ['means', 'does not mean'],
  older_than: ['is older than', 'is not older than'],
  newer_than: ['is newer than', 'is not newer than'],
  ignore: ['is anything', 'is nothing'],
};

/** A condition as a sentence about the host. */
export function describeCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'host':
      return `hostname ${compared(condition.hostname)}`;
    case 'absent':
      return `there is no attribute ${quote(condition.name)}`;
    case 'attribute':
      return `${attributeText(condition.name)} ${valueText(condition.value)}`;
  }
}

function attributeText(name: Comparison): string {
  if (name.operator === 'ignore') return 'some attribute';
  if (name.operator === 'equal' && !name.negate) return `attribute ${quote(name.needle)}`;
  return `some attribute whose name ${compared(name)}`;
}

function valueText(value: Comparison): string {
  if (value.operator === 'ignore') return value.negate ? 'never holds (a negated "ignore")' : 'exists';
  return compared(value);
}

function compared({ operator, negate, needle }: Comparison): string {
  const words = HOLDS[operator][negate ? 1 : 0];
  return operator === 'ignore' ? words : `${words} ${quote(needle)}`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
