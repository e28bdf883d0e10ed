import type { RuleDocument, RuleOutcome, RuleType, RuleWrite, ValueChange } from '../../../ports/index.ts';
import { changesBetween } from '../../kernel/json/document-diff.ts';
import type { RuleServices } from '../services.ts';
import { maskedDocument } from './masked-documents.ts';

/** What an import would do to one document. Unchanged and duplicate ones are left out. */
export interface DocumentChange {
  readonly rule_type: string;
  readonly name: string;
  readonly change: 'new' | 'changed';
  /** Differing members of a changed document, secrets masked. */
  readonly changes: readonly ValueChange[];
}

export interface ImportPreview {
  readonly outcomes: readonly RuleOutcome[];
  readonly changes: readonly DocumentChange[];
}

interface KnownDocuments {
  readonly byId: Map<string, RuleDocument>;
  readonly byName: Map<string, RuleDocument>;
}

/** What writing would answer and change, told from the documents that are there now and those before in the bundle. */
export async function previewImport(
  services: RuleServices,
  candidates: readonly { readonly type: RuleType; readonly write: RuleWrite }[],
  override: boolean,
): Promise<ImportPreview> {
  const known = new Map<string, KnownDocuments>();
  const outcomes: RuleOutcome[] = [];
  const changes: DocumentChange[] = [];
  for (const { type, write } of candidates) {
    const documents = known.get(type.id) ?? (await knownDocuments(services, type.id));
    known.set(type.id, documents);
    const before = documents.byId.get(write.id) ?? (write.uniqueName ? documents.byName.get(write.name) : undefined);
    const outcome = before === undefined ? 'imported' : override ? 'replaced' : 'duplicate';
    outcomes.push(outcome);
    if (outcome === 'duplicate') continue;
    const change = documentChange(type, write, before);
    if (change !== undefined) changes.push(change);
    documents.byId.set(write.id, write.document.value);
    documents.byName.set(write.name, write.document.value);
  }
  return { outcomes, changes };
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
  const base = { rule_type: type.id, name: write.name };
  if (before === undefined) return { ...base, change: 'new', changes: [] };
  // Replacing by name keeps the stored id, so that is no difference.
  const after: RuleDocument = { ...write.document.value, _id: before._id ?? null };
  const changes = changesBetween(maskedDocument(type, before), maskedDocument(type, after));
  return changes.length === 0 ? undefined : { ...base, change: 'changed', changes };
}
