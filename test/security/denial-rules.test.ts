import { afterEach, describe, expect, it } from 'vitest';
import { getHost } from '../../src/app/hosts/operations/get-host.ts';
import { tryRule } from '../../src/app/preview/operations/try-rule.ts';
import { compileProgram } from '../../src/app/rules/engine/program.ts';
import type { JsonObject } from '../../src/ports/index.ts';
import { hostRecord, programInput } from '../app/rules/support.ts';
import { BusyService } from './support/busy-service.ts';

/** What rules may cost, whoever wrote the rule and whoever the value; and that nobody becomes visible by it. */

const NAME_OF_TAG = { match_type: 'tag', tag: 'motd', tag_match: 'equal' };
/** Half a million states, so that nothing is remembered and every character costs all of the pattern. */
const COSTLY = '(?:a|b)*a(?:a|b){300}[cd]';

function rule(name: string, more: JsonObject): JsonObject {
  return { _id: { $oid: name.padEnd(24, '0') }, name, enabled: true, condition_typ: 'all', ...more };
}

function matching(value: string, operator = 'regex', negate = false): JsonObject[] {
  return [{ ...NAME_OF_TAG, value_match: operator, value, value_match_negate: negate }];
}

const letters = (count: number): string => 'abbabaab'.repeat(count / 8);

describe('a pattern and a text that is too long for it', () => {
  const hide = (conditions: JsonObject[]) =>
    rule('hide', { conditions, outcomes: [{ action: 'ignore_hosts', attribute_name: '' }] });
  const evaluate = (rules: Record<string, JsonObject[]>, motd: string) => {
    const program = compileProgram(programInput(rules));
    const host = hostRecord({ labels: { motd } });
    return { host: program.evaluate(host), explained: program.explain(host), errors: program.errors() };
  };

  it('fail the rule, count it, and hide the host where a filter decides', () => {
    const { host, explained, errors } = evaluate({ automation_filter: [hide(matching(COSTLY))] }, letters(800_000));
    expect([host.included, explained.included]).toEqual([false, false]);
    expect(errors).toMatchObject([{ name: 'hide', errors: 1, lastError: expect.stringContaining('characters') }]);
  });

  it('hide it too when another rule makes what the filter looks at', () => {
    const mark = rule('mark', {
      conditions: matching(COSTLY),
      outcomes: [{ attribute_name: 'secret', attribute_value: 'yes' }],
    });
    const filter = hide([{ ...NAME_OF_TAG, tag: 'secret', value_match: 'equal', value: 'yes' }]);
    const rules = { custom_attributes: [mark], automation_filter: [filter] };
    expect(evaluate(rules, letters(800_000)).host.included).toBe(false);
  });

  it('leave the host where nothing is filtered, and rules that were decided', () => {
    const mark = rule('mark', {
      conditions: matching(COSTLY),
      outcomes: [{ attribute_name: 'marked', attribute_value: 'yes' }],
    });
    const colour = rule('paint', {
      condition_typ: 'anyway',
      outcomes: [{ attribute_name: 'colour', attribute_value: 'red' }],
    });
    const { host } = evaluate({ custom_attributes: [mark, colour] }, letters(800_000));
    expect([host.included, host.variables.value.colour, host.variables.value.marked]).toEqual([true, 'red', undefined]);
  });

  it('do not stand in the way of what is honest: long texts and large patterns', () => {
    const filter = hide(matching('(?:[a-z]+ ?){1,20}forbidden'));
    expect(evaluate({ automation_filter: [filter] }, 'some words of a banner '.repeat(40)).errors).toEqual([]);
    const plain = hide(matching('.*forbidden'));
    const { host, errors } = evaluate({ automation_filter: [plain] }, `${letters(200_000)} forbidden`);
    expect([host.included, errors]).toEqual([false, []]);
  });
});

describe('a pattern whose repetitions make millions', () => {
  it.each([
    ['nested', '(?:(?:a{0,30}){0,30})'.repeat(300)],
    ['nested more deeply', '(((a{30}){30})[b]{9}){900}'],
    ['with classes', '(?:\\d{1000}){20}[[:alpha:]]{999}'],
  ])('is no pattern: %s', (_name, value) => {
    const huge = rule('huge', { conditions: matching(value), outcomes: [] });
    const errors = compileProgram(programInput({ custom_attributes: [huge] })).errors();
    expect(errors).toMatchObject([
      { name: 'huge', lastError: expect.stringMatching(/repeats too much|does not compile/) },
    ]);
  });
});

describe('a rule on trial', () => {
  let service: BusyService;

  afterEach(() => service.stop());

  it('of a bad pattern on a long label answers, and holds nobody up', async () => {
    service = await BusyService.start();
    const attacker = await service.addCaller('attacker', ['rules']);
    const reader = await service.addCaller('reader', ['objects']);
    await service.addHosts(2, (index) => ({ motd: index === 0 ? letters(1_600_000) : 'short' }));
    const { _id, ...document } = rule('costly', {
      conditions: matching(COSTLY),
      outcomes: [{ attribute_name: 'marked', attribute_value: 'yes' }],
    });
    let isOver = false;
    const tried = service
      .run(tryRule, { rule_type: 'custom_attributes', document, hostname: 'host00000' }, attacker)
      .finally(() => {
        isOver = true;
      });
    await service.run(getHost, { hostname: 'host00001' }, reader);
    expect(isOver).toBe(false);
    const answer = await tried;
    expect(answer).toMatchObject({ change: 'none', rule: { errors: [expect.stringContaining('characters')] } });
    // The same rule where it can be decided.
    const decided = await service.run(
      tryRule,
      { rule_type: 'custom_attributes', document, hostname: 'host00001' },
      attacker,
    );
    expect(decided.rule?.errors).toEqual([]);
  });
});
