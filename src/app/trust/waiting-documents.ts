import type { RuleRecord } from '../../ports/index.ts';
import type { Caller } from '../execution/caller.ts';
import { isVisible } from '../rules-transfer/export-documents.ts';
import type { Services } from '../services.ts';
import { actsOf } from './waiting.ts';

export interface WaitingDocument {
  readonly record: RuleRecord;
  /** What it would make the machine do. */
  readonly acts: readonly string[];
}

const BATCH_SIZE = 250;

/** The documents that wait for an administrator, by type and name. */
export async function* waitingDocuments(services: Services, caller?: Caller): AsyncGenerator<WaitingDocument> {
  for (const type of services.plugins.ruleTypes()) {
    for await (const batch of services.storage.rules.scan(type.id, BATCH_SIZE)) {
      for (const record of batch) {
        if (record.confirmedBy !== null) continue;
        if (caller !== undefined && !isVisible(type, record, caller)) continue;
        const acts = actsOf(type, record);
        if (acts.length > 0) yield { record, acts };
      }
    }
  }
}
