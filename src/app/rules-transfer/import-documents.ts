import {
  type Actor,
  AppError,
  type ErrorDetail,
  type JsonValue,
  type RuleDocument,
  type RuleOutcome,
  type RuleRecord,
  type RuleType,
  type RuleWrite,
  StoredJson,
} from '../../ports/index.ts';
import { isJsonObject, memberText, ownMember, referenceValue } from '../../ports/rule-members.ts';
import { documentProblems } from '../domain/rules/document-problems.ts';
import { API_ROLES, type Caller, isRole, writerOf } from '../execution/caller.ts';
import type { Services } from '../services.ts';
import { voucherOf } from '../trust/voucher.ts';
import type { BundlePart } from './bundle.ts';
import { hostDocumentFaults, importHostDocuments, refuseForeignHosts } from './host-documents.ts';
import { type DocumentChange, type ImportPreview, previewImport } from './preview-import.ts';

export interface ImportOptions {
  /** Replaces existing documents instead of counting them as duplicates. */
  readonly override: boolean;
  /** Only counts and checks. */
  readonly dryRun?: boolean;
  readonly actor?: Actor;
  /** For one document that replaces the version which was read: when somebody changed it meanwhile, the import is a `conflict`. */
  readonly expectedVersion?: number;
  /**
   * True for a change that the program makes by itself or has checked otherwise (a password, a token): whoever vouches for the
   * document still does. Else it is the caller's word.
   */
  readonly keepsConfirmation?: boolean;
}

/** One problem of one document: it is invalid, or it refers to something that is not there. */
export interface DocumentProblem extends ErrorDetail {
  readonly rule_type: string;
  readonly index: number;
  readonly name: string;
}

export interface TypeCounts {
  imported: number;
  duplicate: number;
  invalid: number;
}

export interface ImportResult {
  readonly counts: ReadonlyMap<string, TypeCounts>;
  /** Why documents are invalid. */
  readonly details: readonly DocumentProblem[];
  /** References to something missing and names that nobody knows; the documents are stored all the same. */
  readonly warnings: readonly DocumentProblem[];
  /** Dry runs only: what would change in which document. */
  readonly changes: readonly DocumentChange[];
}

interface Candidate {
  readonly type: RuleType;
  readonly index: number;
  readonly document: RuleDocument;
  readonly write: RuleWrite;
}

/**
 * Imports rule documents of any types. Unknown types, and documents that would give the caller more than the caller
 * holds, refuse the whole bundle; an invalid document is counted and reported and the rest is stored, all in one unit.
 */
export async function importDocuments(
  services: Services,
  caller: Caller,
  parts: readonly BundlePart[],
  options: ImportOptions,
): Promise<ImportResult> {
  const resolved = resolveTypes(services, parts);
  const counts = new Map<string, TypeCounts>();
  const details: DocumentProblem[] = [];
  const candidates: Candidate[] = [];
  const hostDocuments: Candidate[] = [];
  for (const { type, documents } of resolved) {
    const count = counts.get(type.id) ?? { imported: 0, duplicate: 0, invalid: 0 };
    counts.set(type.id, count);
    const existing = await existingDocuments(services, type);
    for (const [index, given] of documents.entries()) {
      const problems = problemsOf(services, type, given);
      if (problems.length > 0 || !isJsonObject(given)) {
        count.invalid++;
        details.push(...problems.map((problem) => problemOf(type, index, given, problem)));
        continue;
      }
      const candidate = await prepareCandidate(services, caller, type, index, given, existing, options);
      (isHostType(type) ? hostDocuments : candidates).push(candidate);
    }
  }
  const warnings = [
    ...(await danglingReferences(services, [...candidates, ...hostDocuments])),
    ...unknownRoles(candidates),
    ...unknownJobs(services, candidates),
  ];
  await refuseForeignHosts(services, caller, hostDocuments);
  const { outcomes, changes } = await write(services, caller, candidates, options);
  for (const [position, candidate] of candidates.entries()) {
    const outcome = outcomes[position] as RuleOutcome;
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
  await importHostDocuments(services, caller, hostDocuments, options, counts);
  return { counts, details, warnings, changes };
}

/** Host documents live among the hosts, not among the rules. */
export function isHostType(type: Pick<RuleType, 'id'>): boolean {
  return type.id === 'host_objects';
}

function resolveTypes(
  services: Services,
  parts: readonly BundlePart[],
): readonly { type: RuleType; documents: readonly JsonValue[] }[] {
  return parts.map((part) => {
    const type = services.plugins.ruleType(part.type);
    if (type === undefined) {
      throw new AppError('invalid_input', `there is no rule type ${part.type}; nothing was imported`, {
        details: [{ path: part.type, message: 'unknown rule type' }],
      });
    }
    return { type, documents: part.documents };
  });
}

interface ExistingDocuments {
  readonly byId: ReadonlyMap<string, RuleRecord>;
  readonly byName: ReadonlyMap<string, RuleRecord>;
}

const NOTHING: ExistingDocuments = { byId: new Map(), byName: new Map() };

function problemsOf(services: Services, type: RuleType, given: JsonValue): readonly ErrorDetail[] {
  if (!isJsonObject(given)) return [{ path: '', message: 'must be a JSON object' }];
  const problems = [...documentProblems(given, type), ...registryFaults(services, type, given)];
  return problems.length > 0 ? problems : hostFaults(type, given);
}

/** Hosts obey the same rules, whichever way they come. */
function hostFaults(type: RuleType, document: RuleDocument): readonly ErrorDetail[] {
  return isHostType(type) ? hostDocumentFaults(document) : [];
}

/** What does not fit to that which plugins have registered. */
function registryFaults({ plugins }: Services, type: RuleType, document: RuleDocument): readonly ErrorDetail[] {
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
async function existingDocuments(services: Services, type: RuleType): Promise<ExistingDocuments> {
  if (isHostType(type) || (type.prepare === undefined && type.refusals === undefined)) return NOTHING;
  const records = await services.storage.rules.list(type.id);
  return {
    byId: new Map(records.map((record) => [record.id, record])),
    byName: new Map(records.map((record) => [record.name, record])),
  };
}

async function prepareCandidate(
  services: Services,
  caller: Caller,
  type: RuleType,
  index: number,
  given: RuleDocument,
  existing: ExistingDocuments,
  options: ImportOptions,
): Promise<Candidate> {
  const given_id = referenceValue(ownMember(given, '_id'))?.toLowerCase();
  const name = memberText(given, type.keyedBy);
  const before = (given_id === undefined ? undefined : existing.byId.get(given_id)) ?? existing.byName.get(name);
  refuseGains(type, given, before?.document.value, caller, index);
  const prepared = (await type.prepare?.(given, preparation(services, before))) ?? given;
  const id = given_id ?? services.newId();
  const document = withId(prepared, id);
  const uniqueValue = type.uniqueValue?.(document);
  return {
    type,
    index,
    document,
    write: {
      type: type.id,
      id,
      name,
      uniqueName: type.uniqueNames,
      ...(uniqueValue === undefined ? {} : { uniqueValue }),
      document: StoredJson.ofValue(document),
      confirmedBy: options.keepsConfirmation === true ? 'keep' : voucherOf(caller),
    },
  };
}

function preparation(services: Services, before: RuleRecord | undefined) {
  return {
    existing: before?.document.value,
    seal: (plain: string) => services.secrets.seal(plain),
    hashPassword: (password: string) => services.passwords.hash(password),
  };
}

/** Nobody grants what they do not hold: a document that would refuses the whole request. */
function refuseGains(
  type: RuleType,
  document: RuleDocument,
  existing: RuleDocument | undefined,
  caller: Caller,
  index: number,
): void {
  const refusals = type.refusals?.(document, existing, writerOf(caller));
  if (refusals === undefined || refusals.length === 0) return;
  const name = memberText(document, type.keyedBy);
  throw new AppError('forbidden', `${type.id} ${name}: ${refusals[0]?.message}; nothing was imported`, {
    details: refusals.map((refusal) => ({ path: `${type.id}.${index}.${refusal.path}`, message: refusal.message })),
  });
}

/** `_id` comes first in new documents and stays where it is in given ones. */
function withId(document: RuleDocument, id: string): RuleDocument {
  const stored = { $oid: id };
  return ownMember(document, '_id') === undefined ? { _id: stored, ...document } : { ...document, _id: stored };
}

async function write(
  services: Services,
  caller: Caller,
  candidates: readonly Candidate[],
  options: ImportOptions,
): Promise<ImportPreview> {
  if (candidates.length === 0) return { outcomes: [], changes: [] };
  if (options.dryRun) return previewImport(services, candidates, options.override);
  const [only] = candidates;
  if (options.expectedVersion !== undefined && only !== undefined) {
    return { outcomes: [await replaceVersion(services, caller, only, options.expectedVersion)], changes: [] };
  }
  const outcomes = await services.storage.rules.write({
    entries: candidates.map((candidate) => candidate.write),
    mode: options.override ? 'replace' : 'skip',
    at: services.clock.now(),
    actor: options.actor ?? { kind: 'user', name: caller.name },
  });
  return { outcomes, changes: [] };
}

async function replaceVersion(
  services: Services,
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
  throw new AppError('conflict', `${type.id} ${entry.name} was changed by somebody else meanwhile; try again`);
}

function tally(count: TypeCounts, outcome: RuleOutcome): void {
  if (outcome === 'duplicate') count.duplicate++;
  else if (outcome === 'name_taken') count.invalid++;
  else count.imported++;
}

/** References to documents that are neither stored nor in the bundle. */
async function danglingReferences(
  services: Services,
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
      const message = `refers to ${reference.type} ${reference.target}, which does not exist`;
      warnings.push(problemOf(type, index, document, { path: reference.path, message }));
    }
  }
  return warnings;
}

/** Roles of another product or another version grant nothing here, and are kept for whoever knows them. */
function unknownRoles(candidates: readonly Candidate[]): readonly DocumentProblem[] {
  return candidates.flatMap(({ type, index, document }) => {
    const unknown = (type.rolesNamed?.(document) ?? []).filter(({ role }) => !isRole(role));
    return unknown.map(({ path, role }) => {
      const message = `"${role}" is no known role and grants nothing; known are ${API_ROLES.join(', ')}`;
      return problemOf(type, index, document, { path, message });
    });
  });
}

/** The plugin that brings the job may come later; until then the job fails when its turn comes. */
function unknownJobs({ plugins }: Services, candidates: readonly Candidate[]): readonly DocumentProblem[] {
  return candidates.flatMap(({ type, index, document }) => {
    const unknown = (type.jobsNamed?.(document) ?? []).filter(({ command }) => plugins.job(command) === undefined);
    return unknown.map(({ path, command }) => {
      const known = plugins.jobs().map(({ id }) => id);
      const message = `"${command}" is no registered job and will fail; there are ${known.join(', ')}`;
      return problemOf(type, index, document, { path, message });
    });
  });
}

function problemOf(type: RuleType, index: number, document: JsonValue, problem: ErrorDetail): DocumentProblem {
  const name = isJsonObject(document) ? memberText(document, type.keyedBy) : '';
  return { rule_type: type.id, index, name, ...problem };
}
