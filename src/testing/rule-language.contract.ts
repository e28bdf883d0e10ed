import { describe, expect, it } from 'vitest';
import type { ConditionOperator, JsonValue, TemplateFilter } from '../ports/index.ts';

/** Possible values of hosts; a filter or a test that does not support one reports that by an error, or by its answer. */
const VALUES: readonly JsonValue[] = [
  '',
  'web01',
  'ä\n',
  0,
  -1.5,
  true,
  false,
  null,
  [],
  ['a', 1, null],
  { a: { b: 1 } },
  'x'.repeat(100_000),
];
const TIMEOUT_MS = 200;

export interface TemplateFilterHarness {
  readonly filter: TemplateFilter;
  /** Calls and what they answer: the value first, then the arguments. */
  readonly answers: readonly { readonly given: readonly [JsonValue, ...JsonValue[]]; readonly answer: JsonValue }[];
}

/** Tests the promises of a filter of templates. */
export function describeTemplateFilterContract(name: string, { filter, answers }: TemplateFilterHarness): void {
  describe(`${name} as a template filter`, () => {
    it.each(answers)('answers $answer for $given', ({ given, answer }) => {
      expect(filter.apply(...given)).toEqual(answer);
    });

    it('answers the same each time, at once, and in values that JSON has', () => {
      for (const value of [...VALUES, ...answers.map(({ given: [first] }) => first)]) {
        const first = settled(() => filter.apply(value));
        expect(
          settled(() => filter.apply(value)),
          shown(value),
        ).toEqual(first);
        if (first.ok) expectJson(first.answer, value);
      }
    });

    it('leaves what it is given as it is', () => {
      const given = { list: ['b', 'a'], inner: { n: 1 } };
      const before = structuredClone(given);
      settled(() => filter.apply(given));
      settled(() => filter.apply(given.list));
      expect(given).toEqual(before);
    });
  });
}

export interface ConditionOperatorHarness {
  readonly operator: ConditionOperator;
  /** Texts of conditions, with values that they hold for, and values that they do not hold for. */
  readonly tests: readonly {
    readonly text: string;
    readonly holds: readonly JsonValue[];
    readonly fails: readonly JsonValue[];
  }[];
  /** Texts that a condition cannot have; none when it takes any. */
  readonly refused?: readonly string[];
}

/** Tests the promises of an operator of conditions. */
export function describeConditionOperatorContract(name: string, harness: ConditionOperatorHarness): void {
  const { operator, tests, refused = [] } = harness;
  describe(`${name} as a condition operator`, () => {
    it.each(tests)('$text holds for what it should, and for nothing else', ({ text, holds, fails }) => {
      const test = operator.compile(text);
      for (const value of holds) expect(test(value), shown(value)).toBe(true);
      for (const value of fails) expect(test(value), shown(value)).toBe(false);
      // In the other order, once more: nothing of an earlier host is left.
      for (const value of [...fails].reverse()) expect(test(value), shown(value)).toBe(false);
      for (const value of [...holds].reverse()) expect(test(value), shown(value)).toBe(true);
    });

    it('answers true or false for any value, at once', () => {
      for (const { text } of tests) {
        const test = operator.compile(text);
        for (const value of VALUES) {
          const { ok, answer } = settled(() => test(value));
          expect([ok, typeof answer], shown(value)).toEqual([true, 'boolean']);
        }
      }
    });

    it.each(refused)('refuses the text %j when it compiles it', (text) => {
      expect(() => operator.compile(text)).toThrow();
    });

    it('reads as two different sentences', () => {
      expect(operator.words[0]).not.toBe(operator.words[1]);
    });
  });
}

type Settled = { readonly ok: boolean; readonly answer: unknown };

function settled(run: () => unknown): Settled {
  const begun = performance.now();
  let result: Settled;
  try {
    result = { ok: true, answer: run() };
  } catch (error) {
    result = { ok: false, answer: error instanceof Error ? error.message : 'no error' };
  }
  expect(performance.now() - begun, 'milliseconds for one value').toBeLessThan(TIMEOUT_MS);
  return result;
}

function expectJson(answer: unknown, given: JsonValue): void {
  expect(answer, shown(given)).not.toBeUndefined();
  expect(JSON.parse(JSON.stringify(answer) ?? 'null'), shown(given)).toEqual(answer);
}

function shown(value: JsonValue): string {
  return `for ${JSON.stringify(value).slice(0, 80)}`;
}
