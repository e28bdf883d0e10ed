import { changesBetween } from '../../../kit/json/document-diff.ts';
import type { RuleDocument, RuleOutcome, RuleType, RuleWrite, ValueChange } from '../../../ports/index.ts';
import { maskedDocument } from '../secrets/masked-documents.ts';
import type { RuleServices } from '../services.ts';

/** The effect of an import on one document. Unchanged and duplicate ones are left out. */
export interface DocumentChange {
  readonly rule_type: string;
  readonly name: string;
  readonly change: 'new' | 'changed';
  /** Differing members of a changed document, secrets masked. */
  readonly changes: readonly ValueChange[];
}

/** How a document compares with what is here under its id or name. */
export type Likeness = 'new' | 'same' | 'different';

export interface ImportPreview {
  readonly outcomes: readonly RuleOutcome[];
  readonly changes: readonly DocumentChange[];
  /** One for each document. */
  readonly likenesses: readonly Likeness[];
  /** Documents that exist here with other content, whether they would be replaced or stay. */
  readonly differing: readonly DocumentChange[];
}

interface KnownDocuments {
  readonly byId: Map<string, RuleDocument>;
  readonly byName: Map<string, RuleDocument>;
}

/** Predicts the outcome and changes of writing, from the present documents and the preceding ones of the bundle. */
export async function previewImport(
  services: RuleServices,
  candidates: readonly { readonly type: RuleType; readonly write: RuleWrite }[],
  override: boolean,
): Promise<ImportPreview> {
  const known = new Map<string, KnownDocuments>();
  const outcomes: RuleOutcome[] = [];
  const changes: DocumentChange[] = [];
  const likenesses: Likeness[] = [];
  const differing: DocumentChange[] = [];
  for (const { type, write } of candidates) {
    const documents = known.get(type.id) ?? (await knownDocuments(services, type.id));
    known.set(type.id, documents);
    const before = documents.byId.get(write.id) ?? (write.uniqueName ? documents.byName.get(write.name) : undefined);
    const outcome = before === undefined ? 'imported' : override ? 'replaced' : 'duplicate';
    outcomes.push(outcome);
    const change = documentChange(type, write, before);
    const likeness = before === undefined ? 'new' : isSame(write, before) ? 'same' : 'different';
    likenesses.push(likeness);
    if (likeness === 'different') differing.push(change ?? { ...headOf(type, write), change: 'changed', changes: [] });
    if (outcome === 'duplicate') continue;
    if (change !== undefined) changes.push(change);
    documents.byId.set(write.id, write.document.value);
    documents.byName.set(write.name, write.document.value);
  }
  return { outcomes, changes, likenesses, differing };
}

async function knownDocuments(services: RuleServices, type: string): Promise<KnownDocuments> {
  const records = await services.storage.rules.list(type);
  return {
    byId: new Map(records.map(({ id, document }) => [id, document.value])),
    byName: new Map(records.map(({ name, document }) => [name, document.value])),
  };
}

function documentChange(
  type: RuleType,
  write: RuleWrite,
  before: RuleDocument | undefined,
): DocumentChange | undefined {
  const base = headOf(type, write);
  if (before === undefined) return { ...base, change: 'new', changes: [] };
  const changes = changesBetween(maskedDocument(type, before), maskedDocument(type, inPlaceOf(write, before)));
  return changes.length === 0 ? undefined : { ...base, change: 'changed', changes };
}

function headOf(type: RuleType, { name }: RuleWrite) {
  return { rule_type: type.id, name };
}

/** Replacing by name keeps the stored id, so a different id is not a difference. */
function inPlaceOf({ document }: RuleWrite, before: RuleDocument): RuleDocument {
  return { ...document.value, _id: before._id ?? null };
}

/** Secrets too, which `DocumentChange` hides. */
function isSame(write: RuleWrite, before: RuleDocument): boolean {
  return changesBetween(before, inPlaceOf(write, before)).length === 0;
}
