import * as z from 'zod';
import { secondsOf } from '../../kit/words/moment.ts';
import { documentSchema } from '../rules/document-schema.ts';
import { switchSchema } from '../rules/rule-type-input.ts';
import type { Drift } from './drift.ts';
import type { FolderPlan, PlannedRemoval } from './plan.ts';

export const folderInput = {
  documents: z
    .array(
      z.object({
        rule_type: z.string().min(1).describe('Ident of a rule type'),
        document: documentSchema.describe(
          'As "rules export" writes it; {"$secret": "…"} for a secret, {"$stored": true} for the one that is stored',
        ),
        place: z.string().max(1000).optional().describe('Its file and line, for messages'),
      }),
    )
    .min(1, 'the folder holds no documents, and an empty one is taken for a mistake')
    .max(20_000)
    .describe('Every rule and account of the folder'),
  applyset: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, 'must be letters, digits, ., _ and -')
    .default('default')
    .describe(
      'Name of the set of documents that the folder is; several folders of one instance have names of their own',
    ),
  prune: switchSchema.describe(
    '1 also removes what an earlier apply of this set made and the folder does not have any more',
  ),
};

const changesSchema = z.array(
  z.object({ path: z.string(), before: z.unknown().optional(), after: z.unknown().optional() }),
);

const named = { rule_type: z.string(), name: z.string(), id: z.string() };

export const planMembers = {
  applyset: z.string(),
  create: z.number().int(),
  update: z.number().int(),
  delete: z.number().int(),
  unchanged: z.number().int(),
  changes: z
    .array(
      z.object({
        ...named,
        action: z.enum(['create', 'update', 'delete']),
        place: z.string().nullable(),
        changes: changesSchema.describe('Fields that differ; secrets are masked'),
        drift: z
          .object({
            change: z.enum(['changed', 'removed']),
            by: z.string(),
            at: z.string(),
            changes: changesSchema,
          })
          .nullable()
          .describe('Changes made since the last apply that this one reverts'),
        taken_from: z.string().nullable().describe('The set of documents that it belonged to before'),
      }),
    )
    .describe('Everything that differs from the folder'),
  not_in_folder: z
    .array(z.object({ ...named, reason: z.enum(['needs_prune', 'made_by_hand']) }))
    .describe('Items that were applied before, are not in the folder any more, and stay'),
  warnings: z.array(
    z.object({
      rule_type: z.string(),
      name: z.string(),
      place: z.string().nullable(),
      path: z.string(),
      message: z.string(),
    }),
  ),
  basis: z.string().describe('Give it to an apply, which then does just this or nothing'),
};

interface PlanInput {
  readonly documents: readonly { readonly place?: string | undefined }[];
  readonly applyset: string;
  readonly prune: boolean;
}

export function planAnswer(plan: FolderPlan, { documents: given, applyset, prune }: PlanInput) {
  const count = (action: string): number => plan.documents.filter((document) => document.action === action).length;
  const changed = plan.documents.flatMap(({ action, type, name, id, place, changes, drift, mark }) =>
    action === 'none'
      ? []
      : [
          {
            rule_type: type.id,
            name,
            id,
            action,
            place: place ?? null,
            changes: [...changes],
            drift: driftAnswer(drift),
            taken_from: mark === undefined || mark.applyset === applyset ? null : mark.applyset,
          },
        ],
  );
  const removed = prune ? plan.removals : [];
  const kept = prune ? [] : plan.removals;
  return {
    applyset,
    create: count('create'),
    update: count('update'),
    delete: removed.length,
    unchanged: count('none'),
    changes: [
      ...changed,
      ...removed.map((removal) => ({
        ...namesOf(removal),
        action: 'delete' as const,
        place: null,
        changes: [],
        drift: driftAnswer(removal.drift),
        taken_from: null,
      })),
    ],
    not_in_folder: [
      ...kept.map((removal) => ({ ...namesOf(removal), reason: 'needs_prune' as const })),
      ...plan.left.map((removal) => ({ ...namesOf(removal), reason: 'made_by_hand' as const })),
    ],
    warnings: plan.warnings.map(({ rule_type, name, index, path, message }) => ({
      rule_type,
      name,
      place: given[index]?.place ?? null,
      path,
      message,
    })),
    basis: plan.basis,
  };
}

function namesOf({ type, record }: PlannedRemoval) {
  return { rule_type: type.id, name: record.name, id: record.id };
}

function driftAnswer(drift: Drift | undefined) {
  return drift === undefined ? null : { ...drift, at: secondsOf(drift.at), changes: [...drift.changes] };
}
