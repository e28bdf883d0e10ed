import { ownMember } from '../../kit/document/members.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import type { RulePreparation } from '../../ports/rule-type.ts';
import { sealMember } from '../shared/rule-types/secrets.ts';

export async function sealPolicy(document: RuleDocument, { seal }: RulePreparation): Promise<RuleDocument> {
  const policy = ownMember(document, 'webhook_policy');
  if (!isJsonObject(policy)) return document;
  const sealed = await sealMember(policy, 'secret', 'secret_crypted', (plain) =>
    seal(plain, 'webhook_policy.secret_crypted'),
  );
  return sealed === policy ? document : { ...document, webhook_policy: sealed };
}
