import { pbkdf2, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { ImportedHash } from '../../kit/users/password-hash.ts';

const derivePbkdf2 = promisify(pbkdf2);

/** Whether the password is the one that another program hashed. Runs on a thread of Node's own. */
export async function matchesImportedHash(imported: ImportedHash, password: string): Promise<boolean> {
  const { digest, salt } = imported;
  const computed =
    imported.kind === 'pbkdf2'
      ? await derivePbkdf2(password, salt, imported.iterations, digest.length, imported.hash)
      : await deriveScrypt(imported, password);
  return timingSafeEqual(computed, digest);
}

function deriveScrypt(
  { cost, blockSize, lanes, salt, digest }: Extract<ImportedHash, { kind: 'scrypt' }>,
  password: string,
): Promise<Buffer> {
  // Node's own limit is just below the need of the usual parameters.
  const options = { N: cost, r: blockSize, p: lanes, maxmem: 256 * cost * blockSize * lanes };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, digest.length, options, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}
