import * as z from 'zod';
import { isValidUnicode } from '../../kernel/unicode.ts';

/** The words for both directions of each type of relation. */
const RELATION_LABELS = {
  depends_on: { outgoing: 'Depends on', inbound: 'Required by' },
  runs_on: { outgoing: 'Runs on', inbound: 'Hosts' },
  member_of: { outgoing: 'Member of', inbound: 'Contains' },
  parent_of: { outgoing: 'Parent of', inbound: 'Child of' },
  connects_to: { outgoing: 'Connects to', inbound: 'Reachable from' },
} as const;

export type RelationType = keyof typeof RELATION_LABELS;

export const relationTypeSchema = z.enum(Object.keys(RELATION_LABELS) as [RelationType, ...RelationType[]]);

export const provenanceSchema = z
  .string()
  .min(1)
  .max(100)
  .refine(isValidUnicode, 'is not valid Unicode')
  .describe('Provenance tag');

export function relationLabel(type: string, direction: 'outgoing' | 'inbound'): string {
  return RELATION_LABELS[type as RelationType]?.[direction] ?? type;
}
