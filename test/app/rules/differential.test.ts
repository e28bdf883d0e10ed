import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/ports/json.ts';
import { answers, type GeneratedCase, generatedCase, HOSTS_PER_CASE } from './generated-cases.ts';
import { OPERATORS, type ReferenceOperator } from './reference-evaluator.ts';

const CASES = 30_000;

function agrees(given: GeneratedCase, operators: Record<string, ReferenceOperator> = {}): boolean {
  for (const { engine, book } of answers(given, operators)) if (!isDeepStrictEqual(engine, book)) return false;
  return true;
}

describe('the engine and the evaluator written from the rules page', () => {
  it(`agree on ${CASES} generated cases`, { timeout: 120_000 }, () => {
    let cases = 0;
    fc.assert(
      fc.property(generatedCase, (given) => {
        for (const { engine, book } of answers(given)) {
          cases++;
          if (!isDeepStrictEqual(engine, book)) expect(engine).toEqual(book);
        }
      }),
      { numRuns: CASES / HOSTS_PER_CASE },
    );
    expect(cases).toBeGreaterThanOrEqual(CASES);
  });

  it.each(Object.keys(OPERATORS))('disagree when the operator %s is broken', { timeout: 60_000 }, (name) => {
    const right = OPERATORS[name]!;
    const broken: ReferenceOperator = (value, needle) =>
      typeof value === 'string' ? !right(value, needle) : right(value, needle);
    const found = fc.check(
      fc.property(generatedCase, (given) => agrees(given, { [name]: broken })),
      { numRuns: 2000, endOnFailure: true },
    );
    expect(found.failed).toBe(true);
  });

  it('disagree when upper and lower case are told apart', () => {
    const broken: ReferenceOperator = (value, needle) => value === needle;
    const found = fc.check(
      fc.property(generatedCase, (given) => agrees(given, { equal: broken })),
      { numRuns: 2000, endOnFailure: true },
    );
    expect(found.failed).toBe(true);
  });
});

describe('an explanation', () => {
  it('ends with what evaluation gives, and leaves it as it was', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(generatedCase, (given) => {
        for (const { engine, explained, evaluatedAgain } of answers(given)) {
          const { included, variables, expressions, groups } = engine as Record<string, JsonValue>;
          const result = { ...(variables as JsonObject), ...(expressions as JsonObject) };
          expect(explained()).toEqual({ included, result, groups });
          expect(evaluatedAgain()).toEqual(engine);
        }
      }),
      { numRuns: 300 },
    );
  });
});
