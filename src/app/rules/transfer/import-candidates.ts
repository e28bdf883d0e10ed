import { createHash } from 'node:crypto';
import {
  type Actor,
  AppError,
  documentPlace,
  type ErrorDetail,
  type JsonValue,
  type RuleDocument,
  type RuleProblem,
  type RuleRecord,
  type RuleType,
  type RuleWrite,
  StoredJson,
} from '../../../ports/index.ts';
import { type Caller, isRestricted, writerOf } from '../../kernel/caller.ts';
import { isJsonObject } from '../../kernel/json/json-object.ts';
import { documentName } from '../document/document-name.ts';
import { memberFlag, memberText, ownMember, referenceValue } from '../document/members.ts';
import { cannotRun, documentProblems } from '../engine/document-problems.ts';
import { bindSecrets } from '../secrets/bind-secrets.ts';
import { secretPaths } from '../secrets/secret-paths.ts';
import type { RuleServices } from '../services.ts';
import { voucherOfReplacement } from '../trust/voucher.ts';
import { isUnknownRuleType } from '../unknown-types.ts';
import { refuseForeignDocument } from './account-scope.ts';
import type { BrokenLine } from './bundle.ts';
import { hostDocumentFaults, hostId } from './host-documents.ts';
import { importedPasswordProblems } from './imported-passwords.ts';
import { unmaskedDocument } from './masked-documents.ts';
import type { NameLikenesses } from './name-likenesses.ts';

export interface ImportOptions {
  /** Replaces existing documents instead of counting them as duplicates. */
  readonly override: boolean;
  /** Only counts and checks. */
  readonly dryRun?: boolean;
  readonly actor?: Actor;
  /** When the documents count as written; absent: now. */
  readonly at?: Date;
  /**
   * Given for an import, where documents may come from another installation: what new rules from there match at first counts as
   * fired, unless this is true. Absent where somebody writes a document here.
   */
  readonly fireExisting?: boolean;
  /** Lines of the file that are no documents: each counts as an invalid one. */
  readonly broken?: readonly BrokenLine[];
  /** For one document that replaces the version which was read: when somebody changed it meanwhile, the import is a `conflict`. */
  readonly expectedVersion?: number;
  /**
   * True for a change that the program makes by itself or has checked otherwise (a password, a token): whoever vouches for the
   * document still does. Else it is the caller's word.
   */
  readonly keepsConfirmation?: boolean;
  /** What the program keeps beside the documents; written in one unit with them. */
  readonly alongside?: readonly RuleWrite[];
}

export interface Candidate {
  readonly type: RuleType;
  readonly index: number;
  readonly document: RuleDocument;
  /** What stood in its place when the import began. */
  readonly before: RuleRecord | undefined;
  readonly write: RuleWrite;
  /** Whether it came under a name or with an id that another installation gave it. */
  readonly isForeign: boolean;
  /** As it came, when secrets in it were sealed for the place of a new document: it may turn out not to be new. */
  readonly resealed: RuleDocument | undefined;
}

interface ReadDocument {
  readonly document?: RuleDocument;
  readonly problems: readonly ErrorDetail[];
  /** What keeps the document from working, though it is stored. */
  readonly cannotWork?: readonly ErrorDetail[];
}

/** Whoever acts on the type will check the rest. */
export function readKept(
  { plugins }: RuleServices,
  { type, refusal }: Keeping,
  shown: JsonValue,
  existing: ExistingDocuments,
): ReadDocument {
  const invalid = (message: string) => ({ problems: [{ path: '', message }] });
  if (refusal !== undefined) return invalid(`its rule type ${refusal}`);
  if (!isJsonObject(shown)) return invalid('must be a JSON object');
  const problems = documentProblems(shown, type, plugins);
  // What nobody knows is taken as it came.
  if (problems.length > 0 || isUnknownRuleType(type)) return { document: shown, problems };
  return unmaskedDocument(type, shown, storedBefore(type, shown, existing)?.document.value);
}

export interface ExistingDocuments {
  readonly byId: ReadonlyMap<string, RuleRecord>;
  readonly byName: ReadonlyMap<string, RuleRecord>;
  /** Ids of the documents of the same import that are new, by name: a later one of a name takes the place of the first. */
  readonly newIds: Map<string, string>;
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
  existing: ExistingDocuments,
  isExport: boolean,
): ReadDocument {
  const found = problemsOf(services, type, shown);
  if (!isJsonObject(shown)) return { problems: found };
  const stored = storedBefore(type, shown, existing)?.document.value;
  // Exports of existing installations have an id in each document; what somebody writes here has none.
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

/** Before anything else is said of a document. Hosts are looked up in portions, by `refuseForeignHosts`. */
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

/** The document that this one would take the place of. */
function storedBefore(type: RuleType, given: RuleDocument, existing: ExistingDocuments): RuleRecord | undefined {
  const id = givenId(given);
  return (id === undefined ? undefined : existing.byId.get(id)) ?? existing.byName.get(uniqueName(type, given) ?? '');
}

/** The name that no other document of the type may have; names that documents lack are not unique. */
function uniqueName(type: RuleType, document: RuleDocument): string | undefined {
  return (type.uniqueNames && memberText(document, type.keyedBy)) || undefined;
}

export function givenId(document: RuleDocument): string | undefined {
  return referenceValue(ownMember(document, '_id'))?.toLowerCase();
}

function problemsOf(services: RuleServices, type: RuleType, given: JsonValue): readonly RuleProblem[] {
  if (!isJsonObject(given)) return [{ path: '', message: 'must be a JSON object' }];
  const problems = [...documentProblems(given, type, services.plugins), ...registryFaults(services, type, given)];
  return problems.length > 0 ? problems : hostFaults(services, type, given);
}

/** What is wrong with a document beside those that are stored and those before it in the import. */
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
  // A name that nobody gets is not taken either.
  return problems.length > 0 ? problems : names.problems(documentName(type, given), before?.name);
}

/** Hosts obey the same rules, whichever way they come. */
function hostFaults({ config }: RuleServices, type: RuleType, document: RuleDocument): readonly ErrorDetail[] {
  return isHostType(type) ? hostDocumentFaults(document, config.MAX_HOST_BYTES) : [];
}

/** What does not fit to that which plugins have registered. */
function registryFaults({ plugins }: RuleServices, type: RuleType, document: RuleDocument): readonly ErrorDetail[] {
  const unknown = (type.ruleTypesNamed?.(document) ?? []).filter(
    ({ ident }) => ident !== '' && plugins.ruleType(ident) === undefined,
  );
  const faults = unknown.map(({ path, ident }) => ({ path, message: `there is no rule type ${ident}` }));
  const name = memberText(document, type.keyedBy);
  if (type.namesProvider !== true || !plugins.isProviderName(name)) return faults;
  return [
    ...faults,
    { path: type.keyedBy, message: `${name} is the name of an inventory provider; choose another one` },
  ];
}

/** Stored documents, for types whose preparation or refusal depends on them, or which may hold some that cannot work. */
export async function existingDocuments(services: RuleServices, type: RuleType): Promise<ExistingDocuments> {
  const needed =
    type.prepare !== undefined ||
    type.refusals !== undefined ||
    type.secretMembers.length > 0 ||
    type.evaluation !== undefined;
  if (isHostType(type) || !needed) return { byId: new Map(), byName: new Map(), newIds: new Map() };
  const records = await services.storage.rules.list(type.id);
  return {
    byId: new Map(records.map((record) => [record.id, record])),
    byName: new Map(
      records.flatMap((record) => {
        const name = uniqueName(type, record.document.value);
        return name === undefined ? [] : [[name, record] as const];
      }),
    ),
    newIds: new Map(),
  };
}

export async function prepareCandidate(
  services: RuleServices,
  caller: Caller,
  type: RuleType,
  index: number,
  given: RuleDocument,
  existing: ExistingDocuments,
  options: ImportOptions,
): Promise<{ readonly candidate: Omit<Candidate, 'isForeign'>; readonly unreadable: readonly ErrorDetail[] }> {
  const name = documentName(type, given);
  const before = storedBefore(type, given, existing);
  refuse(type, given, index, type.refusals?.(given, before?.document.value, writerOf(caller)) ?? []);
  const id = idOf(services, type, given, before, existing, options);
  const bound = await bindSecrets(services, caller, { type, id, given, before });
  refuse(type, given, index, bound.refusals);
  let hasSealed = bound.document !== given;
  const prepared =
    (await type.prepare?.(bound.document, {
      existing: before?.document.value,
      seal(plain, member) {
        hasSealed = true;
        return services.secrets.seal(plain, documentPlace(type.id, id, member));
      },
      hashPassword: (password) => services.passwords.hash(password),
      isSecretOption: (accountType, option) => services.plugins.isSecretOption(accountType, option),
    })) ?? bound.document;
  const document = withId(prepared, id);
  const uniqueValue = type.uniqueValue?.(document);
  const candidate: Omit<Candidate, 'isForeign'> = {
    type,
    index,
    document,
    before,
    resealed: hasSealed && before === undefined && options.override ? given : undefined,
    write: {
      type: type.id,
      id,
      name,
      uniqueName: isUnknownRuleType(type)
        ? givenId(given) === undefined && name !== ''
        : uniqueName(type, given) !== undefined,
      ...(uniqueValue === undefined ? {} : { uniqueValue }),
      document: StoredJson.ofValue(document),
      confirmedBy: options.keepsConfirmation === true ? 'keep' : voucherOfReplacement(type, before, document, caller),
    },
  };
  return { candidate, unreadable: bound.unreadable };
}

/** An id for a document that has none. */
function madeId(services: RuleServices, type: RuleType, given: RuleDocument): string {
  if (isUnknownRuleType(type)) return idOfContent(type, given);
  // Told again by what is in it too, unless that is a secret, which somebody could guess by the id.
  const isTold = type.kept !== undefined && uniqueName(type, given) === undefined;
  if (isTold && secretPaths(type, given).length === 0) return idOfContent(type, given);
  return isHostType(type) ? hostId(memberText(given, type.keyedBy).trim()) : services.newId();
}

/** The id under which the document will stand: replacing by name keeps the stored one, and secrets are sealed for it. */
function idOf(
  services: RuleServices,
  type: RuleType,
  given: RuleDocument,
  before: RuleRecord | undefined,
  { newIds }: ExistingDocuments,
  { override }: ImportOptions,
): string {
  const name = uniqueName(type, given);
  if (override && name !== undefined && before !== undefined) return before.id;
  const id = givenId(given) ?? madeId(services, type, given);
  if (!override || name === undefined) return id;
  const first = newIds.get(name) ?? id;
  newIds.set(name, first);
  return first;
}

/** The same document of an unknown type is told again by what is in it. Whether names are unique there nobody knows: without an id they are taken to be. */
function idOfContent(type: RuleType, document: RuleDocument): string {
  return createHash('sha256')
    .update(`${type.id}\n${JSON.stringify(document)}`)
    .digest('hex')
    .slice(0, 24);
}

/** Nobody grants what they do not hold: a document that would refuses the whole request. */
function refuse(type: RuleType, document: RuleDocument, index: number, refusals: readonly ErrorDetail[]): void {
  if (refusals.length === 0) return;
  const name = documentName(type, document);
  throw new AppError('forbidden', `${type.id} ${name}: ${refusals[0]?.message}; nothing was imported`, {
    details: refusals.map((refusal) => ({ path: `${type.id}.${index}.${refusal.path}`, message: refusal.message })),
  });
}

/** `_id` comes first in new documents and stays where it is in given ones. */
function withId(document: RuleDocument, id: string): RuleDocument {
  const stored = { $oid: id };
  return ownMember(document, '_id') === undefined ? { _id: stored, ...document } : { ...document, _id: stored };
}

/** One problem of one document: it is invalid, or it refers to something that is not there. */
export interface DocumentProblem extends ErrorDetail {
  readonly rule_type: string;
  readonly index: number;
  /** Of JSON lines, the number of its line. */
  readonly line?: number;
  readonly name: string;
}

export function problemOf(
  type: RuleType,
  index: number,
  document: JsonValue,
  { path, message }: ErrorDetail,
): DocumentProblem {
  const name = isJsonObject(document) ? documentName(type, document) : '';
  return { rule_type: type.id, index, name, path, message };
}

/** Host documents live among the hosts, not among the rules. */
export function isHostType(type: Pick<RuleType, 'id'>): boolean {
  return type.id === 'host_objects';
}

/** How documents of a type that no plugin acts on are kept. */
export interface Keeping {
  readonly type: RuleType;
  /** Why they are not. */
  readonly refusal: string | undefined;
  /** Nothing ever acted on the type here, so what is stored of it takes part in nothing. */
  readonly isNew: boolean;
}
