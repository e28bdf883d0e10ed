import * as z from 'zod';
import { RELATION_LABELS } from '../../kit/records/relation-labels.ts';
import { isValidUnicode } from '../../kit/unicode.ts';
import { phrase, worded } from '../../kit/worded.ts';
import { AppError } from '../../ports/index.ts';
import type { Config } from '../kernel/config/schema.ts';

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

const WITHOUT = worded`relations are not enabled here; set CMDB_MODE to true in the configuration`;

/** Relations exist only in CMDB mode: otherwise why not. */
export function withoutCmdbMode({ CMDB_MODE }: Pick<Config, 'CMDB_MODE'>): string | undefined {
  return CMDB_MODE ? undefined : WITHOUT.text;
}

export function requireCmdbMode(config: Pick<Config, 'CMDB_MODE'>): void {
  if (withoutCmdbMode(config) !== undefined) throw new AppError('not_found', WITHOUT);
}
