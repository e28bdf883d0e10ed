import { likelySecrets } from '../../../kit/document/likely-secrets.ts';
import { memberPath } from '../../../kit/json/member-path.ts';
import type { RuleDocument, RuleType } from '../../../ports/index.ts';

/**
 * The paths of the secret members of a document: those that its type declares and, where nobody knows all members, those that
 * are secrets going by their names.
 */
export function secretPaths(type: Pick<RuleType, 'kept' | 'secretMembers'>, document: RuleDocument): readonly string[] {
  if (type.kept === undefined) return type.secretMembers;
  return [...new Set([...type.secretMembers, ...likelySecrets(document).map(memberPath)])];
}
