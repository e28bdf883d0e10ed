import type { RuleDocument } from '../../ports/rule.ts';
import type { RuleType } from '../../ports/rule-type.ts';
import { memberText } from './members.ts';

/**
 * Returns the name of a document: the member that its type is keyed by, or else the name that the type derives; `""` for a
 * document without a name.
 */
export function documentName(
  { keyedBy, nameOf }: Pick<RuleType, 'keyedBy' | 'nameOf'>,
  document: RuleDocument,
): string {
  return memberText(document, keyedBy) || (nameOf?.(document) ?? '');
}
