import { type Said, worded } from './worded.ts';

/** The common faults of templates and patterns: the texts as they are thrown, and the sentences that they are. */
const SENTENCES: readonly (readonly [RegExp, (...parts: string[]) => Said])[] = [
  [
    /^the template does not compile: (.+)$/s,
    (problem = '') => worded`the template does not compile: ${{ problem: saidFault(problem) }}`,
  ],
  [/^the pattern does not compile: (.+)$/s, (problem = '') => worded`the pattern does not compile: ${{ problem }}`],
  [
    /^(.+) \(line (\d+)\)$/s,
    (problem = '', line = '') => worded`${{ problem: saidFault(problem) }} (line ${{ line }})`,
  ],
  [/^'([^']*)' is undefined$/, (name = '') => worded`'${{ name }}' is undefined`],
  [/^unexpected '(.*)'$/s, (token = '') => worded`unexpected '${{ token }}'`],
  [/^there is no filter '([^']*)'$/, (name = '') => worded`there is no filter '${{ name }}'`],
  [/^there is no function '([^']*)'$/, (name = '') => worded`there is no function '${{ name }}'`],
  [/^there is no test '([^']*)'$/, (name = '') => worded`there is no test '${{ name }}'`],
  [/^a tag is not closed by '(.*)'$/, (closer = '') => worded`a tag is not closed by '${{ closer }}'`],
  [/^a bracket is not closed$/, () => worded`a bracket is not closed`],
  [/^brackets do not match$/, () => worded`brackets do not match`],
  [/^a tag is empty$/, () => worded`a tag is empty`],
  [/^a comment is not closed$/, () => worded`a comment is not closed`],
  [/^a text in quotation marks is not closed$/, () => worded`a text in quotation marks is not closed`],
  [/^the template takes too many steps$/, () => worded`the template takes too many steps`],
  [/^the template takes too long$/, () => worded`the template takes too long`],
];

/** Returns the sentence for a template error, with its parts if the error is a common one; every other stays plain text. */
export function saidFault(message: string): Said {
  for (const [pattern, said] of SENTENCES) {
    const found = pattern.exec(message);
    if (found !== null) return said(...found.slice(1));
  }
  return message;
}
