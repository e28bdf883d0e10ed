import type { Comparison, Condition } from './condition-document.ts';
import { operatorWords } from './words.ts';

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
  const words = operatorWords(operator)[negate ? 1 : 0];
  return operator === 'ignore' ? words : `${words} ${quote(needle)}`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
