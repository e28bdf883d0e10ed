import { membersSchema } from '../../kit/document/member-table.ts';
import { memberObjects, memberReference, memberText, ownMember } from '../../kit/document/members.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import type { JsonObject } from '../../ports/json.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import type { RuleType } from '../../ports/rule-type.ts';
import { cronGroupProblems } from './check.ts';
import { members } from './members.ts';
import { sealPolicy } from './policy.ts';
import { cronGroupRefusals } from './refusals.ts';

export const cronGroups: RuleType = {
  id: 'cron_groups',
  aliases: [],
  title: 'Cron groups',
  description: 'Jobs that run one after the other, on a schedule, on request or by a webhook.',
  keyedBy: 'name',
  group: 'Automation',
  uniqueNames: true,
  conditional: false,
  exportGroup: 'rules',
  secretMembers: ['webhook_token_hash', 'webhook_policy.secret', 'webhook_policy.secret_crypted'],
  get schema() {
    return membersSchema(members);
  },
  check: cronGroupProblems,
  references: (document) =>
    memberObjects(document, 'jobs').flatMap((job, index) => {
      const target = memberReference(job, 'account');
      return target === undefined ? [] : [{ path: `jobs.${index}.account`, type: 'accounts', target }];
    }),
  jobsNamed: (document) =>
    memberObjects(document, 'jobs').map((job, index) => ({
      path: `jobs.${index}.command`,
      command: memberText(job, 'command'),
    })),
  acts: (document) => [
    ...memberObjects(document, 'jobs').map((job) => `runs the job ${memberText(job, 'command')}`),
    ...(opensWebhook(document) ? ['lets a webhook start it'] : []),
  ],
  restricts: { part: (document) => ownMember(document, 'webhook_policy') },
  prepare: sealPolicy,
  refusals: cronGroupRefusals,
  visible(document, { accounts, templates }) {
    if (templates !== null) return false;
    const jobs = memberObjects(document, 'jobs');
    const isTheirs = (job: JsonObject): boolean => accounts?.includes(memberReference(job, 'account') ?? '') ?? true;
    return accounts === null || (jobs.length > 0 && jobs.every(isTheirs));
  },
};

function opensWebhook(document: RuleDocument): boolean {
  return memberText(document, 'webhook_token_hash') !== '' || isJsonObject(ownMember(document, 'webhook_policy'));
}
