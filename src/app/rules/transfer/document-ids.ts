import { memberText, ownMember, referenceValue } from '../../../kit/document/members.ts';
import { derivedId } from '../../../kit/names/derived-id.ts';
import type { RuleDocument, RuleRecord, RuleType } from '../../../ports/index.ts';
import { isHostType } from '../rule-type-input.ts';
import { secretPaths } from '../secrets/secret-paths.ts';
import type { RuleServices } from '../services.ts';
import { isUnknownRuleType } from '../unknown-types.ts';

/** The name that no other document of the type may have; names that documents lack are not unique. */
export function uniqueName(type: RuleType, document: RuleDocument): string | undefined {
  return (type.uniqueNames && memberText(document, type.keyedBy)) || undefined;
}

export function givenId(document: RuleDocument): string | undefined {
  return referenceValue(ownMember(document, '_id'))?.toLowerCase();
}

/** An id for a document that has none. */
function madeId(services: RuleServices, type: RuleType, given: RuleDocument): string {
  if (isUnknownRuleType(type)) return idOfContent(type, given);
  // It is also recognized by its content, unless that contains a secret, which could be guessed from the id.
  const isTold = type.kept !== undefined && uniqueName(type, given) === undefined;
  if (isTold && secretPaths(type, given).length === 0) return idOfContent(type, given);
  return isHostType(type) ? derivedId(memberText(given, type.keyedBy).trim()) : services.newId();
}

/** Returns the id for storing the document: replacing by name keeps the stored id, and secrets are sealed for it. */
export function idOf(
  services: RuleServices,
  type: RuleType,
  given: RuleDocument,
  before: RuleRecord | undefined,
  newIds: Map<string, string>,
  override: boolean,
): string {
  const name = uniqueName(type, given);
  if (override && name !== undefined && before !== undefined) return before.id;
  const id = givenId(given) ?? madeId(services, type, given);
  if (!override || name === undefined) return id;
  const first = newIds.get(name) ?? id;
  newIds.set(name, first);
  return first;
}

/**
 * Derives the id of a document of an unknown type from its content, so that the same document is recognized again. Whether names
 * are unique there is unknown: without an id they are assumed to be.
 */
function idOfContent(type: RuleType, document: RuleDocument): string {
  return derivedId(`${type.id}\n${JSON.stringify(document)}`);
}

/** Sets `_id`, which is the first member in new documents and keeps its position in given ones. */
export function withId(document: RuleDocument, id: string): RuleDocument {
  const stored = { $oid: id };
  return ownMember(document, '_id') === undefined ? { _id: stored, ...document } : { ...document, _id: stored };
}
