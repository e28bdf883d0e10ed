import type { RuleDocument } from '../../ports/rule.ts';
import type { RuleType } from '../../ports/rule-type.ts';
import { memberText } from './members.ts';

/** What a document is called: by the member that its type is keyed by, else as the type says; `""` for one without a name. */
export function documentName(
  { keyedBy, nameOf }: Pick<RuleType, 'keyedBy' | 'nameOf'>,
  document: RuleDocument,
): string {
  return memberText(document, keyedBy) || (nameOf?.(document) ?? '');
}
