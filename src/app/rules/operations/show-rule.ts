import * as z from 'zod';
import { AUTORULES } from '../../../kit/document/autorule-condition.ts';
import { secondsOf } from '../../../kit/words/moment.ts';
import type { RuleRecord } from '../../../ports/index.ts';
import { documentSchema } from '../document-schema.ts';
import { runProblems } from '../engine/document-problems.ts';
import { isFireMarked } from '../fire-marks.ts';
import { maker } from '../made-by-autorule.ts';
import { changeOf, removalOf } from '../pending-documents.ts';
import { isVisible, requireRule, requireStoredDocumentType } from '../require-rule.ts';
import { problemsSchema, ruleTypeSchema } from '../rule-type-input.ts';
import { maskedDocument } from '../secrets/masked-documents.ts';
import { defineOperation, type RuleServices } from '../services.ts';
import { heldVersion, pendingRemoval, restrictionOf } from '../trust/held-versions.ts';
import { actsOf } from '../trust/pending.ts';

export const showRule = defineOperation({
  name: 'rules/show-rule',
  title: 'Show rule',
  description:
    'One rule document with its version, to be edited and saved. Secrets are masked; saving keeps masked ones.',
  effect: 'read',
  roles: ['rules'],
  weight: 'heavy',
  at: { page: true },
  input: z.object({ rule_type: ruleTypeSchema, rule: z.string().min(1).describe('Name or id of the rule') }),
  output: z.object({
    rule_type: z.string(),
    id: z.string(),
    name: z.string(),
    version: z.number().int(),
    changed_at: z.string(),
    document: documentSchema,
    made_by: z
      .object({
        autorule: z.string(),
        id: z.string().nullable().describe('Id of the autorule; null when none of its name is left'),
        hostname: z.string(),
      })
      .nullable()
      .describe('The autorule that made it, and the host that it was made for; null where something else did'),
    acts: z.array(z.string()).describe('Actions on the machine that it causes'),
    counts_as_fired: z
      .boolean()
      .describe(
        'It came from another installation and was not evaluated here yet: what it matches at first counts as fired, and runs nothing',
      ),
    problems: problemsSchema.describe('Why it cannot work, though it is stored as an existing installation had it'),
    waits: z
      .array(z.string())
      .describe('Actions on the machine that it would cause once confirmed; empty when it does not wait'),
  }),
  async run({ rule_type, rule }, { services, caller }) {
    const type = await requireStoredDocumentType(services, rule_type);
    const removed = await pendingRemoval(services.storage.rules, type, rule);
    const isShown = removed !== undefined && isVisible(type, removed, caller);
    const record = isShown ? removed : await requireRule(services, caller, type, rule);
    const acts = [...actsOf(type, record)];
    const held = restrictionOf(type) && (await heldVersion(services.storage.rules, type.id, record.id, record));
    return {
      rule_type: type.id,
      id: record.id,
      name: record.name,
      version: record.version,
      changed_at: secondsOf(record.changedAt),
      document: maskedDocument(type, record.document.value),
      made_by: await madeBy(services, record),
      acts,
      counts_as_fired: await isFireMarked(services.storage, record.id),
      problems: runProblems(record.document.value, type, services.plugins),
      waits: isShown
        ? [removalOf(record)]
        : record.confirmedBy === null
          ? [...acts, ...(held === undefined ? [] : [changeOf(held)])]
          : [],
    };
  },
});

/** Returns the autorule that made the rule, taken from the oldest version that is kept. */
async function madeBy({ storage }: RuleServices, { type, id }: RuleRecord) {
  const first = await storage.rules.oldestVersion(type, id);
  const found = first === undefined ? undefined : maker(first);
  if (found === undefined) return null;
  const autorule = await storage.rules.findByName(AUTORULES, found.autorule);
  return { ...found, id: autorule?.id ?? null };
}
