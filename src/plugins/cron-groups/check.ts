import { isIP } from 'node:net';
import { memberProblems } from '../../kit/document/member-table.ts';
import { memberText, ownMember } from '../../kit/document/members.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import { phrase } from '../../kit/worded.ts';
import type { ErrorDetail } from '../../ports/errors.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import { members } from './members.ts';

export function cronGroupProblems(document: RuleDocument): readonly ErrorDetail[] {
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
