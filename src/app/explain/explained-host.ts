import * as z from 'zod';
import { labelsSchema } from '../hosts/host-schemas.ts';
import type { HostExplanation, Origin } from '../rules/engine/explanation.ts';

const explanationSchema = z.custom<HostExplanation>().meta({
  type: 'object',
  description:
    'For every attribute and variable its value, origin and earlier values; for every rule whether it hit, and the deciding condition with both sides. Secrets are masked.',
});

const originSchema = z.custom<Origin>().meta({
  type: 'object',
  description: 'Origin: `kind` is rule, label, inventory, template, row, account, imports or core',
});

export const explainedHostSchema = z.object({
  hostname: z.string(),
  provider: z.string(),
  projects: z.array(z.string()).describe('Which projects there are to explain, by name'),
  targets: z.array(z.string()).describe('Which accounts there are to explain an export to, by name'),
  target: z
    .object({
      account: z.string(),
      type: z.string(),
      wanted: z
        .array(
          z.object({
            kind: z.string(),
            key: z.string(),
            fields: z.record(z.string(), z.unknown()),
            rule: z.object({ id: z.string(), type: z.string(), name: z.string() }).nullable(),
          }),
        )
        .nullable()
        .describe('The desired objects of the host; null for a target that writes all hosts at once'),
      problem: z.string().optional().describe('Why its desired state there is not known, or is empty'),
    })
    .optional()
    .describe('Outcome for the host in the requested target'),
  account: z.string().nullable().describe('Whose host it is; null for a row of a pasted list too'),
  replaces: z
    .object({ account: z.string().nullable() })
    .optional()
    .describe('The stored host of the same name, whose place a row of a pasted list takes'),
  explanation: explanationSchema,
  groups: z
    .array(
      z.object({
        group: z.string(),
        above: z
          .string()
          .nullable()
          .describe('The group of the host that it is a parent of; null if the host itself is in it'),
        origin: originSchema.nullable().describe('Source of the group; null if it is not known'),
      }),
    )
    .describe('The groups of the host, parent groups after their children; none if it is not included'),
  obstacle: z
    .string()
    .optional()
    .describe('Why no run uses these rules: not all that are enabled can be evaluated as written'),
  contributions: z
    .array(
      z.object({
        account: z.string(),
        precedence: z.number(),
        owner: z.boolean(),
        labels: labelsSchema,
      }),
    )
    .describe('Which account gives which labels, highest precedence first; empty when only the owner does'),
});

export type ExplainedHost = z.infer<typeof explainedHostSchema>;

/** The explanation with nothing but what concerns these names; all of it when there are none. */
export function concerning(explanation: HostExplanation, names: readonly string[]): HostExplanation {
  if (names.length === 0) return explanation;
  const wanted = (entry: { readonly name: string }): boolean => names.includes(entry.name);
  const attributes = explanation.attributes.filter(wanted);
  const variables = explanation.variables.filter(wanted);
  const shown = [...attributes, ...variables].filter(({ withheld }) => withheld === undefined);
  const served = new Set(shown.map(({ name, servedAs }) => servedAs ?? name));
  return {
    ...explanation,
    attributes,
    variables,
    rules: explanation.rules.filter((rule) => rule.changes.some(wanted)),
    result: Object.fromEntries(Object.entries(explanation.result).filter(([name]) => served.has(name))),
  };
}
