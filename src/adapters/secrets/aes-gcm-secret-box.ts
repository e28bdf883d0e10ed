import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { AppError, type SecretBox } from '../../ports/index.ts';

const FORMAT = 'aes256gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface AesGcmSecretBoxOptions {
  /** Called at the first use, so that commands without secrets never touch the key. */
  readonly key: () => Buffer;
}

/** AES-256-GCM. A sealed text is `aes256gcm:<base64 of iv, tag and cipher text>`. */
export function aesGcmSecretBox(options: AesGcmSecretBoxOptions): SecretBox {
  let key: Buffer | undefined;
  const theKey = (): Buffer => {
    key ??= options.key();
    return key;
  };
  return {
    async seal(plain) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', theKey(), iv);
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `${FORMAT}:${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')}`;
    },
    async open(sealed) {
      const [format, body] = sealed.split(':', 2);
      if (format !== FORMAT || body === undefined) {
        throw new AppError('failed', 'a stored secret has an unknown form; enter it again');
      }
      const bytes = Buffer.from(body, 'base64');
      try {
        const decipher = createDecipheriv('aes-256-gcm', theKey(), bytes.subarray(0, IV_BYTES));
        decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString(
          'utf8',
        );
      } catch (cause) {
        if (cause instanceof AppError) throw cause;
        throw new AppError(
          'failed',
          'a stored secret was sealed under another instance key; use that key or enter the secret again',
          { cause },
        );
      }
    },
  };
}
