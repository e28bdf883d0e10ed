import { AppError, type SecretBox } from '../../ports/index.ts';
import { isSealed, openText, sealText } from './aes-gcm.ts';

/** The keys of this instance. Asked at each use, so that commands without secrets never touch a key. */
export interface InstanceKeys {
  current(): Buffer;
  /** The key before, while a rotation is under way. */
  previous(): Buffer | undefined;
}

export interface AesGcmSecretBoxOptions {
  readonly keys: InstanceKeys;
}

/** Seals under the instance key; opens under it, and during a rotation under the one before too. */
export function aesGcmSecretBox({ keys }: AesGcmSecretBoxOptions): SecretBox {
  return {
    async seal(plain, purpose) {
      return sealText(plain, keys.current(), purpose);
    },
    async open(sealed, purpose) {
      if (!isSealed(sealed)) throw new AppError('failed', 'a stored secret has an unknown form; enter it again');
      const plain = openUnder(sealed, keys.current(), purpose) ?? openUnder(sealed, keys.previous(), purpose);
      if (plain !== undefined) return plain;
      throw new AppError(
        'failed',
        'a stored secret was sealed under another instance key; use that key or enter the secret again',
      );
    },
  };
}

function openUnder(sealed: string, key: Buffer | undefined, purpose: string | undefined): string | undefined {
  return key === undefined ? undefined : openText(sealed, key, purpose);
}
