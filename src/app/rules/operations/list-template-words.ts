import * as z from 'zod';
import { ALL_TESTS, FILTERS } from '../../../jinja/filters.ts';
import { FUNCTIONS } from '../../../jinja/functions.ts';
import { defineOperation } from '../services.ts';

const word = z.object({
  name: z.string(),
  signature: z.string().describe('With its arguments: replace(old, new, count?)'),
  description: z.string().describe('Description, for words that plugins bring'),
});

export const listTemplateWords = defineOperation({
  name: 'rules/list-template-words',
  title: 'Words of templates',
  description: 'The filters, tests and functions that templates of rules may use, those of plugins too.',
  effect: 'read',
  roles: ['rules'],
  weight: 'light',
  at: { page: true },
  input: z.object({}),
  output: z.object({ filters: z.array(word), tests: z.array(word), functions: z.array(word) }),
  async run(_input, { services }) {
    const added = services.plugins.templateFilters().map(({ item: { id, description } }) => ({
      name: id,
      signature: id,
      description,
    }));
    return {
      filters: [...wordsOf(FILTERS), ...added].sort(byName),
      tests: wordsOf(ALL_TESTS).sort(byName),
      functions: wordsOf(FUNCTIONS).sort(byName),
    };
  },
});

interface Word {
  readonly parameters: readonly string[];
  readonly required: number;
  readonly variadic: boolean;
}

function wordsOf(words: Iterable<readonly [string, Word]>): { name: string; signature: string; description: string }[] {
  return [...words].map(([name, word]) => ({ name, signature: signatureOf(name, word), description: '' }));
}

function signatureOf(name: string, { parameters, required, variadic }: Word): string {
  if (variadic) return `${name}(…)`;
  if (parameters.length === 0) return name;
  return `${name}(${parameters.map((parameter, index) => (index < required ? parameter : `${parameter}?`)).join(', ')})`;
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}
