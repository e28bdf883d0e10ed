import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const FORMAT = 'aes256gcm:';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';
/** Without a length, a tag that was cut short counts too. */
const OPTIONS = { authTagLength: TAG_BYTES };

/** AES-256-GCM. A sealed text is `aes256gcm:<base64 of iv, tag and cipher text>`. */
export function sealText(plain: string, key: Buffer, purpose = ''): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, OPTIONS);
  cipher.setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return `${FORMAT}${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')}`;
}

export function isSealed(text: string): boolean {
  return text.startsWith(FORMAT);
}

/** `undefined` when the text was sealed under another key, for another purpose, or was damaged. */
export function openText(sealed: string, key: Buffer, purpose = ''): string | undefined {
  const bytes = Buffer.from(sealed.slice(FORMAT.length), 'base64');
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), OPTIONS);
    decipher.setAAD(Buffer.from(purpose));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
