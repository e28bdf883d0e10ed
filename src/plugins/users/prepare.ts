import type { RuleDocument } from '../../ports/rule.ts';
import type { RulePreparation } from '../../ports/rule-type.ts';
import { sealMember } from '../shared/rule-types/secrets.ts';

/** A clear password becomes its hash. */
export function prepareUser(document: RuleDocument, { hashPassword }: RulePreparation): Promise<RuleDocument> {
  return sealMember(document, 'password', 'pwdhash', hashPassword);
}
