import { afterEach, expect, it } from 'vitest';
import { inLanguage } from '../../../src/adapters/admin/pages/language/service-texts.ts';
import { compileTemplate } from '../../../src/jinja/template.ts';
import { saidFault } from '../../../src/kit/template-fault.ts';
import { messageOf, textOf } from '../../../src/kit/worded.ts';
import { speakEnglish, speakGerman } from './speak-german.ts';

afterEach(speakEnglish);

/** As the failures of rules tell it: what the template says, and how a German page says that. */
function both(last_error: string): readonly [string, string] {
  const said = saidFault(last_error);
  speakGerman();
  const answer = { failures: [{ last_error, wording: messageOf(said).wording }] };
  const { failures } = inLanguage('rules/rule-failures', answer);
  return [textOf(said), failures[0]?.last_error ?? ''];
}

function faultOf(source: string): string {
  try {
    const result = compileTemplate(source).render({ get: () => undefined, attributes: () => new Map() });
    return result.ok ? '' : result.error.message;
  } catch (error) {
    return `the template does not compile: ${(error as Error).message}`;
  }
}

it.each([
  ['{{ tier }}', "'tier' is undefined", "'tier' ist nicht definiert"],
  [
    '{{ a b }}',
    "the template does not compile: unexpected 'b' (line 1)",
    "die Vorlage lässt sich nicht übersetzen: unerwartet: 'b' (Zeile 1)",
  ],
  [
    '\n{{ a',
    "the template does not compile: a tag is not closed by '}}' (line 2)",
    "die Vorlage lässt sich nicht übersetzen: ein Tag ist nicht mit '}}' geschlossen (Zeile 2)",
  ],
])('the fault of %j is told in both languages', (source, english, german) => {
  expect(both(faultOf(source))).toEqual([english, german]);
});

it('what nobody put into words stays as it is, also inside of what somebody did', () => {
  expect(both('plugin x: broken')).toEqual(['plugin x: broken', 'plugin x: broken']);
  expect(both('the template does not compile: odd')[1]).toBe('die Vorlage lässt sich nicht übersetzen: odd');
});
