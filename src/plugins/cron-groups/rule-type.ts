import { isIP } from 'node:net';
import { memberProblems, membersSchema } from '../../kit/document/member-table.ts';
import { isSameDocument, memberObjects, memberReference, memberText, ownMember } from '../../kit/document/members.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import { phrase } from '../../kit/worded.ts';
import type { ErrorDetail } from '../../ports/errors.ts';
import type { JsonObject } from '../../ports/json.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import type { RulePreparation, RuleType, RuleWriter } from '../../ports/rule-type.ts';
import { sealMember } from '../shared/rule-types/secrets.ts';
import { members } from './members.ts';

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
  countedMembers: ['run_once_next', 'paused_until'],
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

function cronGroupProblems(document: RuleDocument): readonly ErrorDetail[] {
  return [...memberProblems(document, members), ...policyProblems(document)];
}

function policyProblems(document: RuleDocument): readonly ErrorDetail[] {
  const policy = ownMember(document, 'webhook_policy');
  if (!isJsonObject(policy)) return [];
  const problems: ErrorDetail[] = [];
  if (memberText(policy, 'secret') === '' && memberText(policy, 'secret_crypted') === '') {
    problems.push({ path: 'webhook_policy.secret', message: phrase`is required` });
  }
  const networks = ownMember(policy, 'allow_ips');
  if (!Array.isArray(networks)) return problems;
  for (const [index, network] of networks.entries()) {
    if (typeof network === 'string' && isNetwork(network)) continue;
    problems.push({
      path: `webhook_policy.allow_ips.${index}`,
      message: phrase`must be an address or a network as 10.0.0.0/8`,
    });
  }
  return problems;
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, more] = text.trim().split('/');
  const version = isIP(address);
  if (version === 0 || more !== undefined) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

async function sealPolicy(document: RuleDocument, { seal }: RulePreparation): Promise<RuleDocument> {
  const policy = ownMember(document, 'webhook_policy');
  if (!isJsonObject(policy)) return document;
  const sealed = await sealMember(policy, 'secret', 'secret_crypted', (plain) =>
    seal(plain, 'webhook_policy.secret_crypted'),
  );
  return sealed === policy ? document : { ...document, webhook_policy: sealed };
}

/** Jobs run with full rights and on behalf of no user, and the effects of a job beyond its account are up to its plugin. */
function cronGroupRefusals(
  document: RuleDocument,
  existing: RuleDocument | undefined,
  { accounts }: RuleWriter,
): readonly ErrorDetail[] {
  if (accounts === null || isSameDocument(document, existing)) return [];
  return [{ path: 'jobs', message: phrase`users restricted to accounts cannot write jobs, which run with all rights` }];
}
