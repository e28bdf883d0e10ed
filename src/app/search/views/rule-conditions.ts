import { printable } from '../../../kit/words/escape.ts';
import type { JsonObject, Wording } from '../../../ports/index.ts';
import type { Print } from '../../kernel/print.ts';
import { readConditions } from '../../rules/engine/condition-document.ts';
import { describeCondition } from '../../rules/engine/describe-condition.ts';

interface ShownConditions {
  readonly condition_typ: string;
  readonly conditions: readonly JsonObject[];
  readonly notes: readonly { readonly part: string; readonly left_out: boolean; readonly why: Wording }[];
}

/** The conditions in words, and what they do not say. */
export async function ruleConditionsView(
  { condition_typ: mode, conditions, notes }: ShownConditions,
  print: Print,
): Promise<void> {
  const read = readConditions({ conditions }).conditions.map(({ condition }) => ({
    text: describeCondition(condition).text,
  }));
  await print.table(read, [{ header: MODES[mode] ?? mode, value: ({ text }) => text }], 'Every host.');
  for (const { part, left_out: isLeftOut, why } of notes) {
    print.note(`${isLeftOut ? 'Left out' : 'Not quite the same'}: ${printable(part)}: ${why.text}.`);
  }
}

const MODES: Readonly<Record<string, string>> = { all: 'ALL OF', any: 'ONE OF' };
