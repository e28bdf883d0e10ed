import { RE2JS } from 're2js';
import { shown } from '../file-source/fault.ts';
import { worded } from '../worded.ts';
import { OptionFault } from './option-fault.ts';

const MAX_PATTERN_LENGTH = 1_000;
/** Parts of the pattern times characters of a text, which is a tenth of a second at worst. */
const MAX_STEPS = 1_000_000;

/** Whether a pattern of RE2's syntax is found in a text, in linear time. Throws `OptionFault`. */
export function textPattern(source: string): (text: string) => boolean {
  const pattern = compiled(source);
  const longest = Math.floor(MAX_STEPS / pattern.programSize());
  return (text) => {
    if (text.length <= longest) return pattern.test(text);
    const [length, most] = [String(text.length), String(longest)];
    throw new OptionFault(
      worded`record_filter compares a text of ${{ length }} characters; for the pattern ${{ pattern: shown(source) }} at most ${{ most }} are allowed`,
    );
  };
}

function compiled(source: string): RE2JS {
  if (source.length > MAX_PATTERN_LENGTH) {
    const most = String(MAX_PATTERN_LENGTH);
    throw new OptionFault(worded`record_filter has a pattern of more than ${{ most }} characters`);
  }
  try {
    return RE2JS.compile(source);
  } catch (error) {
    const problem = worded`record_filter has a pattern that does not compile`;
    throw new OptionFault(error instanceof Error ? worded`${{ problem }}: ${{ reason: error.message }}` : problem);
  }
}
