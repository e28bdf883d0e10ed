import * as z from 'zod';

/** One problem of one document of an import. */
export const problemSchema = z.object({
  rule_type: z.string(),
  index: z.number().int().describe('Position within its type, from 0'),
  name: z.string(),
  path: z.string(),
  message: z.string(),
});

export const problemMembers = {
  details: z.array(problemSchema).describe('Why documents are invalid'),
  warnings: z.array(problemSchema).describe('References to documents that do not exist'),
};
