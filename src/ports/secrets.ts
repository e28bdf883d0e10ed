/** Encryption at rest under the instance key. */
export interface SecretBox {
  /** Authenticated encryption; the same text gives another result each time. */
  seal(plain: string): Promise<string>;
  /** Throws `AppError('failed')` when the text was sealed under another key or was damaged. */
  open(sealed: string): Promise<string>;
}

/** One-way hashes of passwords. Slow on purpose; runs off the main thread. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** False for a wrong password and for a hash that cannot be read. */
  verify(hash: string, password: string): Promise<boolean>;
}
