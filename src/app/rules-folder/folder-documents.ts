import { documentName } from '../../kit/document/document-name.ts';
import type { ErrorDetail, RuleDocument, RuleRecord, RuleType } from '../../ports/index.ts';
import type { RuleServices } from '../rules/services.ts';
import { givenId } from '../rules/transfer/document-ids.ts';
import { storedUnknownType } from '../rules/unknown-types.ts';

/** A document of a folder, as it was given. */
export interface GivenDocument {
  readonly rule_type: string;
  readonly document: RuleDocument;
  /** File and line, for messages. */
  readonly place?: string | undefined;
}

/** A document of a folder with the stored one that it is about. */
export interface FolderDocument {
  /** Its turn among those that were given. */
  readonly index: number;
  readonly place: string | undefined;
  readonly type: RuleType;
  readonly name: string;
  readonly given: RuleDocument;
  readonly record: RuleRecord | undefined;
  /** That of the stored document, or one for the new one. */
  readonly id: string;
}

/** The fault of a document of the folder. */
export interface FolderProblem extends ErrorDetail {
  readonly index: number;
}

/** Reasons why documents of these groups do not belong in a folder. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  users: 'users are not kept in a folder; make them with "muster user add"',
  hosts: 'hosts are not kept in a folder; import them from a source',
};

/**
 * Finds the stored document of each: by its `_id`, if a document with it is stored, else by its name. Two that are the same
 * document, or that could be several stored ones, are problems.
 */
export async function folderDocuments(
  services: RuleServices,
  given: readonly GivenDocument[],
): Promise<{ readonly documents: readonly FolderDocument[]; readonly problems: readonly FolderProblem[] }> {
  const documents: FolderDocument[] = [];
  const problems: FolderProblem[] = [];
  const types = new Map<string, Promise<StoredDocuments>>();
  const taken = new Map<string, number>();
  for (const [index, { rule_type, document, place }] of given.entries()) {
    const known = types.get(rule_type) ?? storedDocuments(services, rule_type);
    types.set(rule_type, known);
    const stored = await known;
    if (stored.refusal !== undefined) {
      problems.push({ index, path: '', message: stored.refusal });
      continue;
    }
    const { type, byId, byName } = stored;
    const name = documentName(type, document);
    const wanted = givenId(document);
    const ofName = (name === '' ? undefined : byName.get(name)) ?? [];
    const record =
      (wanted === undefined ? undefined : byId.get(wanted)) ?? (ofName.length === 1 ? ofName[0] : undefined);
    if (record === undefined && wanted === undefined && ofName.length > 1) {
      const message = `there are ${ofName.length} ${type.id} of that name; say by _id which one it is`;
      problems.push({ index, path: type.keyedBy, message });
      continue;
    }
    const key = `${type.id}/${record?.id ?? wanted ?? name}`;
    const other = taken.get(key);
    if (other !== undefined) {
      const where = given[other]?.place;
      const message = `is in the folder twice${where === undefined ? '' : `, also in ${where}`}`;
      problems.push({ index, path: type.keyedBy, message });
      continue;
    }
    taken.set(key, index);
    const id = record?.id ?? wanted ?? services.newId();
    documents.push({ index, place, type, name, given: document, record, id });
  }
  return { documents, problems };
}

type StoredDocuments =
  | { readonly refusal: string }
  | {
      readonly refusal?: undefined;
      readonly type: RuleType;
      readonly byId: ReadonlyMap<string, RuleRecord>;
      readonly byName: ReadonlyMap<string, readonly RuleRecord[]>;
    };

async function storedDocuments(services: RuleServices, ident: string): Promise<StoredDocuments> {
  const type = services.plugins.ruleType(ident) ?? (await storedUnknownType(services, ident));
  if (type === undefined) return { refusal: `there is no rule type ${ident}; "muster rules types" lists them` };
  const refusal = ELSEWHERE[type.exportGroup];
  if (refusal !== undefined) return { refusal };
  const records = await services.storage.rules.list(type.id);
  const byName = new Map<string, RuleRecord[]>();
  for (const record of records) {
    const ofName = byName.get(record.name);
    if (ofName === undefined) byName.set(record.name, [record]);
    else ofName.push(record);
  }
  return { type, byId: new Map(records.map((record) => [record.id, record])), byName };
}
