import { likelySecrets } from '../../../kit/document/likely-secrets.ts';
import { memberPath } from '../../../kit/json/member-path.ts';
import type { RuleDocument, RuleType } from '../../../ports/index.ts';

/**
 * Returns the paths of the secret members of a document: those that its type declares and, if not all members are known, those
 * whose names suggest a secret.
 */
export function secretPaths(type: Pick<RuleType, 'kept' | 'secretMembers'>, document: RuleDocument): readonly string[] {
  if (type.kept === undefined) return type.secretMembers;
  return [...new Set([...type.secretMembers, ...likelySecrets(document).map(memberPath)])];
}
