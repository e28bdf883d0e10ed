import { argon2PasswordHasher } from '../../src/adapters/passwords/argon2-password-hasher.ts';
import type { PasswordHasher } from '../../src/ports/index.ts';

/**
 * Argon2 at the least cost that it knows. The usual one takes 25 ms of a processor for each password that is made or checked, and
 * hundreds of tests begin by making users. Tests of what hashing costs take the usual one.
 */
export function quickPasswords(): PasswordHasher {
  return argon2PasswordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 });
}
