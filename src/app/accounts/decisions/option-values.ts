import * as z from 'zod';

const TRUE = ['true', '1', 'yes', 'on'];
const FALSE = ['false', '0', 'no', 'off', 'none'];

/** A yes/no option. Options come as text from the command line and from exported documents. */
export function flag(): z.ZodType<boolean> {
  const text = z.stringbool({ truthy: TRUE, falsy: FALSE });
  return z.union([z.boolean(), text], { error: 'must be true or false' });
}
