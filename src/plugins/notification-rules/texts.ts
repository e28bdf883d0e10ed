import { memberList } from '../../kit/document/members.ts';
import type { RuleDocument } from '../../ports/rule.ts';

export function memberTexts(document: RuleDocument, name: string): readonly string[] {
  return memberList(document, name).filter((item): item is string => typeof item === 'string');
}
