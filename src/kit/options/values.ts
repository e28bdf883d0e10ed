import * as z from 'zod';
import type { Wording } from '../../ports/errors.ts';
import { phrase, schemaText, worded } from '../worded.ts';

/**
 * Kinds of options and settings whose values may also come as text: from the command line, variables and exported documents. Each
 * use adds `.default()` and `.describe()`, and `.meta({ aliases })` if installations have other names for it.
 */

const FLAG_WORDS = {
  truthy: ['true', '1', 'yes', 'on', 'y', 'enabled'],
  falsy: ['false', '0', 'no', 'off', 'n', 'disabled', 'none'],
};

// Each is made once: a schema costs some hundredths of a millisecond, and every command makes those of the configuration.
const FLAG: z.ZodType<boolean> = z.union(
  [z.boolean(), z.stringbool(FLAG_WORDS), z.literal([0, 1]).transform((number) => number === 1)],
  phrase`must be true or false (yes/no, on/off and 1/0 also work)`,
);

const NUMBER = z.number();

const DIGITS = z
  .string()
  .check(z.trim(), z.regex(/^[+-]?\d+(\.\d+)?$/))
  .transform(Number);

const TEXT_LIST: z.ZodType<readonly string[]> = z.union(
  [z.array(z.string()), z.string().transform(partsOf)],
  phrase`must be a comma-separated list`,
);

function partsOf(text: string): readonly string[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

/** Yes or no. */
export function flag(): z.ZodType<boolean> {
  return FLAG;
}

/** A number, or its digits. Nothing else: an empty text is not 0, and a list of one number is not the number. */
export function number(message = phrase`must be a number`): z.ZodType<number> {
  return z.union([NUMBER, DIGITS], message);
}

/** A whole number. */
export function whole(least: number, most?: number): z.ZodType<number> {
  const range = { least: String(least), most: String(most) };
  const checks: z.core.$ZodCheck<number>[] = [
    z.gte(least, schemaText(worded`must be at least ${{ least: range.least }}`)),
  ];
  if (most !== undefined) checks.push(z.lte(most, schemaText(worded`must be at most ${{ most: range.most }}`)));
  const [aNumber, aWhole] = most === undefined ? openRange(range) : closedRange(range);
  return number(schemaText(aNumber))
    .pipe(z.int(schemaText(aWhole)).check(...checks))
    .meta({ minimum: least, ...(most === undefined ? {} : { maximum: most }) });
}

/** Texts; as one text they are separated by commas. */
export function textList(): z.ZodType<readonly string[]> {
  return TEXT_LIST;
}

type Range = { readonly least: string; readonly most: string };

function openRange({ least }: Range): readonly [Wording, Wording] {
  return [worded`must be a number of ${{ least }} or more`, worded`must be a whole number of ${{ least }} or more`];
}

function closedRange({ least, most }: Range): readonly [Wording, Wording] {
  return [
    worded`must be a number from ${{ least }} to ${{ most }}`,
    worded`must be a whole number from ${{ least }} to ${{ most }}`,
  ];
}
