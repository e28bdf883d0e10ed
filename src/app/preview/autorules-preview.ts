import * as z from 'zod';
import type { AutorulesReport } from '../rules/autorules-pass.ts';
import { documentSchema } from '../rules/document-schema.ts';

/** What autorules would make, as operations answer it. */
export const autorulesPreviewSchema = z.object({
  hosts: z.number().int().describe('Hosts and objects that were looked at'),
  rules: z.number().int().describe('Rules that would be made'),
  existing: z.number().int().describe('Times that a rule of the name was there already and stays as it is'),
  whole_values: z
    .array(
      z.object({
        autorule: z.string(),
        attribute: z.string(),
        members: z.array(z.string()).describe('Names of its members; none for a list'),
        rules: z.number().int().describe('Rules that would have it'),
      }),
    )
    .describe('Attributes that are objects or lists and would stand in rules as a whole, as text'),
  enabled: z.number().int().describe('Of the rules, those that would be enabled'),
  positions: z
    .object({ lowest: z.number().int(), highest: z.number().int() })
    .nullable()
    .describe('Lowest and highest position (sort_field) of the rules; null when there are none'),
  errors: z.number().int(),
  first: z
    .array(
      z.object({
        rule_type: z.string(),
        name: z.string(),
        autorule: z.string(),
        hostname: z.string(),
        enabled: z.boolean(),
        sort_field: z.number().int().describe('Position among the rules of its type'),
        document: documentSchema,
      }),
    )
    .describe('The first of the rules'),
  problems: z.array(z.string()).describe('The first of the errors'),
});

export function autorulesPreview(pass: AutorulesReport): z.output<typeof autorulesPreviewSchema> {
  return {
    hosts: pass.hosts,
    rules: pass.created,
    existing: pass.existing,
    whole_values: pass.wholes.map(({ members, ...whole }) => ({ ...whole, members: [...members] })),
    enabled: pass.enabled,
    positions: pass.positions ?? null,
    errors: pass.errors,
    first: pass.made.map(({ ruleType, sortField, ...made }) => ({
      rule_type: ruleType,
      ...made,
      sort_field: sortField,
    })),
    problems: [...pass.problems],
  };
}
