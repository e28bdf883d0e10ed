import { importedHash, isCheckedHash } from '../../kit/users/password-hash.ts';
import { AppError, type PasswordHasher } from '../../ports/index.ts';

/** Cost of making and checking a hash. */
export interface HashCost {
  /** KiB. */
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** OWASP's second choice of parameters: 19 MiB, two passes, one lane. */
const COST: HashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** A hash that matches no password. It is checked when there is no hash to check, so that the answer takes equally long. */
const DUMMY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$0000000000000000000000000000000000000000000';
/** Longer passwords are refused, so that hashing cannot be used to cause load. */
const MAX_PASSWORD_BYTES = 4096;
/** Verifications that may wait at once; callers beyond are asked to try again later. */
const MAX_WAITING = 64;

/** Argon2id on the library's own threads. The module is loaded at the first use. */
export function argon2PasswordHasher(cost: HashCost = COST): PasswordHasher {
  let waiting = 0;
  async function limited<T>(run: () => Promise<T>): Promise<T> {
    if (waiting >= MAX_WAITING) {
      throw new AppError('unavailable', 'too many logins at once; try again', { retryAfterSeconds: 1 });
    }
    waiting++;
    try {
      return await run();
    } finally {
      waiting--;
    }
  }
  return {
    async hash(password) {
      if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) {
        throw new AppError('invalid_input', `the password is longer than ${MAX_PASSWORD_BYTES} bytes`);
      }
      const argon2 = await import('@node-rs/argon2');
      return limited(() => argon2.hash(password, cost));
    },
    async verify(hash, password) {
      if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) return false;
      const argon2 = await import('@node-rs/argon2');
      return limited(async () => {
        try {
          const isTaken = isCheckedHash(hash);
          const imported = isTaken ? importedHash(hash) : undefined;
          if (imported !== undefined) {
            const { matchesImportedHash } = await import('./imported-hash.ts');
            return await matchesImportedHash(imported, password);
          }
          const isRight = await argon2.verify(isTaken ? hash : DUMMY_HASH, password);
          return isTaken && isRight;
        } catch {
          await argon2.verify(DUMMY_HASH, password);
          return false;
        }
      });
    },
  };
}
