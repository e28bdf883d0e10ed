/** Encryption at rest under the instance key. */
export interface SecretBox {
  /**
   * Authenticated encryption; the same text gives another result each time. What is sealed for a purpose opens for that one
   * only: people can have texts of their own sealed as stored secrets, and must not make anything else by it.
   */
  seal(plain: string, purpose?: string): Promise<string>;
  /** Throws `AppError('failed')` when the text was sealed under another key, for another purpose, or was damaged. */
  open(sealed: string, purpose?: string): Promise<string>;
}

/** Changing the instance key. */
export interface KeyRotation {
  /**
   * Puts a new key in the place of the instance key, calls `reseal`, and forgets the old key when that is done. Until then
   * secrets open under either. A rotation that was cut off is continued. `renew` answers the text sealed under the new key,
   * and `undefined` for a text that is under it already or is no sealed one; it throws `AppError('failed')` when the secret
   * opens under neither key. Throws `AppError('failed')` when the key is not ours to change.
   */
  rotate<T>(reseal: (renew: (text: string) => Promise<string | undefined>) => Promise<T>): Promise<T>;
}

/** One-way hashes of passwords. Slow on purpose; runs off the main thread. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** False for a wrong password and for a hash that cannot be read. */
  verify(hash: string, password: string): Promise<boolean>;
}
