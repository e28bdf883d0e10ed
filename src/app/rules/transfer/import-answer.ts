import * as z from 'zod';
import type { Caller } from '../../kernel/caller.ts';
import { problemsFor } from './document-problem.ts';
import type { ImportResult, TypeCounts } from './import-documents.ts';

/** One problem of one document of an import. */
const problemSchema = z.object({
  rule_type: z.string(),
  index: z.number().int().describe('Position within its type, from 0; -1 for a line that is not a document'),
  line: z.number().int().optional().describe('Number of its line, from 1, if the file has JSON lines'),
  name: z.string(),
  path: z.string(),
  message: z.string(),
});

const memberChangeSchema = z.object({
  path: z.string(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
});

export const problemMembers = {
  details: z.array(problemSchema).describe('Why documents are invalid'),
  warnings: z
    .array(problemSchema)
    .describe(
      'Missing references of documents, such as other documents or roles; the documents are stored all the same',
    ),
  cannot_work: z
    .array(problemSchema)
    .optional()
    .describe(
      'Why documents of an existing installation do nothing here; they are stored as they came, and counted as imported',
    ),
  changes: z
    .array(
      z.object({
        rule_type: z.string(),
        name: z.string(),
        change: z.enum(['new', 'changed']),
        changes: z.array(memberChangeSchema),
      }),
    )
    .optional()
    .describe('With dry_run: what would change in which rule; secrets are masked'),
  differing: z
    .array(z.object({ rule_type: z.string(), name: z.string(), changes: z.array(memberChangeSchema) }))
    .optional()
    .describe(
      'With dry_run: what is here with other content; stays without override, and is replaced with it. Secrets are masked: without changes, only they differ',
    ),
};

/** Returns the members of an answer that report problems and changes, in addition to the counts. */
export function problemAnswer(result: ImportResult, dryRun: boolean, caller: Caller) {
  return {
    details: problemsFor(caller, result.details),
    warnings: problemsFor(caller, result.warnings),
    ...(result.cannotWork.length > 0 ? { cannot_work: problemsFor(caller, result.cannotWork) } : {}),
    ...(dryRun ? previewAnswer(result) : {}),
  };
}

function previewAnswer({ changes, differing }: ImportResult) {
  return {
    changes: changes.map((change) => ({ ...change, changes: [...change.changes] })),
    differing: differing.map(({ change: _, ...rest }) => ({ ...rest, changes: [...rest.changes] })),
  };
}

/** The members of an answer that say what was stored without effect. */
export const keptMembers = {
  kept: z
    .record(z.string(), z.number().int())
    .optional()
    .describe('Documents that are stored without effect, by type: of kept types, and of unknown types'),
  waits_for: z
    .record(z.string(), z.string())
    .optional()
    .describe('What the documents of each of these types wait for, as words that follow "its documents"'),
};

export function keptAnswer({ counts, keptTypes }: ImportResult) {
  if (keptTypes.size === 0) return {};
  const kept = [...keptTypes];
  return {
    kept: Object.fromEntries(kept.map(([type]) => [type, counts.get(type)?.imported ?? 0])),
    waits_for: Object.fromEntries(kept.map(([type, { reason }]) => [type, reason])),
  };
}

/** The numbers of documents that existed already, with the same or different content. Host objects are not compared. */
const likenessMembers = {
  same: z
    .record(z.string(), z.number().int())
    .describe('Rules that were here already as they are in the import: without override they are duplicates'),
  different: z
    .record(z.string(), z.number().int())
    .describe('Rules that were here with other content: without override they stay, and are duplicates'),
};

/** The members of an answer to an import of rules of several types. */
export const bundleMembers = {
  imported: z.record(z.string(), z.number().int()),
  total: z.number().int(),
  duplicate: z.record(z.string(), z.number().int()),
  invalid: z.record(z.string(), z.number().int()),
  ...likenessMembers,
  ...keptMembers,
  ...problemMembers,
};

export function bundleAnswer(result: ImportResult, dryRun: boolean, caller: Caller) {
  const all = [...result.counts];
  const known = all.filter(([type]) => result.keptTypes.get(type)?.isKnown !== false);
  const pick = (entries: typeof all, name: keyof TypeCounts) =>
    Object.fromEntries(entries.map(([type, counts]) => [type, counts[name] ?? 0]));
  return {
    imported: pick(known, 'imported'),
    total: known.reduce((sum, [, counts]) => sum + counts.imported, 0),
    duplicate: pick(all, 'duplicate'),
    invalid: pick(all, 'invalid'),
    same: pick(all, 'same'),
    different: pick(all, 'different'),
    ...keptAnswer(result),
    ...problemAnswer(result, dryRun, caller),
  };
}
