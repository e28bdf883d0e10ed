import * as z from 'zod';
import { worded } from '../../kit/worded.ts';
import { AppError, type RuleType } from '../../ports/index.ts';
import type { RuleServices } from './services.ts';
import { storedUnknownType } from './unknown-types.ts';

export const ruleTypeSchema = z.string().describe('Ident of a rule type');

export const problemsSchema = z.array(z.object({ path: z.string(), message: z.string() }));

/** A switch as query strings, bodies and commands carry it. */
export const switchSchema = z
  .union(
    [z.boolean(), z.enum(['0', '1', 'true', 'false', '']).transform((text) => text === '1' || text === 'true')],
    'must be true or false',
  )
  .default(false);

/** Existing documents that an import leaves alone, which replaces others. */
export const leaveSchema = z
  .array(z.object({ rule_type: z.string(), name: z.string() }))
  .default([])
  .describe('With override: existing rules that stay as they are');

/** The same as `type/name`. */
export function leavesOf(leave: z.output<typeof leaveSchema>): ReadonlySet<string> {
  return new Set(leave.map(({ rule_type, name }) => `${rule_type}/${name}`));
}

/** Option of imports, since firing rules have usually fired in the installation they come from. */
export const fireExistingSchema = switchSchema.describe(
  '1 lets new rules of another installation (with an _id, or under the name of the type there) fire for what they match already, instead of counting that as fired',
);

/** Option of imports by an administrator, who vouches for the imported documents. */
export const confirmSchema = switchSchema.describe(
  '1 confirms what waits here as the import has it, or what the export marks as waiting, when an administrator imports it',
);

/** Host documents live among the hosts, not among the rules. */
export function isHostType(type: Pick<RuleType, 'id'>): boolean {
  return type.id === 'host_objects';
}

/** Returns the registered type with that ident or alias, or an unknown one that has documents; otherwise throws `not_found`. */
export async function requireStoredType(services: RuleServices, ident: string): Promise<RuleType> {
  const type = services.plugins.ruleType(ident) ?? (await storedUnknownType(services, ident));
  return type ?? requireRuleType(services, ident);
}

/** The registered type of that ident or alias, else `not_found`. */
export function requireRuleType(services: RuleServices, ident: string): RuleType {
  const type = services.plugins.ruleType(ident);
  if (type !== undefined) return type;
  throw new AppError(
    'not_found',
    worded`there is no rule type ${{ ident }}; known ones: ${{ known: services.plugins.ruleTypeIds().join(', ') }}`,
  );
}
