import * as z from 'zod';

/**
 * The kinds of options and settings that come as text too: from the command line, variables and exported documents. Whoever declares
 * one adds `.default()` and `.describe()`, and `.meta({ aliases })` where installations have other names for it.
 */

const FLAG_WORDS = {
  truthy: ['true', '1', 'yes', 'on', 'y', 'enabled'],
  falsy: ['false', '0', 'no', 'off', 'n', 'disabled', 'none'],
};

/** Yes or no. */
export function flag(): z.ZodType<boolean> {
  return z.union(
    [z.boolean(), z.stringbool(FLAG_WORDS), z.literal([0, 1]).transform((number) => number === 1)],
    'must be true or false (yes/no, on/off and 1/0 also work)',
  );
}

/** A number, or its digits. Nothing else: an empty text is not 0, and a list of one number is not the number. */
export function number(message = 'must be a number'): z.ZodType<number> {
  const digits = z
    .string()
    .trim()
    .regex(/^[+-]?\d+(\.\d+)?$/)
    .transform(Number);
  return z.union([z.number(), digits], message);
}

/** A whole number. */
export function whole(least: number, most?: number): z.ZodType<number> {
  const range = most === undefined ? `of ${least} or more` : `from ${least} to ${most}`;
  const limited = z.int(`must be a whole number ${range}`).min(least, `must be at least ${least}`);
  return number(`must be a number ${range}`)
    .pipe(most === undefined ? limited : limited.max(most, `must be at most ${most}`))
    .meta({ minimum: least, ...(most === undefined ? {} : { maximum: most }) });
}

/** Texts; as one text they are separated by commas. */
export function textList(): z.ZodType<readonly string[]> {
  const fromText = z.string().transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );
  return z.union([z.array(z.string()), fromText], 'must be a comma-separated list');
}
