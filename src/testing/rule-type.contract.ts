import { describe, expect, it } from 'vitest';
import type { RuleCompiler, RuleDocument, RuleType } from '../ports/index.ts';
import { LONG_TIMEOUT } from './timeouts.ts';

export interface RuleTypeHarness {
  readonly type: RuleType;
  /** Documents that work. */
  readonly valid: readonly RuleDocument[];
  /** Documents that cannot work, each with the path of what is wrong. */
  readonly invalid: readonly { readonly document: RuleDocument; readonly path: string }[];
  readonly compiler: RuleCompiler;
}

/** Everything that a rule type promises. */
export function describeRuleTypeContract({ type, valid, invalid, compiler }: RuleTypeHarness): void {
  describe(`${type.id}: rule type contract`, LONG_TIMEOUT, () => {
    it('says what it is', () => {
      expect(type.id).toMatch(/^[a-z][a-z0-9_]*$/);
      expect(type.title).not.toBe('');
      expect(type.description).toMatch(/\.$/);
      expect(type.schema).toMatchObject({ type: 'object' });
    });

    it.each(valid.map((document) => [String(document[type.keyedBy]), document] as const))(
      'accepts %s',
      (_name, document) => {
        expect(type.check(document, compiler)).toEqual([]);
        expect(() => type.evaluation?.compile(document, compiler)).not.toThrow();
      },
    );

    it.each(invalid.map(({ document, path }) => [path, document] as const))(
      'names what is wrong at %s',
      (path, document) => {
        const problems = type.check(document, compiler);
        expect(problems.map((problem) => problem.path)).toContain(path);
        for (const problem of problems) expect(problem.message).not.toBe('');
      },
    );

    it('takes members that it does not know', () => {
      for (const document of valid)
        expect(type.check({ ...document, x_of_another_version: [1] }, compiler)).toEqual([]);
    });

    it('does not change documents that it checks', () => {
      for (const document of valid) {
        const before = JSON.stringify(document);
        type.check(document, compiler);
        expect(JSON.stringify(document)).toBe(before);
      }
    });
  });
}
