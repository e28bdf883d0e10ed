import type { RuleDocument } from '../../ports/rule.ts';
import type { RulePreparation } from '../../ports/rule-type.ts';
import { sealClearMembers, sealMember } from '../shared/rule-types/secrets.ts';

/** A clear password becomes its hash, and a clear secret of a second factor is encrypted. */
export async function prepareUser(
  document: RuleDocument,
  { hashPassword, seal }: RulePreparation,
): Promise<RuleDocument> {
  return sealMember(await sealClearMembers(document, ['tfa_secret'], seal), 'password', 'pwdhash', hashPassword);
}
