import { createHash } from 'node:crypto';
import { AppError, type RuleDocument, type RuleRecord, type RuleType, type ValueChange } from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { withCounted } from '../rules/counted-members.ts';
import type { RuleServices } from '../rules/services.ts';
import type { DocumentProblem } from '../rules/transfer/document-problem.ts';
import { importDocuments } from '../rules/transfer/import-documents.ts';
import { WAIT_MARK, withoutWaitMark } from '../rules/trust/pending.ts';
import { unknownRuleType } from '../rules/unknown-types.ts';
import { type AppliedMark, appliedMarks, comparable, digestOf, keyOf, writtenMembers } from './applied-marks.ts';
import { type Drift, driftOf } from './drift.ts';
import { fieldChanges } from './field-changes.ts';
import { type FolderDocument, type FolderProblem, folderDocuments, type GivenDocument } from './folder-documents.ts';
import { preparedDocument } from './prepared.ts';
import { withSecrets } from './secret-references.ts';

/** The action of an apply on a document of the folder. */
export interface PlannedDocument extends FolderDocument {
  readonly action: 'create' | 'update' | 'none';
  /** As it will be stored. */
  readonly document: RuleDocument;
  readonly changes: readonly ValueChange[];
  readonly drift: Drift | undefined;
  readonly mark: AppliedMark | undefined;
}

/** A document that an earlier apply made, and that the folder does not have any more. */
export interface PlannedRemoval {
  readonly type: RuleType;
  readonly record: RuleRecord;
  readonly drift: Drift | undefined;
  readonly mark: AppliedMark;
}

export interface FolderPlan {
  readonly documents: readonly PlannedDocument[];
  /** Documents no longer in the folder; none is removed unless that is requested. */
  readonly removals: readonly PlannedRemoval[];
  /** Documents no longer in the folder either, but made by people. */
  readonly left: readonly PlannedRemoval[];
  /** Marks of documents that are gone and that the folder does not have. */
  readonly stale: readonly AppliedMark[];
  readonly warnings: readonly DocumentProblem[];
  /** Tells whether the same folder would still do the same. */
  readonly basis: string;
}

interface FolderInput {
  readonly documents: readonly GivenDocument[];
  readonly applyset: string;
  /** Takes documents over that people or another set made. */
  readonly adopt?: boolean;
}

/** Returns the changes that applying the folder would make. Throws one error for all faults in it: then none of it is applied. */
export async function planFolder(
  services: RuleServices,
  caller: Caller,
  { documents: given, applyset, adopt = false }: FolderInput,
): Promise<FolderPlan> {
  const { documents: found, problems } = await folderDocuments(services, given);
  refuse(given, problems);
  const resolved = found.map((one) => ({
    ...one,
    resolved: withSecrets(one.type, one.given, one.record?.document.value),
  }));
  refuse(
    given,
    resolved.flatMap(({ index, resolved: { problems: own } }) => own.map((problem) => ({ index, ...problem }))),
  );
  const marks = await appliedMarks(services);
  const warnings = await checked(services, caller, given, resolved);
  const documents: PlannedDocument[] = [];
  const unfit: FolderProblem[] = [];
  const unreported: DocumentProblem[] = [];
  const mayReport = !caller.readOnly && caller.templates === null;
  for (const { resolved: one, ...document } of resolved) {
    const prepared = await preparedDocument(services, document, one, mayReport);
    const at = { rule_type: document.type.id, name: document.name, index: document.index };
    unreported.push(...prepared.unreported.map((problem) => ({ ...at, ...problem })));
    unfit.push(...prepared.problems.map((problem) => ({ index: document.index, ...problem })));
    const mark =
      marks.get(keyOf({ ruleType: document.type.id, ruleId: document.id })) ?? lostMark(marks, document, applyset);
    const planned = await plannedDocument(services, document, prepared.document, mark, applyset);
    if (staysOfOther(planned, { applyset, adopt }))
      unreported.push({ ...at, path: '', message: otherSet(planned.mark) });
    documents.push(planned);
  }
  refuse(given, unfit);
  const { removals, left, stale } = await unnamedDocuments(services, marks, documents, applyset);
  return {
    documents,
    removals,
    left,
    stale,
    warnings: [...warnings, ...unreported],
    basis: basisOf(documents, removals),
  };
}

async function plannedDocument(
  services: RuleServices,
  document: FolderDocument,
  prepared: RuleDocument,
  mark: AppliedMark | undefined,
  applyset: string,
): Promise<PlannedDocument> {
  const { type, record, id } = document;
  const before = record?.document.value;
  const after = withOwnMembers(prepared, id, before, type);
  const isSame = before !== undefined && comparable(before, type) === comparable(after, type);
  const action = before === undefined ? 'create' : isSame ? 'none' : 'update';
  return {
    ...document,
    action,
    document: after,
    changes: before === undefined || isSame ? [] : fieldChanges(type, before, after),
    // The mark of another set does not know how this one left the document.
    drift: action === 'none' || mark?.applyset !== applyset ? undefined : await driftOf(services, type, mark, record),
    mark,
  };
}

/** Keeps the members that the program maintains in a document as they are stored. */
function withOwnMembers(
  document: RuleDocument,
  id: string,
  before: RuleDocument | undefined,
  type: RuleType,
): RuleDocument {
  const written = before === undefined ? document : writtenMembers(document, type);
  const { _id: _, ...others } = withCounted(type, written, before);
  const mark = before !== undefined && withoutWaitMark(document).isMarked ? WAIT_MARK : {};
  return { _id: before?._id ?? { $oid: id }, ...others, ...mark };
}

/** A document that was removed by hand has lost its id, so its mark is found by its name. */
function lostMark(
  marks: ReadonlyMap<string, AppliedMark>,
  { type, name, record }: FolderDocument,
  applyset: string,
): AppliedMark | undefined {
  if (record !== undefined) return undefined;
  return [...marks.values()].find(
    (mark) => mark.ruleType === type.id && mark.ruleName === name && mark.applyset === applyset,
  );
}

export function byType<Document extends FolderDocument>(
  documents: readonly Document[],
): ReadonlyMap<string, readonly Document[]> {
  const groups = new Map<string, Document[]>();
  for (const document of documents) {
    const group = groups.get(document.type.id);
    if (group === undefined) groups.set(document.type.id, [document]);
    else group.push(document);
  }
  return groups;
}

/** Refuses everything that an import refuses; returns the warnings of the import. */
async function checked(
  services: RuleServices,
  caller: Caller,
  given: readonly GivenDocument[],
  documents: readonly (FolderDocument & { readonly resolved: { readonly document: RuleDocument } })[],
): Promise<readonly DocumentProblem[]> {
  const groups = byType(documents);
  const parts = [...groups].map(([type, some]) => ({
    type,
    documents: some.map(({ resolved, id }) => ({ ...resolved.document, _id: { $oid: id } })),
  }));
  const placed = (problem: DocumentProblem): DocumentProblem => ({
    ...problem,
    index: groups.get(problem.rule_type)?.[problem.index]?.index ?? -1,
  });
  const { details, warnings, cannotWork } = await importDocuments(services, caller, parts, {
    override: true,
    dryRun: true,
  });
  refuse(given, details.map(placed));
  return [...cannotWork, ...warnings].map(placed);
}

async function unnamedDocuments(
  services: RuleServices,
  marks: ReadonlyMap<string, AppliedMark>,
  documents: readonly PlannedDocument[],
  applyset: string,
): Promise<Pick<FolderPlan, 'removals' | 'left' | 'stale'>> {
  const named = new Set(documents.map(({ type, id }) => keyOf({ ruleType: type.id, ruleId: id })));
  const unnamed = [...marks].filter(([key, mark]) => mark.applyset === applyset && !named.has(key));
  const removals: PlannedRemoval[] = [];
  const left: PlannedRemoval[] = [];
  const stale: AppliedMark[] = [];
  for (const [, mark] of unnamed) {
    const type = services.plugins.ruleType(mark.ruleType) ?? unknownRuleType(mark.ruleType);
    const record = await services.storage.rules.get(type.id, mark.ruleId);
    if (record === undefined) stale.push(mark);
    else if (!mark.made) left.push({ type, record, mark, drift: undefined });
    else removals.push({ type, record, mark, drift: await driftOf(services, type, mark, record) });
  }
  return { removals, left, stale };
}

/** The basis of the plan: the stored versions of everything that it changes. */
function basisOf(documents: readonly PlannedDocument[], removals: readonly PlannedRemoval[]): string {
  const lines = [
    ...documents.filter(({ action }) => action !== 'none').map(({ type, name, record }) => lineOf(type, name, record)),
    ...removals.map(({ type, record }) => lineOf(type, record.name, record)),
  ];
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex').slice(0, 24);
}

function lineOf(type: RuleType, name: string, record: RuleRecord | undefined): string {
  return JSON.stringify([type.id, name, record?.id ?? null, record?.version ?? null]);
}

interface ApplySet {
  readonly applyset: string;
  readonly adopt: boolean;
}

/** Whether another set made the document and keeps it: otherwise a document in two folders would be removed by either. */
function staysOfOther<Planned extends Pick<PlannedDocument, 'action' | 'mark'>>(
  planned: Planned,
  { applyset, adopt }: ApplySet,
): planned is Planned & { readonly mark: AppliedMark } {
  const { action, mark } = planned;
  return mark?.made === true && mark.applyset !== applyset && action !== 'create' && !adopt;
}

function otherSet({ applyset }: AppliedMark): string {
  return `belongs to the set ${applyset}, and stays there: a --prune of this folder does not remove it; --adopt takes it over`;
}

/** The mark that a document of the folder shall have. */
export function markOf(planned: PlannedDocument, set: ApplySet): AppliedMark {
  if (staysOfOther(planned, set)) return planned.mark;
  const { type, id, name, document, action, mark } = planned;
  const { applyset, adopt } = set;
  const made = action === 'create' || adopt || mark?.made === true;
  return { ruleType: type.id, ruleId: id, ruleName: name, applyset, made, digest: digestOf(type, document) };
}

function refuse(given: readonly GivenDocument[], problems: readonly FolderProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const where = given[first.index]?.place;
  const about = [where, first.path].filter((part) => part !== undefined && part !== '').join(': ');
  throw new AppError('invalid_input', `${about === '' ? '' : `${about}: `}${first.message}; nothing was applied`, {
    details: problems.map(({ index, path, message }) => ({
      path: `documents.${index}${path === '' ? '' : `.${path}`}`,
      message,
    })),
  });
}
