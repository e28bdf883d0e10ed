import * as z from 'zod';
import { RELATION_LABELS } from '../../kit/records/relation-labels.ts';
import { isValidUnicode } from '../../kit/unicode.ts';
import { phrase } from '../../kit/worded.ts';

export type RelationType = keyof typeof RELATION_LABELS;

export const relationTypeSchema = z.enum(Object.keys(RELATION_LABELS) as [RelationType, ...RelationType[]]);

export const provenanceSchema = z
  .string()
  .min(1)
  .max(100)
  .refine(isValidUnicode, phrase`is not valid Unicode`)
  .describe('Provenance tag');

export function relationLabel(type: string, direction: 'outgoing' | 'inbound'): string {
  return RELATION_LABELS[type as RelationType]?.[direction] ?? type;
}
