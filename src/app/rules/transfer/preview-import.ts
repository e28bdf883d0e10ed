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

interface KnownDocument {
  readonly id: string;
  readonly document: RuleDocument;
  /** Keys of which only one document of the type may have each. */
  readonly keys: readonly string[];
}

/** The documents of a type as an import leaves them. */
class KnownDocuments {
  readonly #byId = new Map<string, KnownDocument>();
  readonly #byKey = new Map<string, Set<string>>();

  put(known: KnownDocument): void {
    for (const key of this.#byId.get(known.id)?.keys ?? []) this.#byKey.get(key)?.delete(known.id);
    this.#byId.set(known.id, known);
    for (const key of known.keys) this.#byKey.set(key, (this.#byKey.get(key) ?? new Set()).add(known.id));
  }

  /** The document that takes the place of another one is looked for by its id, else by its name. */
  present({ id, name, uniqueName }: RuleWrite): KnownDocument | undefined {
    const known = this.#byId.get(id);
    if (known !== undefined || !uniqueName) return known;
    const [first] = this.#byKey.get(nameKey(name)) ?? [];
    return first === undefined ? undefined : this.#byId.get(first);
  }

  isTaken(key: string, present: KnownDocument | undefined): boolean {
    return [...(this.#byKey.get(key) ?? [])].some((id) => id !== present?.id);
  }
}

function nameKey(name: string): string {
  return `name ${name}`;
}

function valueKey(value: string): string {
  return `value ${value}`;
}

function keysOf(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [nameKey(name)] : [nameKey(name), valueKey(value)];
}

/** Predicts the answer of a store, see `RuleOutcome`. */
function outcomeOf(
  write: RuleWrite,
  documents: KnownDocuments,
  present: KnownDocument | undefined,
  override: boolean,
): RuleOutcome {
  const { name, uniqueName, uniqueValue } = write;
  const isValueTaken = uniqueValue !== undefined && documents.isTaken(valueKey(uniqueValue), present);
  if (present === undefined) return isValueTaken ? 'duplicate' : 'imported';
  if (!override) return 'duplicate';
  if (uniqueName && documents.isTaken(nameKey(name), present)) return 'name_taken';
  return isValueTaken ? 'duplicate' : 'replaced';
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
    const documents = known.get(type.id) ?? (await knownDocuments(services, type));
    known.set(type.id, documents);
    const present = documents.present(write);
    const before = present?.document;
    const outcome = outcomeOf(write, documents, present, override);
    outcomes.push(outcome);
    const change = documentChange(type, write, before);
    const likeness = before === undefined ? 'new' : isSame(write, before) ? 'same' : 'different';
    likenesses.push(likeness);
    if (outcome === 'name_taken') continue;
    if (likeness === 'different') differing.push(change ?? { ...headOf(type, write), change: 'changed', changes: [] });
    if (outcome === 'duplicate') continue;
    if (change !== undefined) changes.push(change);
    const { id, name, uniqueValue } = write;
    documents.put({ id: present?.id ?? id, document: write.document.value, keys: keysOf(name, uniqueValue) });
  }
  return { outcomes, changes, likenesses, differing };
}

async function knownDocuments(services: RuleServices, type: RuleType): Promise<KnownDocuments> {
  const known = new KnownDocuments();
  for (const { id, name, document } of await services.storage.rules.list(type.id)) {
    known.put({ id, document: document.value, keys: keysOf(name, type.uniqueValue?.(document.value)) });
  }
  return known;
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
