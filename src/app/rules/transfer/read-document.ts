import { documentName } from '../../../kit/document/document-name.ts';
import { memberFlag, memberText } from '../../../kit/document/members.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { detailOf, phrase, worded } from '../../../kit/worded.ts';
import type { ErrorDetail, JsonValue, RuleDocument, RuleProblem, RuleType } from '../../../ports/index.ts';
import { type Caller, isRestricted } from '../../kernel/caller.ts';
import { cannotRun, documentProblems } from '../engine/document-problems.ts';
import { isHostType } from '../rule-type-input.ts';
import { unmaskedDocument } from '../secrets/masked-documents.ts';
import type { HostDocuments, RuleServices } from '../services.ts';
import { isUnknownRuleType } from '../unknown-types.ts';
import { refuseForeignDocument } from './account-scope.ts';
import { givenId } from './document-ids.ts';
import { type ExistingDocuments, storedBefore } from './existing-documents.ts';
import { importedPasswordProblems } from './imported-passwords.ts';
import type { NameLikenesses } from './name-likenesses.ts';

/** How documents of a type that no plugin acts on are kept. */
export interface Keeping {
  readonly type: RuleType;
  /** Why they are not. */
  readonly refusal: string | undefined;
  /** Nothing ever acted on the type here, so what is stored of it takes part in nothing. */
  readonly isNew: boolean;
}

interface ReadContext {
  readonly existing: ExistingDocuments;
  /** Whether the import is an export of an existing installation. */
  readonly isExport: boolean;
  readonly hosts: HostDocuments;
}

interface ReadDocument {
  readonly document?: RuleDocument;
  readonly problems: readonly ErrorDetail[];
  /** Problems that keep the document from working, although it is stored. */
  readonly cannotWork?: readonly ErrorDetail[];
}

/** Reads a document of a kept type; a plugin that acts on the type will check the rest. */
export function readKept(
  { plugins }: RuleServices,
  { type, refusal }: Keeping,
  shown: JsonValue,
  existing: ExistingDocuments,
): ReadDocument {
  const invalid = (message: string) => ({ problems: [{ path: '', message }] });
  if (refusal !== undefined) return invalid(`its rule type ${refusal}`);
  if (!isJsonObject(shown)) return invalid(phrase`must be a JSON object`);
  const problems = documentProblems(shown, type, plugins);
  // Documents of unknown types are taken as they are.
  if (problems.length > 0 || isUnknownRuleType(type)) return { document: shown, problems };
  return unmaskedDocument(type, shown, storedBefore(type, shown, existing)?.document.value);
}

/**
 * The document with the stored secrets in the place of masks, and everything that makes it unable to work. One of an existing
 * installation, where texts mean more than they do here, is not lost for that; neither is one that is stored already and says
 * nothing new.
 */
export function readDocument(
  services: RuleServices,
  type: RuleType,
  shown: JsonValue,
  { existing, isExport, hosts }: ReadContext,
): ReadDocument {
  const found = problemsOf(services, type, shown, hosts);
  if (!isJsonObject(shown)) return { problems: found };
  const stored = storedBefore(type, shown, existing)?.document.value;
  // Exports of existing installations have an id in each document; documents written here have none.
  const isForeign = isExport && givenId(shown) !== undefined;
  const mayStand = found.length > 0 && (isForeign || saysNothingNew(services, type, shown, stored, found));
  const stands = mayStand && cannotRun(shown, type, found, services.plugins);
  if (found.length > 0 && !stands) return { problems: found };
  const cannotWork = stands ? { cannotWork: found } : {};
  if (type.secretMembers.length === 0) return { document: shown, problems: [], ...cannotWork };
  return { ...unmaskedDocument(type, shown, stored), ...cannotWork };
}

/** Whether a document that cannot work stays as it is, or is switched off. */
function saysNothingNew(
  { plugins }: RuleServices,
  type: RuleType,
  document: RuleDocument,
  stored: RuleDocument | undefined,
  problems: readonly ErrorDetail[],
): boolean {
  if (stored === undefined || (memberFlag(document, 'enabled') && !memberFlag(stored, 'enabled'))) return false;
  const before = new Set(documentProblems(stored, type, plugins).map(({ path, message }) => `${path}\n${message}`));
  return problems.every(({ path, message }) => before.has(`${path}\n${message}`));
}

/** Before anything else is said of a document. Hosts are looked up in portions, by `HostDocuments`. */
export async function refuseForeign(
  services: RuleServices,
  caller: Caller,
  type: RuleType,
  index: number,
  shown: JsonValue,
  existing: ExistingDocuments,
): Promise<void> {
  if (!isRestricted(caller) || isHostType(type) || !isJsonObject(shown)) return;
  await refuseForeignDocument(services, caller, type, {
    given: shown,
    existing: storedBefore(type, shown, existing)?.document.value,
    path: `${type.id}.${index}.${type.keyedBy}`,
  });
}

function problemsOf(
  services: RuleServices,
  type: RuleType,
  given: JsonValue,
  hosts: HostDocuments,
): readonly RuleProblem[] {
  if (!isJsonObject(given)) return [{ path: '', message: phrase`must be a JSON object` }];
  const problems = [...documentProblems(given, type, services.plugins), ...registryFaults(services, type, given)];
  // Hosts obey the same rules, whichever way they come.
  return problems.length === 0 && isHostType(type) ? hosts.faults(given) : problems;
}

/** Returns the problems of a document with regard to the stored documents and the preceding ones of the import. */
export function changeProblems(
  services: RuleServices,
  caller: Caller,
  type: RuleType,
  given: JsonValue,
  existing: ExistingDocuments,
  names: NameLikenesses,
): readonly ErrorDetail[] {
  if (!isJsonObject(given)) return [];
  const before = storedBefore(type, given, existing);
  const problems = [
    ...(type.changeProblems?.(given, before?.document.value) ?? []),
    ...importedPasswordProblems(services, caller, type, given),
  ];
  // A name that is not stored is not taken either.
  return problems.length > 0 ? problems : names.problems(documentName(type, given), before?.name);
}

/** Returns conflicts between the document and what plugins have registered. */
function registryFaults({ plugins }: RuleServices, type: RuleType, document: RuleDocument): readonly ErrorDetail[] {
  const unknown = (type.ruleTypesNamed?.(document) ?? []).filter(
    ({ ident }) => ident !== '' && plugins.ruleType(ident) === undefined,
  );
  const faults = unknown.map(({ path, ident }) => detailOf(path, worded`there is no rule type ${{ ident }}`));
  const name = memberText(document, type.keyedBy);
  if (type.namesProvider !== true || !plugins.isProviderName(name)) return faults;
  return [
    ...faults,
    detailOf(type.keyedBy, worded`${{ name }} is the name of an inventory provider; choose another one`),
  ];
}
