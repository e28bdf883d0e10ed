import type * as z from 'zod';
import { phrase, type Said, saidInSchema, textOf, worded } from './worded.ts';

const KINDS: Readonly<Record<string, string>> = {
  string: phrase`must be text`,
  number: phrase`must be a number`,
  int: phrase`must be a whole number`,
  boolean: phrase`must be true or false`,
  array: phrase`must be a list`,
  object: phrase`must be an object`,
  record: phrase`must be an object`,
};

type Issue = z.core.$ZodRawIssue | z.core.$ZodIssue;

/** Returns what is wrong with a value, for people who do not know the schema library; `undefined` keeps the library's message. */
function plainSentence(issue: Issue): Said | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? phrase`is required` : KINDS[issue.expected];
    case 'invalid_value':
      if (issue.values.length === 1) return undefined;
      return worded`must be one of ${{ choices: issue.values.map(String).join(', ') }}`;
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    default:
      return undefined;
  }
}

function tooSmall({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall | RawTooSmall): Said {
  const least = String(minimum);
  const isCounted = origin === 'string' || origin === 'array';
  if (isCounted && least === '1') return phrase`must not be empty`;
  if (origin === 'string') return worded`must have at least ${{ least }} characters`;
  if (origin === 'array') return worded`must have at least ${{ least }} elements`;
  return inclusive ? worded`must be ${{ least }} or more` : worded`must be more than ${{ least }}`;
}

function tooBig({ origin, maximum, inclusive }: z.core.$ZodIssueTooBig | RawTooBig): Said {
  const most = String(maximum);
  if (origin === 'string') return worded`must not have more than ${{ most }} characters`;
  if (origin === 'array') return worded`must not have more than ${{ most }} elements`;
  return inclusive ? worded`must be ${{ most }} or less` : worded`must be less than ${{ most }}`;
}

type RawTooSmall = z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>;
type RawTooBig = z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>;

function plainMessage(issue: z.core.$ZodRawIssue): string | undefined {
  const said = plainSentence(issue);
  return said === undefined ? undefined : textOf(said);
}

/**
 * For `safeParse`. A message that a schema brings itself wins. The library copies this with `async` added to it for each check; where
 * that is missing, every copy is an object of another shape, which costs a read of one host 5 µs.
 */
export const PLAIN_MESSAGES = { error: plainMessage, async: false } as const;

/** Returns what is wrong, with its values if the message is one of those above or was made by `schemaText`. */
export function issueSentence(issue: z.core.$ZodIssue): Said {
  const said = plainSentence(issue);
  return said !== undefined && textOf(said) === issue.message ? said : saidInSchema(issue.message);
}

/** `members.0 must be text`: where something is wrong, and what. */
export function issueText({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${path.join('.')} ${message}`;
}
