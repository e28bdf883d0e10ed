import { isJsonObject } from '../../../kit/json/json-object.ts';
import { phrase, worded } from '../../../kit/worded.ts';
import {
  AppError,
  type ErrorDetail,
  type RuleDocument,
  type RuleOutcome,
  type RuleRemoval,
  type RuleType,
  type RuleWrite,
} from '../../../ports/index.ts';
import type { Caller } from '../../kernel/caller.ts';
import { BundleBudget } from '../engine/check-budget.ts';
import { fireMarkOf, firesPlaybooks, removeFireMark } from '../fire-marks.ts';
import { isHostType } from '../rule-type-input.ts';
import { forgetMovedSecrets, movesSecrets } from '../secrets/moved-secrets.ts';
import type { RuleServices, UserChange } from '../services.ts';
import { type Basis, heldWrites, type SettledChange, settleChanges, settledWrite } from '../settle-changes.ts';
import { forgetHeld } from '../trust/held-versions.ts';
import { withoutWaitMark } from '../trust/pending.ts';
import {
  identFault,
  inertTypes,
  isUnknownRuleType,
  MAX_KEPT_TYPES,
  markOf,
  unknownRuleType,
} from '../unknown-types.ts';
import { refuseBeyondReach } from './account-scope.ts';
import type { BundlePart } from './bundle.ts';
import { givenId } from './document-ids.ts';
import { type DocumentProblem, problemOf } from './document-problem.ts';
import { existingDocuments } from './existing-documents.ts';
import { type Candidate, type ImportOptions, prepareCandidate } from './import-candidates.ts';
import {
  countedProblem,
  danglingReferences,
  pendingCandidates,
  restingProblems,
  unknownJobs,
  unknownOptions,
  unknownRoles,
} from './import-warnings.ts';
import { likelyMistyped } from './likely-mistyped.ts';
import { listWarnings } from './list-warnings.ts';
import { NameLikenesses } from './name-likenesses.ts';
import { type DocumentChange, type ImportPreview, type Likeness, previewImport } from './preview-import.ts';
import { changeProblems, type Keeping, readDocument, readKept, refuseForeign } from './read-document.ts';

export interface TypeCounts {
  imported: number;
  duplicate: number;
  invalid: number;
  /** Documents that were here with the same content, and with another one; counted where the import compares. */
  same?: number;
  different?: number;
}

export interface ImportResult {
  readonly counts: ReadonlyMap<string, TypeCounts>;
  /** Types of which documents are kept without effect, by ident, with what they wait for. */
  readonly keptTypes: ReadonlyMap<string, KeptAs>;
  /** Why documents are invalid. */
  readonly details: readonly DocumentProblem[];
  /** References to missing documents, and unknown names; the documents are stored all the same. */
  readonly warnings: readonly DocumentProblem[];
  /** Why documents are stored and do nothing: they came from an installation where their texts may have worked. */
  readonly cannotWork: readonly DocumentProblem[];
  /** Dry runs only: what would change in which document. */
  readonly changes: readonly DocumentChange[];
  /** Imports that compare: what is here with other content than in the import. */
  readonly differing: readonly DocumentChange[];
  /** By type, the documents that are stored, or would be; hosts and their templates are not among them. */
  readonly stored: ReadonlyMap<string, readonly RuleDocument[]>;
}

/** The report of an import about a type whose documents it keeps. */
interface KeptAs {
  /** As words that follow "its documents". */
  readonly reason: string;
  /** Whether a plugin knows the type, though nothing acts on it. */
  readonly isKnown: boolean;
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
  const types = parts.map(({ type }) => services.plugins.ruleType(type) ?? unknownRuleType(type));
  return settledWrite(services, caller, options.dryRun === true ? [] : types, (basis) =>
    storeDocuments(services, caller, parts, options, basis),
  );
}

/** Answers `undefined`, and has stored nothing, if the basis has moved. */
async function storeDocuments(
  services: RuleServices,
  caller: Caller,
  parts: readonly BundlePart[],
  options: ImportOptions,
  basis: Basis | undefined,
): Promise<ImportResult | undefined> {
  const { resolved, kept } = await resolveTypes(services, parts);
  const hosts = await services.hostDocuments();
  const hostParts = resolved.filter(({ type }) => isHostType(type));
  const ownForm = await hosts.ownForm(caller, hostParts);
  for (const { type, documents } of resolved) if (documents.length > 0) refuseBeyondReach(type, caller);
  const counts = new Map<string, TypeCounts>();
  const details: DocumentProblem[] = [];
  const candidates: Candidate[] = [];
  const hostDocuments: Candidate[] = [];
  const unreadable: DocumentProblem[] = [];
  const cannotWork: DocumentProblem[] = [];
  // Only existing installations use these names of types.
  const isExport = resolved.some(({ isAlias }) => isAlias);
  const budget = new BundleBudget();
  for (const { type, isAlias, documents, lines } of resolved) {
    const count = counts.get(type.id) ?? { imported: 0, duplicate: 0, invalid: 0 };
    counts.set(type.id, count);
    const existing = await existingDocuments(services, type);
    const names = new NameLikenesses(type, existing.byName.keys());
    const keptAs = kept.get(type.id);
    for (const [index, exported] of documents.entries()) {
      const { document: posted, isMarked } = withoutWaitMark(exported);
      const shown = isHostType(type) && isJsonObject(posted) ? ownForm(posted) : posted;
      await refuseForeign(services, caller, type, index, shown, existing);
      const read = budget.check(() =>
        keptAs === undefined
          ? readDocument(services, type, shown, { existing, isExport, hosts })
          : readKept(services, keptAs, shown, existing),
      );
      const problems = [...read.problems, ...changeProblems(services, caller, type, shown, existing, names)];
      const given = read.document;
      const line = lines?.[index];
      const place = line === undefined ? {} : { line };
      const placed = (problem: ErrorDetail) => ({ ...problemOf(type, index, shown, problem), ...place });
      if (problems.length > 0 || given === undefined) {
        count.invalid++;
        details.push(...problems.map(placed));
        continue;
      }
      if (read.cannotWork !== undefined) cannotWork.push(...restingProblems(type, given, read.cannotWork).map(placed));
      const { candidate, unreadable: unopened } = await prepareCandidate(
        services,
        caller,
        type,
        index,
        given,
        existing,
        { ...options, isMarked },
      );
      if (candidate.before !== undefined && options.leaves?.has(`${type.id}/${candidate.before.name}`)) {
        count.duplicate++;
        continue;
      }
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
  const settled = await settleCandidates(services, caller, candidates, options);
  const countedAsFired = options.fireExisting === false ? foreignFires(candidates) : [];
  const warnings = [
    ...(await danglingReferences(services, [...candidates, ...hostDocuments])),
    ...unknownRoles(candidates),
    ...unknownJobs(services, candidates),
    ...unknownOptions(services, candidates),
    ...unreadable,
    ...pendingCandidates(candidates, settled),
    ...countedAsFired.map(countedProblem),
    ...candidates.flatMap(({ type, index, document }) =>
      [...listWarnings(document, type, services.plugins), ...likelyMistyped(document, type)].map((warning) =>
        problemOf(type, index, document, warning),
      ),
    ),
  ];
  await hosts.refuseForeign(caller, hostDocuments);
  const marks = [
    ...marksFor(services, candidates, kept),
    ...countedAsFired.map(({ write: entry }) => fireMarkOf(entry)),
    ...(options.alongside ?? []),
    ...heldWrites(settled),
  ];
  const compared = options.compares ? await previewImport(services, candidates, options.override) : undefined;
  const written = await write(services, caller, candidates, marks, options, compared, basis);
  if (written === undefined) return undefined;
  const { outcomes, changes } = written;
  for (const [position, candidate] of candidates.entries()) {
    let outcome = outcomes[position] as RuleOutcome;
    if (outcome === 'replaced' && candidate.resealed !== undefined && !options.dryRun) {
      outcome = await sealAgain(services, caller, candidate, candidate.resealed, options);
    }
    tally(counts.get(candidate.type.id) as TypeCounts, outcome, compared?.likenesses[position]);
    if (outcome === 'name_taken') {
      details.push(
        problemOf(candidate.type, candidate.index, candidate.document, {
          path: candidate.type.keyedBy,
          message: phrase`another rule of this type has that name; replacing would leave two of one name`,
        }),
      );
    }
  }
  if (!options.dryRun) {
    await forgetMoved(services, candidates, outcomes);
    await liftHeld(services, candidates, settled, outcomes);
  }
  if (options.fireExisting === true && !options.dryRun) await letFire(services, candidates, outcomes);
  if (!options.dryRun) await services.userDocuments.stored(userChanges(candidates, outcomes), caller);
  const [hostPart] = hostParts;
  if (hostPart !== undefined) {
    const count = counts.get(hostPart.type.id) as TypeCounts;
    const stored = await hosts.store(caller, hostDocuments, options);
    count.imported += stored.imported;
    count.duplicate += stored.duplicate;
    count.invalid += stored.refused.length;
    for (const { position, ...problem } of stored.refused) {
      const { type, index, document } = hostDocuments[position] as Candidate;
      details.push(problemOf(type, index, document, problem));
    }
  }
  return {
    counts,
    keptTypes: new Map(
      [...kept.values()].flatMap((keeping) => (keeping.refusal === undefined ? [keptAsOf(keeping)] : [])),
    ),
    details,
    warnings,
    cannotWork,
    changes,
    differing: compared?.differing ?? [],
    stored: storedDocuments(candidates, outcomes),
  };
}

/**
 * Determines which version acts of documents that restrict until their change is confirmed. Also sets the confirmer of each written
 * document.
 */
async function settleCandidates(
  services: RuleServices,
  caller: Caller,
  candidates: Candidate[],
  { override, keepsConfirmation }: ImportOptions,
): Promise<readonly SettledChange[]> {
  const asked = candidates.map(({ type, write: { id, name, confirmedBy }, before, document }) => {
    // If the operator still confirms a document, an administrator changes only the rest of it.
    const written = confirmedBy === 'keep' && keepsConfirmation !== true ? 'administrator' : confirmedBy;
    // An unchanged document keeps its confirmer.
    return {
      type,
      id,
      name,
      before,
      after: document,
      confirmedBy: before !== undefined && !override ? 'keep' : written,
    };
  });
  const settled = await settleChanges(services, caller, asked);
  for (const [position, candidate] of candidates.entries()) {
    const { confirmedBy } = settled[position] as SettledChange;
    if (confirmedBy === asked[position]?.confirmedBy) continue;
    candidates[position] = { ...candidate, write: { ...candidate.write, confirmedBy } };
  }
  return settled;
}

/** Removes held versions that are no longer needed. If several documents go to one place, the last one stored decides. */
async function liftHeld(
  { storage, clock }: RuleServices,
  candidates: readonly Candidate[],
  settled: readonly SettledChange[],
  outcomes: readonly RuleOutcome[],
): Promise<void> {
  const last = new Map<string, RuleRemoval | undefined>();
  for (const [position, { type, before, write: entry }] of candidates.entries()) {
    if (!isStored(outcomes[position])) continue;
    const id = before?.id ?? entry.id;
    last.set(`${type.id}/${id}`, settled[position]?.lifts);
  }
  await forgetHeld(storage.rules, [...last.values()], clock.now());
}

function storedDocuments(
  candidates: readonly Candidate[],
  outcomes: readonly RuleOutcome[],
): ReadonlyMap<string, readonly RuleDocument[]> {
  const stored = new Map<string, RuleDocument[]>();
  for (const [position, { type, document }] of candidates.entries()) {
    if (!isStored(outcomes[position])) continue;
    const documents = stored.get(type.id) ?? [];
    documents.push(document);
    stored.set(type.id, documents);
  }
  return stored;
}

function isStored(outcome: RuleOutcome | undefined): boolean {
  return outcome === 'imported' || outcome === 'replaced';
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

/** Marks of kept types of which documents come for the first time; a mark that is there already stays as it is. */
function marksFor(
  { newId }: RuleServices,
  candidates: readonly Candidate[],
  kept: ReadonlyMap<string, Keeping>,
): readonly RuleWrite[] {
  const types = new Set(candidates.map(({ type }) => type.id));
  return [...kept].filter(([ident, { isNew }]) => isNew && types.has(ident)).map(([ident]) => markOf(ident, newId()));
}

/**
 * Seals secrets again if another user made a document of that name meanwhile and this one replaced it and took its id: secrets
 * sealed for another id would never open there. This is rare, because both must happen within one import.
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
  await storeDocuments(services, caller, [{ type: type.id, documents: [given] }], options, undefined);
  return 'replaced';
}

/** Users that were stored. One that took the place of another one of its name has that one's id. */
function userChanges(candidates: readonly Candidate[], outcomes: readonly RuleOutcome[]): readonly UserChange[] {
  return candidates.flatMap(({ type, write: { id, name }, before, document }, position) => {
    if (type.id !== 'users' || !isStored(outcomes[position])) return [];
    return [{ id: before?.id ?? id, name, before: before?.document.value, after: document }];
  });
}

async function write(
  services: RuleServices,
  caller: Caller,
  candidates: readonly Candidate[],
  marks: readonly RuleWrite[],
  options: ImportOptions,
  compared: ImportPreview | undefined,
  basis: Basis | undefined,
): Promise<Pick<ImportPreview, 'outcomes' | 'changes'> | undefined> {
  if (candidates.length === 0) return { outcomes: [], changes: [] };
  if (options.dryRun) return compared ?? previewImport(services, candidates, options.override);
  const [only] = candidates;
  if (options.expectedVersion !== undefined && only !== undefined) {
    requireVersion(only, options.expectedVersion, basis);
    // On a basis the version cannot be another one when it is written.
    if (basis === undefined || only.before === undefined)
      return { outcomes: [await replaceVersion(services, caller, only, options.expectedVersion, marks)], changes: [] };
  }
  // Marks first: a store without transactions that is cut off between them leaves no change without the version that acts.
  const outcomes = await services.storage.rules.write({
    entries: [...marks, ...candidates.map((candidate) => candidate.write)],
    mode: options.override ? 'replace' : 'skip',
    at: options.at ?? services.clock.now(),
    actor: options.actor ?? { kind: 'user', name: caller.name },
    ...(basis && { basis }),
  });
  return outcomes.includes('changed') ? undefined : { outcomes: outcomes.slice(marks.length), changes: [] };
}

/** The version that acts on is `before`: if that is not the expected one, or is gone, the change was made to something else. */
function requireVersion({ type, before, write: entry }: Candidate, expected: number, basis: Basis | undefined): void {
  const isGone = before === undefined && basis !== undefined && type.kept === undefined;
  if (isGone || (before !== undefined && before.version !== expected)) throw changedMeanwhile(type, entry);
}

function changedMeanwhile({ id }: RuleType, { name }: RuleWrite): AppError {
  return new AppError('conflict', worded`${{ id }} ${{ name }} was changed by someone else meanwhile; try again`);
}

async function replaceVersion(
  services: RuleServices,
  caller: Caller,
  { type, write: entry }: Candidate,
  expectedVersion: number,
  marks: readonly RuleWrite[],
): Promise<RuleOutcome> {
  const { rules } = services.storage;
  const at = services.clock.now();
  const actor = { kind: 'user', name: caller.name } as const;
  if (marks.length > 0) await rules.write({ entries: marks, mode: 'replace', at, actor });
  const outcome = await rules.replace({ entry, expectedVersion, at, actor });
  if (outcome === 'replaced') return outcome;
  for (const mark of marks) await rules.remove({ type: mark.type, id: mark.id, at, actor });
  if (outcome === 'name_taken') return outcome;
  throw changedMeanwhile(type, entry);
}

function tally(count: TypeCounts, outcome: RuleOutcome, likeness: Likeness | undefined): void {
  if (outcome !== 'name_taken') {
    if (likeness === 'same') count.same = (count.same ?? 0) + 1;
    if (likeness === 'different') count.different = (count.different ?? 0) + 1;
  }
  if (outcome === 'duplicate') count.duplicate++;
  else if (outcome === 'name_taken') count.invalid++;
  else count.imported++;
}

/**
 * Returns the firing rules that are new here and come from another installation, in which they have fired. If several share a
 * name or id, only the first is new.
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

/** A secret that a document keeps elsewhere from now on leaves its history too. */
async function forgetMoved(
  services: RuleServices,
  candidates: readonly Candidate[],
  outcomes: readonly RuleOutcome[],
): Promise<void> {
  for (const [position, { type, before, document }] of candidates.entries()) {
    if (before === undefined || !isStored(outcomes[position])) continue;
    if (!movesSecrets(type, before.document.value, document)) continue;
    const stored = await services.storage.rules.get(type.id, before.id);
    if (stored !== undefined) await forgetMovedSecrets(services, type, stored);
  }
}

/** An import that lets rules fire also means those that were imported otherwise before. */
async function letFire(
  { storage, clock }: RuleServices,
  candidates: readonly Candidate[],
  outcomes: readonly RuleOutcome[],
): Promise<void> {
  for (const [position, { type, before, write: entry }] of candidates.entries()) {
    if (firesPlaybooks(type) && isStored(outcomes[position]))
      await removeFireMark(storage, before?.id ?? entry.id, clock.now());
  }
}
