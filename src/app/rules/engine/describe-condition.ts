import { worded } from '../../../kit/worded.ts';
import type { Wording } from '../../../ports/index.ts';
import type { Comparison, Condition } from './condition-document.ts';
import { comparisonWording } from './words.ts';

/** A condition as a sentence about the host. */
export function describeCondition(condition: Condition): Wording {
  switch (condition.kind) {
    case 'host':
      return worded`hostname ${{ comparison: compared(condition.hostname) }}`;
    case 'absent':
      return worded`there is no attribute ${{ name: quote(condition.name) }}`;
    case 'attribute':
      return attributeText(condition.name, valueText(condition.value));
  }
}

/** In the place of conditions, of a rule whose document names its hosts. */
export function describeHostList(): Wording {
  return worded`a row of its list is about the host`;
}

/** The same, where such rows are known by their numbers. */
export function describeHostRows(rows: readonly number[]): Wording {
  return rows.length === 1
    ? worded`row ${{ row: String(rows[0]) }} of its list is about the host`
    : worded`rows ${{ rows: rows.join(', ') }} of its list are about the host`;
}

function attributeText(name: Comparison, comparison: Wording): Wording {
  if (name.operator === 'ignore') return worded`some attribute ${{ comparison }}`;
  if (name.operator === 'equal' && !name.negate)
    return worded`attribute ${{ name: quote(name.needle) }} ${{ comparison }}`;
  return worded`some attribute whose name ${{ name: compared(name) }} ${{ comparison }}`;
}

function valueText(value: Comparison): Wording {
  if (value.operator !== 'ignore') return compared(value);
  return value.negate ? worded`never holds (a negated "ignore")` : worded`exists`;
}

function compared({ operator, negate, needle }: Comparison): Wording {
  return comparisonWording(operator, negate, quote(needle));
}

function quote(text: string): string {
  return JSON.stringify(text);
}
