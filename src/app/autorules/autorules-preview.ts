import * as z from 'zod';
import { memberObjects } from '../../kit/document/members.ts';
import type { Wording } from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { documentSchema } from '../rules/document-schema.ts';
import { outcomeLine } from '../rules/outcome-line.ts';
import type { RuleServices } from '../rules/services.ts';
import type { AutorulesReport } from './autorules-pass.ts';

const madeRule = z.object({
  rule_type: z.string(),
  name: z.string(),
  autorule: z.string(),
  hostname: z.string(),
  enabled: z.boolean(),
  sort_field: z.number().int().describe('Position among the rules of its type'),
  document: documentSchema,
});

/** The preview of autorules, as operations return it. */
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
    .describe('Attributes that are objects or lists and would be written into rules as a whole, as text'),
  enabled: z.number().int().describe('Number of these rules that would be enabled'),
  positions: z
    .object({ lowest: z.number().int(), highest: z.number().int() })
    .nullable()
    .describe('Lowest and highest position (sort_field) of the rules; null when there are none'),
  errors: z.number().int(),
  first: z.array(madeRule).describe('The first of the rules'),
  problems: z.array(z.string()).describe('The first of the errors'),
});

/** The same with words for pages. */
export const wordedPreviewSchema = autorulesPreviewSchema.extend({
  first: z.array(
    madeRule.extend({
      outcome_lines: z
        .array(z.custom<Wording>().meta({ type: 'object' }))
        .optional()
        .describe('Its outcomes in words'),
    }),
  ),
});

export function autorulesPreview(
  { plugins }: Pick<RuleServices, 'plugins'>,
  { entrance }: Pick<Caller, 'entrance'>,
  pass: AutorulesReport,
): z.output<typeof wordedPreviewSchema> {
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
      ...(entrance === 'admin' && {
        outcome_lines: memberObjects(made.document, 'outcomes').map((outcome) =>
          outcomeLine(plugins.ruleType(ruleType), outcome),
        ),
      }),
    })),
    problems: [...pass.problems],
  };
}
