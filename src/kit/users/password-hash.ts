import { phrase, type Said, worded } from '../worded.ts';

const PHC = /^\$(argon2(?:id|i|d))(?:\$v=(\d+))?\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Limits on the cost of checking one password: about the maximum that today's libraries use, and no more than half a second. */
const MOST_MEMORY_KIB = 131_072;
const MOST_PASSES = 10;
const MOST_LANES = 16;
const MOST_WORK = 524_288;
const SALT_BYTES = { least: 8, most: 64 };
const HASH_BYTES = { least: 16, most: 64 };
const VERSIONS = new Set(['16', '19']);

/** Hashes from another installation that was migrated. They are checked and never created. */
const SCRYPT = /^scrypt:(\d+):(\d+):(\d+)\$([^$]+)\$([0-9a-f]+)$/;
const PBKDF2 = /^pbkdf2:(sha256|sha512):(\d+)\$([^$]+)\$([0-9a-f]+)$/;
/** About 64 MiB and half a second. */
const MOST_SCRYPT_BYTES = 67_108_864;
const MOST_SCRYPT_LANES = 4;
const MOST_ITERATIONS = 2_000_000;

/** A hash that another program made: what is needed to compute it again. `salt` counts as the bytes of its text. */
export type ImportedHash = { readonly salt: string; readonly digest: Buffer } & (
  | { readonly kind: 'scrypt'; readonly cost: number; readonly blockSize: number; readonly lanes: number }
  | { readonly kind: 'pbkdf2'; readonly hash: string; readonly iterations: number }
);

/** `undefined` for a text of any other form. */
export function importedHash(text: string): ImportedHash | undefined {
  const scrypt = SCRYPT.exec(text);
  if (scrypt !== null) {
    const [, cost, blockSize, lanes, salt = '', digest = ''] = scrypt;
    const parameters = { cost: Number(cost), blockSize: Number(blockSize), lanes: Number(lanes) };
    return { kind: 'scrypt', ...parameters, salt, digest: Buffer.from(digest, 'hex') };
  }
  const pbkdf2 = PBKDF2.exec(text);
  if (pbkdf2 === null) return undefined;
  const [, hash = '', iterations, salt = '', digest = ''] = pbkdf2;
  return { kind: 'pbkdf2', hash, iterations: Number(iterations), salt, digest: Buffer.from(digest, 'hex') };
}

/** Whether passwords are checked against this hash: one of a form that is known, and within what a check may cost. */
export function isCheckedHash(hash: string): boolean {
  return (PHC.test(hash) || importedHash(hash) !== undefined) && passwordHashProblem(hash) === undefined;
}

/**
 * Returns what is excessive about a hash; `undefined` for an acceptable one, and for texts that are not hashes, which cost
 * nothing as they are not checked. A hash itself sets the cost of checking it, and imports of users can bring any hash.
 */
export function passwordHashProblem(hash: string): Said | undefined {
  const imported = importedHash(hash);
  if (imported !== undefined) return importedHashProblem(imported);
  const found = PHC.exec(hash);
  if (found === null) return undefined;
  const [, kind = '', version = '16', memory, passes, lanes, salt = '', digest = ''] = found;
  const [m, t, p] = [Number(memory), Number(passes), Number(lanes)];
  if (kind === 'argon2d') return phrase`is an argon2d hash; argon2id and argon2i are accepted`;
  if (!VERSIONS.has(version)) return worded`is of Argon2 version ${{ version }}; 19 and 16 are accepted`;
  if (p < 1 || p > MOST_LANES)
    return worded`asks for ${{ count: String(p) }} lanes; 1 to ${{ most: String(MOST_LANES) }} are accepted`;
  if (t < 1 || t > MOST_PASSES)
    return worded`asks for ${{ count: String(t) }} passes; 1 to ${{ most: String(MOST_PASSES) }} are accepted`;
  if (m < 8 * p || m > MOST_MEMORY_KIB)
    return worded`asks for ${{ size: String(m) }} KiB of memory; ${{ least: String(8 * p) }} to ${{ most: String(MOST_MEMORY_KIB) }} are accepted`;
  if (m * t > MOST_WORK)
    return worded`asks for ${{ count: String(t) }} passes over ${{ size: String(m) }} KiB; ${{ most: String(MOST_WORK) }} KiB in all are accepted`;
  if (!isWithin(salt, SALT_BYTES))
    return worded`has a salt that is not ${{ least: String(SALT_BYTES.least) }} to ${{ most: String(SALT_BYTES.most) }} bytes long`;
  if (!isWithin(digest, HASH_BYTES))
    return worded`is not ${{ least: String(HASH_BYTES.least) }} to ${{ most: String(HASH_BYTES.most) }} bytes long`;
  return undefined;
}

function importedHashProblem(imported: ImportedHash): Said | undefined {
  if (imported.digest.length < HASH_BYTES.least || imported.digest.length > HASH_BYTES.most) {
    return worded`is not ${{ least: String(HASH_BYTES.least) }} to ${{ most: String(HASH_BYTES.most) }} bytes long`;
  }
  if (imported.kind === 'pbkdf2') {
    const { iterations } = imported;
    return iterations >= 1 && iterations <= MOST_ITERATIONS
      ? undefined
      : worded`asks for ${{ count: String(iterations) }} iterations; 1 to ${{ most: String(MOST_ITERATIONS) }} are accepted`;
  }
  const { cost, blockSize, lanes } = imported;
  if (cost < 2 || (cost & (cost - 1)) !== 0 || cost > MOST_SCRYPT_BYTES)
    return worded`has a scrypt cost of ${{ cost: String(cost) }}, which is not a power of two in use`;
  if (lanes < 1 || lanes > MOST_SCRYPT_LANES)
    return worded`asks for ${{ count: String(lanes) }} lanes; 1 to ${{ most: String(MOST_SCRYPT_LANES) }} are accepted`;
  const bytes = 128 * cost * blockSize;
  return blockSize >= 1 && bytes <= MOST_SCRYPT_BYTES
    ? undefined
    : worded`asks for ${{ size: String(Math.ceil(bytes / 1024)) }} KiB of memory; ${{ most: String(MOST_SCRYPT_BYTES / 1024) }} KiB are accepted`;
}

function isWithin(base64: string, { least, most }: { readonly least: number; readonly most: number }): boolean {
  const bytes = Math.floor((base64.length * 3) / 4);
  return bytes >= least && bytes <= most;
}
