import { phrase } from '../../kit/worded.ts';
import { AppError, documentPlace, type SecretBox } from '../../ports/index.ts';
import { openText, readSealed, sealText } from './aes-gcm.ts';

/** The keys of this instance. Asked at each use, so that commands without secrets never touch a key. */
export interface InstanceKeys {
  /** Returns the current key, creating one if there is none and none is missing. */
  current(): Promise<Buffer>;
  /** The same, but never made: something was sealed with it. */
  existing(): Buffer;
  /** The key before, while a rotation is under way. */
  previous(): Buffer | undefined;
}

export interface AesGcmSecretBoxOptions {
  readonly keys: InstanceKeys;
  /**
   * Stored texts sealed under the instance key. A key that opens none of them belongs to another store, and nothing is sealed
   * under it. Without witnesses every key is accepted.
   */
  readonly witnesses?: () => AsyncIterable<string>;
}

/** How long an answer of the witnesses holds: another node may rotate the key at any time. */
const TRUST_MS = 1_000;
/** Stands for the place of texts that were sealed before secrets had places, and that open at every member. */
const ANY_PLACE = documentPlace('', '', '');

/** Seals under the instance key; opens under it, and during a rotation under the one before too. */
export function aesGcmSecretBox({ keys, witnesses }: AesGcmSecretBoxOptions): SecretBox {
  let trusted: { readonly key: Buffer; readonly until: number } | undefined;

  async function requireOwnKey(key: Buffer): Promise<void> {
    if (witnesses === undefined || (trusted?.key === key && performance.now() < trusted.until)) return;
    let isForeign = false;
    for await (const text of witnesses()) {
      const place = readSealed(text)?.place ?? ANY_PLACE;
      isForeign = (openUnder(text, key, place) ?? openUnder(text, keys.previous(), place)) === undefined;
      if (!isForeign) break;
    }
    if (isForeign) throw foreignKey();
    trusted = { key, until: performance.now() + TRUST_MS };
  }

  return {
    async seal(plain, place) {
      const key = await keys.current();
      await requireOwnKey(key);
      return sealText(plain, key, place);
    },
    async open(sealed, place) {
      const stated = readSealed(sealed);
      if (stated === undefined) throw new AppError('failed', 'a stored secret has an unknown form; enter it again');
      if (stated.place !== null && stated.place !== place) {
        throw new AppError('failed', 'a stored secret was sealed for another document or member; enter it again here');
      }
      const plain = openUnder(sealed, keys.existing(), place) ?? openUnder(sealed, keys.previous(), place);
      if (plain !== undefined) return plain;
      throw new AppError(
        'failed',
        'a stored secret was sealed under another instance key; use that key or enter the secret again',
      );
    },
    placeOf: (text) => readSealed(text)?.place,
  };
}

function openUnder(sealed: string, key: Buffer | undefined, place: string): string | undefined {
  return key === undefined ? undefined : openText(sealed, key, place);
}

function foreignKey(): AppError {
  return new AppError(
    'failed',
    phrase`the instance key is not the one that encrypted the stored secrets, so nothing more is encrypted: put the right one back, from your backup or from the node where the key was rotated. Only if it is lost for good, begin with a new key: see "When the key is lost" in the documentation of operations`,
  );
}
