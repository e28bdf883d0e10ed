import { type RuleDocument, type RuleRecord, type RuleType, StoredJson } from '../../../ports/index.ts';
import type { RuleServices } from '../services.ts';
import { ALL_VERSIONS } from './all-versions.ts';

const BATCH_SIZE = 500;

type Stored = Pick<RuleRecord, 'id'> & { readonly document: RuleDocument };

/** Whether what replaces a document names a reference for a secret that stood there. */
export function movesSecrets(type: RuleType, before: RuleDocument, after: RuleDocument): boolean {
  return type.withoutMovedSecrets !== undefined && type.withoutMovedSecrets(before, after) !== before;
}

/**
 * Takes out of the past versions of a document what the document keeps elsewhere by now. Answers how many versions held some. A
 * call that was cut off is made up for by the maintenance.
 */
export async function forgetMovedSecrets(
  { storage }: Pick<RuleServices, 'storage'>,
  type: RuleType,
  { id, document }: Stored,
): Promise<number> {
  const { withoutMovedSecrets } = type;
  if (withoutMovedSecrets === undefined) return 0;
  const documents = new Map<number, StoredJson<RuleDocument>>();
  for (const past of await storage.rules.versions(type.id, id, ALL_VERSIONS)) {
    const kept = withoutMovedSecrets(past.document.value, document);
    if (kept !== past.document.value) documents.set(past.version, StoredJson.ofValue(kept));
  }
  if (documents.size > 0) await storage.rules.rewriteVersions({ type: type.id, id, documents });
  return documents.size;
}

/** The same for every document that is stored. */
export async function forgetAllMovedSecrets(services: Pick<RuleServices, 'storage' | 'plugins'>): Promise<void> {
  for (const type of services.plugins.ruleTypes()) {
    if (type.withoutMovedSecrets === undefined) continue;
    for await (const records of services.storage.rules.scan(type.id, BATCH_SIZE)) {
      for (const { id, document } of records)
        await forgetMovedSecrets(services, type, { id, document: document.value });
    }
  }
}
