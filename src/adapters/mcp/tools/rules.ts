import * as z from 'zod';
import { runAutorules } from '../../../app/autorules/operations/run-autorules.ts';
import type { Truncated } from '../../../app/kernel/cut-answer.ts';
import { documentSchema } from '../../../app/rules/document-schema.ts';
import { exportRules } from '../../../app/rules/operations/export-rules.ts';
import { importRules } from '../../../app/rules/operations/import-rules.ts';
import { listRules } from '../../../app/rules/operations/list-rules.ts';
import { bundleMembers, keptMembers, problemMembers } from '../../../app/rules/transfer/import-answer.ts';
import { counted } from '../../../kit/words/amounts.ts';
import { AppError, type JsonObject } from '../../../ports/index.ts';
import { ANSWER_CHARACTERS, cutJson } from '../answer-limit.ts';
import type { OperationCall } from '../operation-call.ts';
import { type ToolView, toolView } from '../tool.ts';
import { startSchema } from './paging.ts';
import { payloadMembers, payloadSchema } from './payload.ts';

const ruleType = z.string().describe('Ident of a rule type; see list_rule_types');
const counts = z.record(z.string(), z.number().int());
const off = z.boolean().default(false);
const override = off.describe('Replaces existing rules of the same id or name instead of skipping them');

export const ruleToolViews: Readonly<Record<string, ToolView>> = {
  [listRules.name]: toolView(
    z.strictObject({ rule_type: ruleType, start: startSchema }),
    z.object({ rule_type: z.string(), rules: z.array(documentSchema) }),
    rulesOfType,
  ),
  [exportRules.name]: toolView(
    z.strictObject({
      include_hosts: off.describe('Also host objects'),
      include_accounts: off.describe('Also accounts; their secrets stay encrypted'),
      include_users: off.describe('Also users with password hashes and roles: treat the answer as secret'),
    }),
    z.object({
      exported_at: z.string(),
      rules: z.record(z.string(), z.array(documentSchema)),
    }),
    allRules,
  ),
  [importRules.name]: toolView(
    z.strictObject({
      payload: payloadSchema,
      override,
      skip_broken: off.describe('Lists lines that are not JSON objects and continues, instead of importing nothing'),
      fire_existing_matches: off.describe(
        'Lets new firing rules of another installation run playbooks for what they match already, instead of counting that as fired',
      ),
    }),
    z.object({
      imported: counts,
      total: z.number().int(),
      duplicate: counts,
      invalid: counts,
      same: bundleMembers.same,
      different: bundleMembers.different,
      ...keptMembers,
      details: problemMembers.details,
      warnings: problemMembers.warnings,
      cannot_work: problemMembers.cannot_work,
    }),
    async ({ payload, ...options }, call) => {
      const input = { ...payloadMembers(payload), ...options };
      const { changes: _changes, differing: _differing, ...rest } = await call.value(importRules, input);
      return rest;
    },
  ),
  [runAutorules.name]: toolView(
    z.strictObject({ debug: off.describe('Verbose output in the log of the server') }),
    runAutorules.output,
    (input, call) => call.value(runAutorules, input),
  ),
};

interface RulesOfType {
  readonly rule_type: string;
  readonly rules: JsonObject[];
  readonly truncated?: Truncated;
}

async function rulesOfType(input: { rule_type: string; start: number }, call: OperationCall): Promise<RulesOfType> {
  const { text, whole } = await call.text(listRules, input, ANSWER_CHARACTERS);
  if (whole) return JSON.parse(text) as RulesOfType;
  const cut = cutJson(text.slice(0, ANSWER_CHARACTERS), 2);
  if (cut === undefined || cut.items === 0) throw tooLarge(input);
  const next = input.start + cut.items;
  return {
    ...(JSON.parse(cut.text) as RulesOfType),
    truncated: {
      note: `Cut after ${counted(cut.items, 'rule')}, because an answer is limited to ${ANSWER_CHARACTERS} characters. Continue with start=${next}.`,
      next_start: next,
    },
  };
}

function tooLarge({ rule_type, start }: { rule_type: string; start: number }): AppError {
  return new AppError(
    'too_large',
    `rule ${start} of ${rule_type} alone is longer than ${ANSWER_CHARACTERS} characters; pass it over with start=${start + 1}, or read the resource service://rules/${encodeURIComponent(rule_type)}`,
  );
}

interface AllRules {
  readonly exported_at: string;
  readonly rules: Record<string, JsonObject[]>;
  readonly truncated?: Truncated;
}

/** Every list of a cut answer is complete: types are there or not. */
async function allRules(input: Readonly<Record<string, boolean>>, call: OperationCall): Promise<AllRules> {
  const { text, whole } = await call.text(exportRules, input, ANSWER_CHARACTERS);
  if (whole) return JSON.parse(text) as AllRules;
  const cut = cutJson(text.slice(0, ANSWER_CHARACTERS), 2);
  if (cut === undefined) throw new AppError('internal', 'the export does not begin as an export');
  return {
    ...(JSON.parse(cut.text) as AllRules),
    truncated: {
      note: `An answer is limited to ${ANSWER_CHARACTERS} characters, so only the first types are included, each of them complete. Get the others of list_rule_types one by one with export_rules.`,
    },
  };
}
