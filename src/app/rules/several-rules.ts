import * as z from 'zod';
import { phrase, schemaText, worded } from '../../kit/worded.ts';
import { grouped } from '../../kit/words/amounts.ts';
import { AppError, type RuleRecord, type RuleType } from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { requireRule } from './require-rule.ts';
import type { RuleServices } from './services.ts';

const MOST_RULES = 1000;
/** Number of rules that the audit log names. */
const NAMED = 20;

/** Rules on which one call acts; one that is named twice counts once. */
export const severalRules = z
  .array(z.string().min(1))
  .min(1, phrase`name at least one rule`)
  .max(MOST_RULES, schemaText(worded`at most ${{ most: String(MOST_RULES) }} rules are named in one call`))
  .transform((names) => [...new Set(names)])
  .describe('Names or ids of the rules');

/** For the audit log, before the rules are found. */
export function subjectOf(input: { readonly rule_type: string; readonly rules: readonly string[] }): string {
  return `${input.rule_type} ${firstOf(input.rules)}`;
}

/** For the audit log: by what people search, and by what stays the same when a rule is renamed. */
export function namedRules(type: Pick<RuleType, 'id'>, rules: readonly Pick<RuleRecord, 'id' | 'name'>[]): string {
  return `${type.id} ${firstOf(rules.map(namedRule))}`;
}

/** One of them, without its type. */
export function namedRule({ id, name }: Pick<RuleRecord, 'id' | 'name'>): string {
  return `${name} (${id})`;
}

/** As many as the audit log names. */
export function firstOf(rules: readonly string[]): string {
  const rest = rules.length - NAMED;
  const named = rules.slice(0, NAMED).join(', ');
  return `${named}${rest > 0 ? ` and ${grouped(rest)} more` : ''}`;
}

/** The rules of these names or ids, each once. Nothing is changed before all of them are found. */
export async function requireRules(
  services: RuleServices,
  caller: Caller,
  type: RuleType,
  rules: readonly string[],
): Promise<readonly RuleRecord[]> {
  const found = new Map<string, RuleRecord>();
  for (const rule of rules) {
    const record = await requireRule(services, caller, type, rule);
    found.set(record.id, record);
  }
  return [...found.values()];
}

/** Documents with commands of their own, which do more than to change a document. */
export function refuseOwnCommands(type: RuleType, what: string): void {
  if (type.id !== 'accounts' && type.id !== 'users') return;
  throw new AppError(
    'invalid_input',
    worded`${{ id: type.id }} are not ${{ what }} as rules; use the commands of ${{ id: type.id }}`,
  );
}
