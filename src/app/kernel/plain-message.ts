import type * as z from 'zod';

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

type Issue = z.core.$ZodRawIssue;

/** What is wrong with a value, for people who do not know the schema library; `undefined` leaves the message to it. */
function plainMessage(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type': {
      if (issue.input === undefined) return 'is required';
      const kind = KINDS[issue.expected];
      return kind === undefined ? undefined : `must be ${kind}`;
    }
    case 'invalid_value':
      return issue.values.length === 1 ? undefined : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      if (issue.origin === 'string') return least(issue.minimum, 'characters');
      if (issue.origin === 'array') return least(issue.minimum, 'elements');
      return issue.inclusive ? `must be ${issue.minimum} or more` : `must be more than ${issue.minimum}`;
    case 'too_big':
      if (issue.origin === 'string') return `must not have more than ${issue.maximum} characters`;
      if (issue.origin === 'array') return `must not have more than ${issue.maximum} elements`;
      return issue.inclusive ? `must be ${issue.maximum} or less` : `must be less than ${issue.maximum}`;
    default:
      return undefined;
  }
}

function least(minimum: number | bigint, parts: string): string {
  return Number(minimum) === 1 ? 'must not be empty' : `must have at least ${minimum} ${parts}`;
}

/** For `safeParse`. A message that a schema brings itself wins. */
export const PLAIN_MESSAGES = { error: plainMessage } as const;

/** `members.0 must be text`: where something is wrong, and what. */
export function issueText({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${path.join('.')} ${message}`;
}
