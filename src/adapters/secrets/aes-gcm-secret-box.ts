import { AppError, type SecretBox } from '../../ports/index.ts';
import { openText, readSealed, sealText } from './aes-gcm.ts';

/** The keys of this instance. Asked at each use, so that commands without secrets never touch a key. */
export interface InstanceKeys {
  /** Made where there is none and none is missing. */
  current(): Promise<Buffer>;
  /** The same, but never made: something was sealed with it. */
  existing(): Buffer;
  /** The key before, while a rotation is under way. */
  previous(): Buffer | undefined;
}

export interface AesGcmSecretBoxOptions {
  readonly keys: InstanceKeys;
}

/** Seals under the instance key; opens under it, and during a rotation under the one before too. */
export function aesGcmSecretBox({ keys }: AesGcmSecretBoxOptions): SecretBox {
  return {
    async seal(plain, place) {
      return sealText(plain, await keys.current(), place);
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
