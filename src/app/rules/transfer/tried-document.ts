import { memberReference, ownMember } from '../../../kit/document/members.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { detailOf, phrase, placed, saidAt } from '../../../kit/worded.ts';
import { AppError, type ErrorDetail, type JsonValue, type RuleDocument, type RuleType } from '../../../ports/index.ts';
import { type Caller, writerOf } from '../../kernel/caller.ts';
import { documentProblems } from '../engine/document-problems.ts';
import type { RuleServices } from '../services.ts';
import { refuseBeyondReach, refuseForeignDocument } from './account-scope.ts';

/**
 * Returns a document to try out without storing it, checked as in an import: what could not be stored is refused, with its places
 * below `path`. Trying a rule may show as much as having it does, so callers cannot try what they may not write.
 */
export async function triedDocument(
  services: RuleServices,
  caller: Caller,
  type: RuleType,
  given: JsonValue,
  path: string,
): Promise<RuleDocument> {
  refuseBeyondReach(type, caller);
  if (!isJsonObject(given))
    throw refusal('invalid_input', path, [{ path: '', message: phrase`must be a JSON object` }]);
  const problems = documentProblems(given, type, services.plugins);
  if (problems.length > 0) throw refusal('invalid_input', path, problems);
  const id = memberReference(given, '_id')?.toLowerCase();
  const stored = id === undefined ? undefined : await services.storage.rules.get(type.id, id);
  await refuseForeignDocument(services, caller, type, { given, existing: stored?.document.value, path });
  const refusals = type.refusals?.(given, stored?.document.value, writerOf(caller)) ?? [];
  if (refusals.length > 0) throw refusal('forbidden', path, refusals);
  return ownMember(given, '_id') === undefined ? { _id: { $oid: services.newId() }, ...given } : given;
}

function refusal(code: 'invalid_input' | 'forbidden', path: string, problems: readonly ErrorDetail[]): AppError {
  const details = problems.map((problem) =>
    detailOf([path, problem.path].filter((part) => part !== '').join('.'), saidAt(problem)),
  );
  const [first] = details;
  return new AppError(code, first === undefined ? path : placed(first), { details });
}
