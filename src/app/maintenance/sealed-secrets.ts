import type { JsonObject, SecretBox, Storage } from '../../ports/index.ts';
import { memberText } from '../rules/document/members.ts';
import { allTexts } from './secret-rotation.ts';

const BATCH_SIZE = 500;

/**
 * Whether something of what is stored was sealed. The chain of the audit log has a sealed key from the first write on, so nearly always that
 * is all that is read; without it few documents are there.
 */
export async function holdsSecrets(
  { audit, transfer }: Pick<Storage, 'audit' | 'transfer'>,
  secrets: Pick<SecretBox, 'placeOf'>,
): Promise<boolean> {
  if ((await audit.chain()) !== null) return true;
  for (const part of ['rules', 'rule_versions'] as const) {
    for await (const records of transfer.read(part, { batchSize: BATCH_SIZE })) {
      for (const { value } of records) {
        const document = JSON.parse(memberText(value, 'document')) as JsonObject;
        if (allTexts(document).some((text) => secrets.placeOf(text) !== undefined)) return true;
      }
    }
  }
  return false;
}
