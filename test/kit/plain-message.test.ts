import { expect, it } from 'vitest';
import * as z from 'zod';
import { PLAIN_MESSAGES } from '../../src/kit/plain-message.ts';

it.each([
  [z.string(), undefined, 'is required'],
  [z.string(), 1, 'must be text'],
  [z.coerce.number(), 'many', 'must be a number'],
  [z.number().int(), 1.5, 'must be a whole number'],
  [z.array(z.string()), {}, 'must be a list'],
  [z.object({}), 1, 'must be an object'],
  [z.string().min(1), '', 'must not be empty'],
  [z.string().min(1, 'is missing'), '', 'is missing'],
  [z.string().min(3), 'a', 'must have at least 3 characters'],
  [z.string().max(3), 'aaaa', 'must not have more than 3 characters'],
  [z.array(z.string()).min(1), [], 'must not be empty'],
  [z.number().min(1), 0, 'must be 1 or more'],
  [z.number().positive(), 0, 'must be more than 0'],
  [z.number().max(5), 6, 'must be 5 or less'],
  [z.enum(['a', 'b']), 'c', 'must be one of a, b'],
  [z.string().regex(/x/, 'must hold an x'), 'a', 'must hold an x'],
])('a value that does not fit is explained in plain words (%#)', (schema, value, message) => {
  const result = (schema as z.ZodType).safeParse(value, PLAIN_MESSAGES);
  expect(result.error?.issues.map((issue) => issue.message)).toEqual([message]);
});
