import { isSameDocument } from '../../kit/document/members.ts';
import { phrase } from '../../kit/worded.ts';
import type { ErrorDetail } from '../../ports/errors.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import type { RuleWriter } from '../../ports/rule-type.ts';

/** Jobs run with all rights, in nobody's name, and what a job does beside its account is its plugin's business. */
export function cronGroupRefusals(
  document: RuleDocument,
  existing: RuleDocument | undefined,
  { accounts }: RuleWriter,
): readonly ErrorDetail[] {
  if (accounts === null || isSameDocument(document, existing)) return [];
  return [{ path: 'jobs', message: phrase`users restricted to accounts cannot write jobs, which run with all rights` }];
}
