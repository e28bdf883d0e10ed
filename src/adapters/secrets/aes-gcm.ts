import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { isDocumentPlace } from '../../ports/index.ts';

const FORMAT = 'aes256gcm:';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';
/** Without a length, a tag that was cut short counts too. */
const OPTIONS = { authTagLength: TAG_BYTES };

interface SealedText {
  /** `null`: sealed before secrets had places. */
  readonly place: string | null;
  /** Base64 of iv, tag and cipher text. */
  readonly bytes: string;
}

/**
 * AES-256-GCM with the place as additional data. A sealed text is `aes256gcm:<place>:<base64 of iv, tag and cipher text>`; it
 * includes its place so that code that knows nothing else about it can seal it again. Older ones are `aes256gcm:<base64>`.
 */
export function sealText(plain: string, key: Buffer, place: string): string {
  return `${FORMAT}${escaped(place)}:${encrypted(plain, key, place)}`;
}

/** Seals a text without a known place, in the former format: secrets of documents whose type is missing keep it. */
export function sealUnbound(plain: string, key: Buffer): string {
  return `${FORMAT}${encrypted(plain, key, '')}`;
}

export function readSealed(text: string): SealedText | undefined {
  if (!text.startsWith(FORMAT)) return undefined;
  const rest = text.slice(FORMAT.length);
  const end = rest.indexOf(':');
  return end < 0 ? { place: null, bytes: rest } : { place: unescaped(rest.slice(0, end)), bytes: rest.slice(end + 1) };
}

/** `undefined` when the text was sealed under another key, for another place, or was damaged. */
export function openText(text: string, key: Buffer, place: string): string | undefined {
  const sealed = readSealed(text);
  if (sealed === undefined || (sealed.place !== null && sealed.place !== place)) return undefined;
  // Purposes of the program's own were bound before members of documents were.
  const bound = sealed.place !== null || !isDocumentPlace(place);
  return decrypted(sealed.bytes, key, bound ? place : '');
}

/** Opens a text regardless of its place, for code that seals it again. */
export function openAnywhere(text: string, key: Buffer): string | undefined {
  const sealed = readSealed(text);
  return sealed === undefined ? undefined : decrypted(sealed.bytes, key, sealed.place ?? '');
}

function encrypted(plain: string, key: Buffer, additional: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, OPTIONS);
  cipher.setAAD(Buffer.from(additional));
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
}

function decrypted(base64: string, key: Buffer, additional: string): string | undefined {
  const bytes = Buffer.from(base64, 'base64');
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), OPTIONS);
    decipher.setAAD(Buffer.from(additional));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function escaped(place: string): string {
  return place.replaceAll('%', '%25').replaceAll(':', '%3A');
}

function unescaped(place: string): string {
  return place.replaceAll('%3A', ':').replaceAll('%25', '%');
}
