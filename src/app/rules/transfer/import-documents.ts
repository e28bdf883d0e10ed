import { createHash } from 'node:crypto';
import * as z from 'zod';
import {
  type Actor,
  AppError,
  documentPlace,
  type ErrorDetail,
  type JsonValue,
  type RuleDocument,
  type RuleOutcome,
  type RuleRecord,
  type RuleReference,
  type RuleType,
  type RuleWrite,
  StoredJson,
} from '../../../ports/index.ts';
import { API_ROLES, type Caller, isRestricted, isRole, writerOf } from '../../kernel/caller.ts';
import { missingJob } from '../../kernel/jobs/job-of.ts';
import { isJsonObject } from '../../kernel/json/json-object.ts';
import { aliasesOf } from '../../kernel/options/aliases.ts';
import { documentName } from '../document/document-name.ts';
import { memberText, ownMember, referenceValue } from '../document/members.ts';
import { documentProblems } from '../engine/document-problems.ts';
import { fireMarkOf, firesPlaybooks, removeFireMark } from '../fire-marks.ts';
import { bindSecrets } from '../secrets/bind-secrets.ts';
import { secretPaths } from '../secrets/secret-paths.ts';
import type { RuleServices, UserChange } from '../services.ts';
import { voucherOfReplacement } from '../trust/voucher.ts';
import { isWaiting, shellWord, waitsMessage } from '../trust/waiting.ts';
import {
  identFault,
  inertTypes,
  isUnknownRuleType,
  MAX_KEPT_TYPES,
  markOf,
  unknownRuleType,
} from '../unknown-types.ts';
import { refuseBeyondReach, refuseForeignDocument } from './account-scope.ts';
import type { BrokenLine, BundlePart } from './bundle.ts';
import { hostnamesByTarget, ownHostDocument } from './foreign-host-documents.ts';
import { refuseForeignHosts } from './host-document-scope.ts';
import { hostDocumentFaults, hostId, importHostDocuments } from './host-documents.ts';
import { importedPasswordProblems } from './imported-passwords.ts';
import { listWarnings } from './list-warnings.ts';
import { unmaskedDocument } from './masked-documents.ts';
import { NameLikenesses } from './name-likenesses.ts';
import { type DocumentChange, type ImportPreview, previewImport } from './preview-import.ts';

export interface ImportOptions {
  /** Replaces existing documents instead of counting them as duplicates. */
  readonly override: boolean;
  /** Only counts and checks. */
  readonly dryRun?: boolean;
  readonly actor?: Actor;
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
}

/** One problem of one document: it is invalid, or it refers to something that is not there. */
interface DocumentProblem extends ErrorDetail {
  readonly rule_type: string;
  readonly index: number;
  /** Of JSON lines, the number of its line. */
  readonly line?: number;
  readonly name: string;
}

export interface TypeCounts {
  imported: number;
  duplicate: number;
  invalid: number;
}

export interface ImportResult {
  readonly counts: ReadonlyMap<string, TypeCounts>;
  /** Types of which documents are kept without effect, by ident, with what they wait for. */
  readonly keptTypes: ReadonlyMap<string, KeptAs>;
  /** Why documents are invalid. */
  readonly details: readonly DocumentProblem[];
  /** References to something missing and names that nobody knows; the documents are stored all the same. */
  readonly warnings: readonly DocumentProblem[];
  /** Dry runs only: what would change in which document. */
  readonly changes: readonly DocumentChange[];
}

/** What an import says of a type whose documents it keeps. */
interface KeptAs {
  /** As words that follow "its documents". */
  readonly reason: string;
  /** Whether a plugin knows the type, though nothing acts on it. */
  readonly isKnown: boolean;
}

interface Candidate {
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

/**
 * Imports rule documents of any types; those of unknown ones are kept as they are. Documents that would give the caller
 * more than the caller holds refuse the whole bundle; an invalid document is counted and reported and the rest is stored,
 * all in one unit.
 */
export async function importDocuments(
  services: RuleServices,
  caller: Caller,
  parts: readonly BundlePart[],
  options: ImportOptions,
): Promise<ImportResult> {
  const { resolved, kept } = await resolveTypes(services, parts);
  const hostParts = resolved.filter(({ type }) => isHostType(type));
  const hostnames = await hostnamesByTarget(services, caller, hostParts);
  for (const { type, documents } of resolved) if (documents.length > 0) refuseBeyondReach(type, caller);
  const counts = new Map<string, TypeCounts>();
  const details: DocumentProblem[] = [];
  const candidates: Candidate[] = [];
  const hostDocuments: Candidate[] = [];
  const unreadable: DocumentProblem[] = [];
  for (const { type, isAlias, documents, lines } of resolved) {
    const count = counts.get(type.id) ?? { imported: 0, duplicate: 0, invalid: 0 };
    counts.set(type.id, count);
    const existing = await existingDocuments(services, type);
    const names = new NameLikenesses(type, existing.byName.keys());
    const keptAs = kept.get(type.id);
    for (const [index, posted] of documents.entries()) {
      const shown = isHostType(type) && isJsonObject(posted) ? ownHostDocument(posted, hostnames) : posted;
      await refuseForeign(services, caller, type, index, shown, existing);
      const read =
        keptAs === undefined ? readDocument(services, type, shown, existing) : readKept(keptAs, shown, existing);
      const problems = [...read.problems, ...changeProblems(services, caller, type, shown, existing, names)];
      const given = read.document;
      if (problems.length > 0 || given === undefined) {
        count.invalid++;
        const line = lines?.[index];
        const place = line === undefined ? {} : { line };
        details.push(...problems.map((problem) => ({ ...problemOf(type, index, shown, problem), ...place })));
        continue;
      }
      const { candidate, unreadable: unopened } = await prepareCandidate(
        services,
        caller,
        type,
        index,
        given,
        existing,
        options,
      );
      unreadable.push(...unopened.map((problem) => problemOf(type, index, given, problem)));
      const isForeign = isAlias || givenId(given) !== undefined;
      (isHostType(type) ? hostDocuments : candidates).push({ ...candidate, isForeign });
    }
  }
  for (const { type, line, message } of options.broken ?? []) {
    const ident = services.plugins.ruleType(type)?.id ?? type;
    const count = counts.get(ident);
    if (count !== undefined) count.invalid++;
    details.push({ rule_type: ident, index: -1, line, name: '', path: '', message });
  }
  const countedAsFired = options.fireExisting === false ? foreignFires(candidates) : [];
  const warnings = [
    ...(await danglingReferences(services, [...candidates, ...hostDocuments])),
    ...unknownRoles(candidates),
    ...unknownJobs(services, candidates),
    ...unknownOptions(services, candidates),
    ...unreadable,
    ...waitingCandidates(candidates),
    ...countedAsFired.map(countedProblem),
    ...candidates.flatMap(({ type, index, document }) =>
      listWarnings(document, type).map((warning) => problemOf(type, index, document, warning)),
    ),
  ];
  await refuseForeignHosts(services, caller, hostDocuments);
  const marks = [
    ...marksFor(services, candidates, kept),
    ...countedAsFired.map(({ write: entry }) => fireMarkOf(entry)),
  ];
  const { outcomes, changes } = await write(services, caller, candidates, marks, options);
  for (const [position, candidate] of candidates.entries()) {
    let outcome = outcomes[position] as RuleOutcome;
    if (outcome === 'replaced' && candidate.resealed !== undefined && !options.dryRun) {
      outcome = await sealAgain(services, caller, candidate, candidate.resealed, options);
    }
    tally(counts.get(candidate.type.id) as TypeCounts, outcome);
    if (outcome === 'name_taken') {
      details.push(
        problemOf(candidate.type, candidate.index, candidate.document, {
          path: candidate.type.keyedBy,
          message: 'another rule of this type has that name; replacing would leave two of one name',
        }),
      );
    }
  }
  if (options.fireExisting === true && !options.dryRun) await letFire(services, candidates, outcomes);
  if (!options.dryRun) await services.userDocuments.stored(userChanges(candidates, outcomes), caller);
  await importHostDocuments(services, caller, hostDocuments, options, counts);
  return {
    counts,
    keptTypes: new Map(
      [...kept.values()].flatMap((keeping) => (keeping.refusal === undefined ? [keptAsOf(keeping)] : [])),
    ),
    details,
    warnings,
    changes,
  };
}

/** Host documents live among the hosts, not among the rules. */
export function isHostType(type: Pick<RuleType, 'id'>): boolean {
  return type.id === 'host_objects';
}

/** How documents of a type that no plugin acts on are kept. */
interface Keeping {
  readonly type: RuleType;
  /** Why they are not. */
  readonly refusal: string | undefined;
  /** Nothing ever acted on the type here, so what is stored of it takes part in nothing. */
  readonly isNew: boolean;
}

function keptAsOf({ type }: Keeping): readonly [string, KeptAs] {
  return [type.id, { reason: type.kept?.reason ?? '', isKnown: !isUnknownRuleType(type) }];
}

async function resolveTypes(
  { plugins, storage }: RuleServices,
  parts: readonly BundlePart[],
): Promise<{
  readonly resolved: readonly (Omit<BundlePart, 'type'> & { readonly type: RuleType; readonly isAlias: boolean })[];
  readonly kept: ReadonlyMap<string, Keeping>;
}> {
  const resolved = parts.map(({ type: ident, ...rest }) => {
    const type = plugins.ruleType(ident) ?? unknownRuleType(ident);
    return { ...rest, type, isAlias: type.id !== ident };
  });
  const inert = new Map(resolved.flatMap(({ type }) => (type.kept === undefined ? [] : [[type.id, type] as const])));
  const stored = inert.size === 0 ? [] : await inertTypes(storage, plugins);
  let room = MAX_KEPT_TYPES - stored.filter(({ ident }) => plugins.ruleType(ident) === undefined).length;
  const kept = new Map<string, Keeping>();
  for (const [ident, type] of inert) {
    const there = stored.find((candidate) => candidate.ident === ident);
    const isUnknown = isUnknownRuleType(type);
    const fault = isUnknown ? identFault(ident) : undefined;
    const isFull = isUnknown && there === undefined && fault === undefined && room-- <= 0;
    const refusal = isFull ? `is unknown, and documents of ${MAX_KEPT_TYPES} unknown types are kept already` : fault;
    kept.set(ident, { type, refusal, isNew: there === undefined || there.kept });
  }
  return { resolved, kept };
}

/** Whoever acts on the type will check the rest. */
function readKept(
  { type, refusal }: Keeping,
  shown: JsonValue,
  existing: ExistingDocuments,
): { readonly document?: RuleDocument; readonly problems: readonly ErrorDetail[] } {
  const invalid = (message: string) => ({ problems: [{ path: '', message }] });
  if (refusal !== undefined) return invalid(`its rule type ${refusal}`);
  if (!isJsonObject(shown)) return invalid('must be a JSON object');
  const problems = documentProblems(shown, type);
  // What nobody knows is taken as it came.
  if (problems.length > 0 || isUnknownRuleType(type)) return { document: shown, problems };
  return unmaskedDocument(type, shown, storedBefore(type, shown, existing)?.document.value);
}

/** Marks of kept types of which documents come for the first time; a mark that is there already stays as it is. */
function marksFor(
  { newId }: RuleServices,
  candidates: readonly Candidate[],
  kept: ReadonlyMap<string, Keeping>,
): readonly RuleWrite[] {
  const types = new Set(candidates.map(({ type }) => type.id));
  return [...kept].filter(([ident, { isNew }]) => isNew && types.has(ident)).map(([ident]) => markOf(ident, newId()));
}

interface ExistingDocuments {
  readonly byId: ReadonlyMap<string, RuleRecord>;
  readonly byName: ReadonlyMap<string, RuleRecord>;
  /** Ids of the documents of the same import that are new, by name: a later one of a name takes the place of the first. */
  readonly newIds: Map<string, string>;
}

/** The document with the stored secrets in the place of masks, and everything that makes it unable to work. */
function readDocument(
  services: RuleServices,
  type: RuleType,
  shown: JsonValue,
  existing: ExistingDocuments,
): { readonly document?: RuleDocument; readonly problems: readonly ErrorDetail[] } {
  const problems = problemsOf(services, type, shown);
  if (problems.length > 0 || !isJsonObject(shown)) return { problems };
  if (type.secretMembers.length === 0) return { document: shown, problems };
  return unmaskedDocument(type, shown, storedBefore(type, shown, existing)?.document.value);
}

/** Before anything else is said of a document. Hosts are looked up in portions, by `refuseForeignHosts`. */
async function refuseForeign(
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

function givenId(document: RuleDocument): string | undefined {
  return referenceValue(ownMember(document, '_id'))?.toLowerCase();
}

function problemsOf(services: RuleServices, type: RuleType, given: JsonValue): readonly ErrorDetail[] {
  if (!isJsonObject(given)) return [{ path: '', message: 'must be a JSON object' }];
  const problems = [...documentProblems(given, type), ...registryFaults(services, type, given)];
  return problems.length > 0 ? problems : hostFaults(services, type, given);
}

/** What is wrong with a document beside those that are stored and those before it in the import. */
function changeProblems(
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

/** Stored documents, for types whose preparation or refusal depends on them. */
async function existingDocuments(services: RuleServices, type: RuleType): Promise<ExistingDocuments> {
  const needed =
    type.prepare !== undefined || type.refusals !== undefined || type.secretMembers.length > 0 || firesPlaybooks(type);
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

async function prepareCandidate(
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

/**
 * Somebody else made a document of that name meanwhile, and this one took its place and its id: what was sealed for another id
 * would never open there. Rare, because both must come within one import.
 */
async function sealAgain(
  services: RuleServices,
  caller: Caller,
  { type, write: { id, name } }: Candidate,
  given: RuleDocument,
  options: ImportOptions,
): Promise<RuleOutcome> {
  const stored = await services.storage.rules.findByName(type.id, name);
  if (stored === undefined || stored.id === id) return 'replaced';
  await importDocuments(services, caller, [{ type: type.id, documents: [given] }], options);
  return 'replaced';
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

/** Users that were stored. One that took the place of another one of its name has that one's id. */
function userChanges(candidates: readonly Candidate[], outcomes: readonly RuleOutcome[]): readonly UserChange[] {
  return candidates.flatMap(({ type, write: { id, name }, before, document }, position) => {
    const isStored = outcomes[position] === 'imported' || outcomes[position] === 'replaced';
    if (type.id !== 'users' || !isStored) return [];
    return [{ id: before?.id ?? id, name, before: before?.document.value, after: document }];
  });
}

async function write(
  services: RuleServices,
  caller: Caller,
  candidates: readonly Candidate[],
  marks: readonly RuleWrite[],
  options: ImportOptions,
): Promise<ImportPreview> {
  if (candidates.length === 0) return { outcomes: [], changes: [] };
  if (options.dryRun) return previewImport(services, candidates, options.override);
  const [only] = candidates;
  if (options.expectedVersion !== undefined && only !== undefined) {
    return { outcomes: [await replaceVersion(services, caller, only, options.expectedVersion)], changes: [] };
  }
  const outcomes = await services.storage.rules.write({
    entries: [...candidates.map((candidate) => candidate.write), ...marks],
    mode: options.override ? 'replace' : 'skip',
    at: services.clock.now(),
    actor: options.actor ?? { kind: 'user', name: caller.name },
  });
  return { outcomes, changes: [] };
}

async function replaceVersion(
  services: RuleServices,
  caller: Caller,
  { type, write: entry }: Candidate,
  expectedVersion: number,
): Promise<RuleOutcome> {
  const outcome = await services.storage.rules.replace({
    entry,
    expectedVersion,
    at: services.clock.now(),
    actor: { kind: 'user', name: caller.name },
  });
  if (outcome === 'replaced' || outcome === 'name_taken') return outcome;
  throw new AppError('conflict', `${type.id} ${entry.name} was changed by someone else meanwhile; try again`);
}

function tally(count: TypeCounts, outcome: RuleOutcome): void {
  if (outcome === 'duplicate') count.duplicate++;
  else if (outcome === 'name_taken') count.invalid++;
  else count.imported++;
}

/** References to documents that are neither stored nor in the bundle. */
async function danglingReferences(
  services: RuleServices,
  candidates: readonly Candidate[],
): Promise<readonly DocumentProblem[]> {
  const known = new Map<string, Set<string>>();
  const targetsOf = async (type: string): Promise<Set<string>> => {
    let targets = known.get(type);
    if (targets === undefined) {
      const records = await services.storage.rules.list(type);
      targets = new Set(records.flatMap((record) => [record.id, record.name]));
      for (const candidate of candidates) {
        if (candidate.type.id === type) targets.add(candidate.write.id).add(candidate.write.name);
      }
      known.set(type, targets);
    }
    return targets;
  };
  const warnings: DocumentProblem[] = [];
  for (const { type, index, document } of candidates) {
    for (const reference of type.references?.(document) ?? []) {
      if ((await targetsOf(reference.type)).has(reference.target)) continue;
      const message = `refers to ${reference.type} ${reference.target}, which does not exist${consequence(reference)}`;
      warnings.push(problemOf(type, index, document, { path: reference.path, message }));
    }
  }
  return warnings;
}

/** A rule that may be one of a filter does not vanish: see `orphanedRules`. */
function consequence({ type, target }: RuleReference): string {
  if (type !== 'automation_projects') return '';
  return /^[0-9a-f]{24}$/i.test(target)
    ? '; while the rule is enabled, inventories and exports fail until that project is imported or the rule has another one'
    : '; the rule belongs to no inventory until it does';
}

/** Roles of another product or another version grant nothing here, and are kept for whoever knows them. */
function unknownRoles(candidates: readonly Candidate[]): readonly DocumentProblem[] {
  return candidates.flatMap(({ type, index, document }) => {
    const unknown = (type.rolesNamed?.(document) ?? []).filter(({ role }) => !isRole(role));
    return unknown.map(({ path, role }) => {
      const message = `"${role}" is not a known role and grants nothing; known roles: ${API_ROLES.join(', ')}`;
      return problemOf(type, index, document, { path, message });
    });
  });
}

/** The plugin that brings the job may come later; until then the job fails when its turn comes. */
function unknownJobs({ plugins }: RuleServices, candidates: readonly Candidate[]): readonly DocumentProblem[] {
  return candidates.flatMap(({ type, index, document }) => {
    return (type.jobsNamed?.(document) ?? []).flatMap(({ path, command }) => {
      const message = missingJob(plugins, command);
      if (message === undefined) return [];
      return problemOf(type, index, document, { path, message: `${message}; the job will fail` });
    });
  });
}

/** Kept, since macros of rules may name them; what reads the account refuses what it does not know, rather than doing less. */
function unknownOptions({ plugins }: RuleServices, candidates: readonly Candidate[]): readonly DocumentProblem[] {
  return candidates.flatMap(({ type, index, document }) => {
    const named = type.optionsNamed?.(document);
    if (named === undefined) return [];
    const { accountType, options } = named;
    const known = (plugins.source(accountType) ?? plugins.target(accountType))?.item.options;
    if (!(known instanceof z.ZodObject)) return [];
    const aliases = aliasesOf(known);
    return options
      .filter(({ name }) => !Object.hasOwn(known.shape, name) && !aliases.has(name))
      .map(({ path, name }) => {
        const message = `"${name}" is not an option of ${accountType} accounts here; the account cannot be read until it is removed, with --set "${name}="`;
        return problemOf(type, index, document, { path, message });
      });
  });
}

/** Stored all the same; what they would make the machine do is left to who may decide it. */
function waitingCandidates(candidates: readonly Candidate[]): readonly DocumentProblem[] {
  return candidates.flatMap(({ type, index, document, write: entry }) => {
    const { confirmedBy, name } = entry;
    if (confirmedBy !== null || !isWaiting(type, { document: entry.document, confirmedBy })) return [];
    return [problemOf(type, index, document, { path: '', message: waitsMessage({ type: type.id, name }) })];
  });
}

/**
 * Rules that fire, that are new here and that came from another installation, where they have fired. Of several of a name or an id
 * only the first is new.
 */
function foreignFires(candidates: readonly Candidate[]): readonly Candidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ type, before, isForeign, write: { id, name } }) => {
    if (!firesPlaybooks(type) || before !== undefined) return false;
    const keys = [`${type.id} id ${id}`, ...(type.uniqueNames ? [`${type.id} name ${name}`] : [])];
    const isFirst = keys.every((key) => !seen.has(key));
    for (const key of keys) seen.add(key);
    return isFirst && isForeign;
  });
}

/** Whoever imports rules so that they fire means those too that were imported otherwise before. */
async function letFire(
  { storage, clock }: RuleServices,
  candidates: readonly Candidate[],
  outcomes: readonly RuleOutcome[],
): Promise<void> {
  for (const [position, { type, before, write: entry }] of candidates.entries()) {
    const isStored = outcomes[position] === 'imported' || outcomes[position] === 'replaced';
    if (firesPlaybooks(type) && isStored) await removeFireMark(storage, before?.id ?? entry.id, clock.now());
  }
}

function countedProblem({ type, index, document, write: { name } }: Candidate): DocumentProblem {
  const message = `comes from another installation: what it matches when it is first evaluated here counts as fired, and nothing runs for that. "muster playbook fire --dry-run" counts it before; "muster playbook fire-existing ${shellWord(name)}", or an import with fire_existing_matches (--fire-existing), lets it fire`;
  return problemOf(type, index, document, { path: '', message });
}

function problemOf(type: RuleType, index: number, document: JsonValue, problem: ErrorDetail): DocumentProblem {
  const name = isJsonObject(document) ? documentName(type, document) : '';
  return { rule_type: type.id, index, name, ...problem };
}
