import { type RuleDocument, type RuleRecord, type RuleType, StoredJson } from '../../../ports/index.ts';
import type { KernelServices } from '../../kernel/services.ts';
import { ALL_VERSIONS } from './all-versions.ts';

const BATCH_SIZE = 500;

/** Whether the replacement of a document has a reference in place of a secret. */
export function movesSecrets(type: RuleType, before: RuleDocument, after: RuleDocument): boolean {
  return type.withoutMovedSecrets !== undefined && type.withoutMovedSecrets(before, after) !== before;
}

/**
 * Takes out of the past versions of a document what the document keeps elsewhere by now. Not while it waits for an administrator: else
 * who may only write it could take a secret from the history for good. What is confirmed later or was cut off is made up for by the
 * maintenance.
 */
export async function forgetMovedSecrets(
  { storage }: Pick<KernelServices, 'storage'>,
  type: RuleType,
  { id, document, confirmedBy }: RuleRecord,
): Promise<void> {
  const { withoutMovedSecrets } = type;
  if (withoutMovedSecrets === undefined || confirmedBy === null) return;
  const documents = new Map<number, StoredJson<RuleDocument>>();
  for (const past of await storage.rules.versions(type.id, id, ALL_VERSIONS)) {
    const kept = withoutMovedSecrets(past.document.value, document.value);
    if (kept !== past.document.value) documents.set(past.version, StoredJson.ofValue(kept));
  }
  if (documents.size > 0) await storage.rules.rewriteVersions({ type: type.id, id, documents });
}

/** The same for every document that is stored. */
export async function forgetAllMovedSecrets(services: Pick<KernelServices, 'storage' | 'plugins'>): Promise<void> {
  for (const type of services.plugins.ruleTypes()) {
    if (type.withoutMovedSecrets === undefined) continue;
    for await (const records of services.storage.rules.scan(type.id, BATCH_SIZE)) {
      for (const record of records) await forgetMovedSecrets(services, type, record);
    }
  }
}
