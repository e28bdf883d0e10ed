import { memberText } from '../../kit/document/members.ts';
import type { JsonObject, SecretBox, Storage } from '../../ports/index.ts';
import { sealedKeyOf } from '../journal/audit/chain-state.ts';
import { allTexts } from './secret-rotation.ts';

const BATCH_SIZE = 500;

type SealedParts = Pick<Storage, 'audit' | 'transfer'>;

/** Whether something of what is stored was sealed. */
export async function holdsSecrets(storage: SealedParts, secrets: Pick<SecretBox, 'placeOf'>): Promise<boolean> {
  if ((await storage.audit.chain()) !== null) return true;
  for await (const _ of sealedTexts(storage, secrets)) return true;
  return false;
}

/**
 * Yields sealed texts of the store, by which a key is recognised as its own. The chain of the audit log has a sealed key from the
 * first write on, so nearly always nothing else is read; without it there are only few documents.
 */
export async function* sealedTexts(
  { audit, transfer }: SealedParts,
  secrets: Pick<SecretBox, 'placeOf'>,
): AsyncGenerator<string> {
  const chain = await audit.chain();
  const key = chain === null ? undefined : sealedKeyOf(chain);
  if (key !== undefined) return yield key;
  for (const part of ['rules', 'rule_versions'] as const) {
    for await (const records of transfer.read(part, { batchSize: BATCH_SIZE })) {
      for (const { value } of records) {
        const document = JSON.parse(memberText(value, 'document')) as JsonObject;
        yield* allTexts(document).filter((text) => secrets.placeOf(text) !== undefined);
      }
    }
  }
}
