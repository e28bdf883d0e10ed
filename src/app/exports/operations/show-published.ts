import * as z from 'zod';
import { accountNameSchema } from '../../accounts/operations/show-account.ts';
import { noteRead } from '../../inventory/operations/render-inventory.ts';
import { defineOperation } from '../../runs/services.ts';
import { publishedText, requirePublished } from '../published-files.ts';
import { publishedTextView } from '../views/published.ts';
import { publishedAnswer, publishedSchema } from './list-published.ts';

/** Longest text: see `MAX_PUBLISHED` for the size of a file, whose text may be highly compressed. */
const MOST_CHARACTERS = 1_000_000_000;
/** Characters of the answer around the text. */
const FRAME_CHARACTERS = 1_000;

export const showPublished = defineOperation({
  name: 'exports/show-published',
  title: 'Text of a published file',
  description: 'Shows a file that the exports of an account publish, for people; programs read the file itself.',
  effect: 'read',
  roles: ['automation'],
  acrossAccounts: true,
  weight: 'light',
  at: {
    command: {
      words: 'published show',
      description: 'Print a file that the exports of an account publish, as programs read it.',
      summary: 'print a published file',
      arguments: {
        account: { shown: '<account>', description: 'name of the account' },
        file: { shown: '<file>', description: 'name of the file, as "muster published list" shows it' },
      },
      fixed: { limit: MOST_CHARACTERS },
      json: 'answer the file and its text as JSON',
      examples: ['muster published show prometheus targets.json'],
      view: publishedTextView,
    },
    tool: { name: 'show_published_file' },
    page: true,
  },
  input: z.object({
    account: accountNameSchema,
    file: z.string().min(1).describe('Name of the file'),
    start: z.number().int().min(0).default(0).describe('Characters before the text that is answered'),
    limit: z.number().int().min(1).max(MOST_CHARACTERS).default(50_000).describe('Most characters to answer'),
  }),
  output: publishedSchema.extend({
    account: z.string(),
    text: z.string(),
    next_start: z.number().int().nullable().describe('Position of the rest; null when there is none'),
  }),
  async run({ account, file: name, start, limit }, { services, caller, answerCharacters = Number.POSITIVE_INFINITY }) {
    const { id } = await services.accounts.inScope(account, caller.scope);
    const file = await requirePublished(services.storage.published, { id, account, name });
    // The secrets that rules show in the file were decided when it was made, perhaps by another process.
    noteRead(
      services,
      caller,
      { operation: 'exports/show-published', subject: `${account}/${name}` },
      'may show secrets',
    );
    const most = Math.min(limit, answerCharacters);
    const beginning = await publishedText(file, start + most + 2);
    const textTo = (end: number): string => beginning.slice(wholeCharacters(beginning, start), end);
    let end = wholeCharacters(beginning, start + most);
    while (JSON.stringify(textTo(end)).length + FRAME_CHARACTERS > answerCharacters) {
      end = wholeCharacters(beginning, start + Math.floor((Math.min(end, beginning.length) - start) / 2));
    }
    return {
      account,
      ...publishedAnswer(file),
      text: textTo(end),
      next_start: end < beginning.length ? end : null,
    };
  },
});

/** An end that leaves no half of a character behind. */
function wholeCharacters(text: string, end: number): number {
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(end)) ? end + 1 : end;
}
