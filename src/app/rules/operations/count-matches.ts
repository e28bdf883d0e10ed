import * as z from 'zod';
import type { RuleDocument } from '../../../ports/index.ts';
import { hostScopeOf } from '../../kernel/caller.ts';
import { memberReference } from '../document/members.ts';
import { documentSchema } from '../document-schema.ts';
import { projectOf } from '../project-of.ts';
import { requireDocumentType } from '../require-rule.ts';
import { ruleTypeSchema } from '../rule-type-input.ts';
import { defineOperation } from '../services.ts';
import { triedDocument } from '../transfer/tried-documents.ts';

const BATCH_SIZE = 100;
/** Somebody is typing: a count that is not exact is better than one that comes late. */
const PATIENCE_MS = 4000;

export const countMatches = defineOperation({
  name: 'rules/count-matches',
  title: 'Count what a rule matches',
  description:
    'How many hosts a rule would hit if it were stored and enabled, behind all rules that run before it. Stores nothing.',
  effect: 'read',
  roles: ['rules'],
  weight: 'preview',
  at: { page: true },
  input: z.object({
    rule_type: ruleTypeSchema,
    document: documentSchema,
    project: z.string().optional().describe('The provider to look at; absent: automation'),
  }),
  output: z.object({
    matches: z.number().int().describe('Hosts that it hits'),
    looked: z.number().int().describe('Hosts that were looked at'),
    hosts: z.number().int().describe('Hosts that there are'),
    is_exact: z.boolean().describe('False where there was no time to look at all of them'),
    passed: z.number().int().describe('Hosts that rules before it took out, or ended the run for'),
  }),
  async run({ rule_type, document: given, project }, { services, caller, signal }) {
    const type = requireDocumentType(services, rule_type);
    const document: RuleDocument = { ...(await triedDocument(services, caller, type, given, '')), enabled: true };
    const program = await services.evaluators.withDocuments(
      new Map([[type.id, [document]]]),
      projectOf(project),
      type.evaluation?.target,
    );
    const id = memberReference(document, '_id');
    const filter = { scope: hostScopeOf(caller), kind: 'hosts', state: 'active' } as const;
    const hosts = await services.storage.hosts.count(filter);
    const end = Date.now() + PATIENCE_MS;
    const counted = { matches: 0, looked: 0, passed: 0 };
    for await (const batch of services.storage.hosts.scan(filter, BATCH_SIZE)) {
      signal.throwIfAborted();
      for (const host of batch) {
        const rule = program.explain(host).rules.find((one) => one.type === type.id && one.id === id);
        if (rule?.outcome === 'hit') counted.matches++;
        if (rule?.outcome === 'left' || rule?.outcome === 'stopped') counted.passed++;
      }
      counted.looked += batch.length;
      if (Date.now() > end) break;
    }
    return { ...counted, hosts, is_exact: counted.looked >= hosts };
  },
});
