/**
 * Encryption at rest under the instance key. Every secret is sealed for a place: a member of a document (`documentPlace`), or
 * a purpose of the program's own, such as `admin session`. People can have texts of their own sealed as stored secrets, and
 * copy sealed texts from one document into another; neither must make anything else by it.
 */
export interface SecretBox {
  /** Authenticated encryption; the same text gives another result each time. It opens at this place and no other. */
  seal(plain: string, place: string): Promise<string>;
  /**
   * Throws `AppError('failed')` when the text was sealed under another key, for another place, or was damaged. Texts that were
   * sealed before secrets had places open at every member of a document.
   */
  open(sealed: string, place: string): Promise<string>;
  /** The place that the text says it was sealed for; `null` for one from before there were places, `undefined` for no sealed text. */
  placeOf(text: string): string | null | undefined;
}

const DOCUMENTS = 'document/';

/**
 * The place of a member of a stored document, by its id, so that it may be renamed. The member is a dotted path, with elements of
 * lists by their own name: `custom_fields.api_token.value_crypted`.
 */
export function documentPlace(type: string, id: string, member: string): string {
  return `${DOCUMENTS}${escaped(type)}/${escaped(id)}/${member}`;
}

export function isDocumentPlace(place: string): boolean {
  return place.startsWith(DOCUMENTS);
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('/', '%2F');
}

/** Changing the instance key. */
export interface KeyRotation {
  /**
   * Puts a new key in the place of the instance key, calls `reseal`, and forgets the old key when that is done. Until then
   * secrets open under either. A rotation that was cut off is continued. Throws `AppError('failed')` when the key is not ours
   * to change.
   */
  rotate<T>(reseal: (renew: RenewSecret) => Promise<T>): Promise<T>;
}

/**
 * Answers the text sealed under the new key for the place that it has, or for `place` if it has none yet; `undefined` for a text
 * that needs no change or is not sealed. Throws `AppError('failed')` if the secret opens under neither key.
 */
export type RenewSecret = (text: string, place?: string) => Promise<string | undefined>;

/** One-way hashes of passwords. Slow on purpose; runs off the main thread. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /**
   * False for a wrong password and, not sooner, for a hash that cannot be read, such as an empty one, and for one that is not checked
   * (`isCheckedHash`): that is never computed.
   */
  verify(hash: string, password: string): Promise<boolean>;
}
