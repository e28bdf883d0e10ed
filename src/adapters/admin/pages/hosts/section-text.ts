import { t } from '@lingui/core/macro';
import { isExact } from './labels/exact.ts';

const TEXTS = /"(?:[^"\\]|\\.)*"/gs;
const NUMBERS = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Returns the error in the text of a section, `null` if there is none. */
export function sectionProblem(text: string): string | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    return t`This is not JSON: ${message}`;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const example = '{"cores": 8}';
    return t`A section is a JSON object, such as ${example}`;
  }
  const lost = text
    .replace(TEXTS, '""')
    .match(NUMBERS)
    ?.find((number) => !isExact(number));
  return lost === undefined ? null : t`The number ${lost} cannot be stored exactly; write it in quotes`;
}

export function sectionOf(text: string): Record<string, never> {
  return JSON.parse(text) as Record<string, never>;
}
