import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { AppError, type RuleRecord, type RuleType } from '../../../ports/index.ts';
import type { Caller } from '../../kernel/caller.ts';
import { requireDocumentType, requireRule } from '../require-rule.ts';
import { ruleTypeSchema } from '../rule-type-input.ts';
import { defineOperation, type RuleServices } from '../services.ts';
import { exceedsHolder, needsSecond } from '../settle-changes.ts';
import { namedRules } from '../several-rules.ts';
import { confirmerOf } from '../trust/confirmer.ts';
import { forgetHeld, heldRemovals, heldVersion, pendingRemoval } from '../trust/held-versions.ts';
import { actsOf } from '../trust/pending.ts';

/** Number of versions of a document that are checked for changes by the caller. */
const MOST_VERSIONS = 1000;

export const confirmRule = defineOperation({
  name: 'rules/confirm-rule',
  title: 'Confirm document',
  description:
    'Confirms a document that someone else wrote, so that it may make the machine act: a cron group, a rule that runs playbooks, sets connection variables or shows a secret of an account, an account, a user.',
  effect: 'write',
  roles: ['administrator'],
  weight: 'light',
  at: { page: true },
  input: z.object({
    rule_type: ruleTypeSchema,
    rule: z.string().min(1).describe('Name or id of the document'),
    version: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe(
        'The version that was read; a newer one is not confirmed. Needs the id of the document as rule, because a name may be another document by then. Absent: the present one',
      ),
  }),
  output: z.object({
    status: z.literal('confirmed'),
    rule_type: z.string(),
    id: z.string(),
    name: z.string(),
    version: z.number().int(),
    acts: z.array(z.string()).describe('Actions on the machine that it causes'),
  }),
  subject: (input) => `${input.rule_type} ${input.rule}`,
  async run({ rule_type, rule, version }, { services, caller, actsOn }) {
    const type = requireDocumentType(services, rule_type);
    const by = confirmerOf(caller);
    if (by === null) throw new AppError('forbidden', worded`only an administrator confirms documents`);
    const removal = await pendingRemoval(services.storage.rules, type, rule);
    const record = removal ?? (await requireRule(services, caller, type, rule));
    actsOn(namedRules(type, [record]));
    const { id, name } = record;
    const held = (await heldRemovals(services.storage.rules))({ type: type.id, id });
    await refuseBeyondHeld(services, caller, type, record);
    if (removal !== undefined) {
      if (version !== undefined && version !== record.version) throw changedMeanwhile(type, name);
      await forgetHeld(services.storage.rules, [held], services.clock.now());
      return { status: 'confirmed' as const, rule_type: type.id, id, name, version: record.version, acts: [] };
    }
    if (version !== undefined && rule !== id) {
      throw new AppError(
        'invalid_input',
        worded`rule: name the document by its id, which was read with its version; ${{ rule }} may be another one by now`,
      );
    }
    const expectedVersion = version ?? record.version;
    const outcome = await services.storage.rules.confirm({ type: type.id, id, expectedVersion, by });
    if (outcome === 'not_found')
      throw new AppError('not_found', worded`there is no rule ${{ rule }} of type ${{ id: type.id }}`);
    if (outcome === 'conflict') throw changedMeanwhile(type, name);
    await forgetHeld(services.storage.rules, [held], services.clock.now());
    return {
      status: 'confirmed' as const,
      rule_type: type.id,
      id,
      name,
      version: expectedVersion,
      acts: [...actsOf(type, record)],
    };
  },
});

/** Throws if the caller would confirm for others what they do not hold themselves. */
async function refuseBeyondHeld(
  services: RuleServices,
  caller: Caller,
  type: RuleType,
  record: RuleRecord,
): Promise<void> {
  const acting = (await heldVersion(services.storage.rules, type.id, record.id, record))?.acting;
  if (await needsSecond(services, type, acting, record.document.value)) {
    const versions = await services.storage.rules.versions(type.id, record.id, MOST_VERSIONS);
    const isOwn = versions.some(({ version, actor }) => version > (acting?.version ?? 0) && actor === caller.name);
    if (isOwn && caller.entrance !== 'cli') throw ownChange(record.name);
  }
  if (!(await exceedsHolder(services, caller, type, record.id, record.document.value))) return;
  throw new AppError(
    'forbidden',
    worded`documents of type ${{ type: type.id }} give more than you hold, so ${{ name: record.name }} is confirmed by someone who holds that`,
  );
}

function ownChange(name: string): AppError {
  return new AppError('forbidden', worded`you changed ${{ name }} yourself; another user has to confirm it`);
}

function changedMeanwhile({ id }: RuleType, name: string): AppError {
  return new AppError(
    'conflict',
    worded`${{ id }} ${{ name }} was changed meanwhile; read it again before you confirm it`,
  );
}
