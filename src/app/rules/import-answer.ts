import * as z from 'zod';
import type { ImportResult, TypeCounts } from './transfer/import-documents.ts';

/** One problem of one document of an import. */
const problemSchema = z.object({
  rule_type: z.string(),
  index: z.number().int().describe('Position within its type, from 0'),
  name: z.string(),
  path: z.string(),
  message: z.string(),
});

export const problemMembers = {
  details: z.array(problemSchema).describe('Why documents are invalid'),
  warnings: z
    .array(problemSchema)
    .describe('What documents name but does not exist, such as other documents or roles; they are stored all the same'),
  changes: z
    .array(
      z.object({
        rule_type: z.string(),
        name: z.string(),
        change: z.enum(['new', 'changed']),
        changes: z.array(z.object({ path: z.string(), before: z.unknown().optional(), after: z.unknown().optional() })),
      }),
    )
    .optional()
    .describe('With dry_run: what would change in which rule; secrets are masked'),
};

/** The members of an answer that say what was found beside the counts. */
export function problemAnswer(result: ImportResult, dryRun: boolean) {
  return {
    details: [...result.details],
    warnings: [...result.warnings],
    ...(dryRun ? { changes: result.changes.map((change) => ({ ...change, changes: [...change.changes] })) } : {}),
  };
}

/** The members of an answer to an import of rules of several types. */
export const bundleMembers = {
  imported: z.record(z.string(), z.number().int()),
  total: z.number().int(),
  duplicate: z.record(z.string(), z.number().int()),
  invalid: z.record(z.string(), z.number().int()),
  kept: z
    .record(z.string(), z.number().int())
    .optional()
    .describe('Documents of unknown types, by type: stored as they are, without effect'),
  ...problemMembers,
};

export function bundleAnswer(result: ImportResult, dryRun: boolean) {
  const all = [...result.counts];
  const known = all.filter(([type]) => !result.keptTypes.has(type));
  const kept = all.filter(([type]) => result.keptTypes.has(type));
  const pick = (entries: typeof all, name: keyof TypeCounts) =>
    Object.fromEntries(entries.map(([type, counts]) => [type, counts[name]]));
  return {
    imported: pick(known, 'imported'),
    total: known.reduce((sum, [, counts]) => sum + counts.imported, 0),
    duplicate: pick(all, 'duplicate'),
    invalid: pick(all, 'invalid'),
    ...(kept.length > 0 ? { kept: pick(kept, 'imported') } : {}),
    ...problemAnswer(result, dryRun),
  };
}
