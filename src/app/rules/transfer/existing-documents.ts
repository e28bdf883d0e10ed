import type { RuleDocument, RuleRecord, RuleType } from '../../../ports/index.ts';
import { isHostType } from '../rule-type-input.ts';
import type { RuleServices } from '../services.ts';
import { givenId, uniqueName } from './document-ids.ts';

export interface ExistingDocuments {
  readonly byId: ReadonlyMap<string, RuleRecord>;
  readonly byName: ReadonlyMap<string, RuleRecord>;
  /** Ids of the documents of the same import that are new, by name: a later one of a name takes the place of the first. */
  readonly newIds: Map<string, string>;
}

/** Stored documents, for types whose preparation or refusal depends on them, or which may hold some that cannot work. */
export async function existingDocuments(services: RuleServices, type: RuleType): Promise<ExistingDocuments> {
  const needed =
    type.prepare !== undefined ||
    type.refusals !== undefined ||
    type.secretMembers.length > 0 ||
    type.acts !== undefined ||
    type.restricts !== undefined ||
    type.namesProvider === true ||
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

/** The document that this one would take the place of. */
export function storedBefore(type: RuleType, given: RuleDocument, existing: ExistingDocuments): RuleRecord | undefined {
  const id = givenId(given);
  return (id === undefined ? undefined : existing.byId.get(id)) ?? existing.byName.get(uniqueName(type, given) ?? '');
}
