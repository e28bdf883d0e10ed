import { textList } from '../../../app/kernel/options/values.ts';

const fieldList = textList().refine(
  (fields) => fields.every((field) => !field.startsWith('$') && !field.includes('.')),
  { message: 'must be names without dots that do not begin with $' },
);

/** Options of every source whose records are objects. */
export const recordOptions = {
  inventory_fields: fieldList
    .default([])
    .describe('Members with nested data that become inventory sections instead of labels, comma-separated'),
};
