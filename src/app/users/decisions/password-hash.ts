const PHC = /^\$(argon2(?:id|i|d))(?:\$v=(\d+))?\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** What checking one password may cost: about what libraries of today choose at most, and no more than half a second. */
const MOST_MEMORY_KIB = 131_072;
const MOST_PASSES = 10;
const MOST_LANES = 16;
const MOST_WORK = 524_288;
const SALT_BYTES = { least: 8, most: 64 };
const HASH_BYTES = { least: 16, most: 64 };
const VERSIONS = new Set(['16', '19']);

/** Whether passwords are checked against this hash: an Argon2 hash in its usual form, and within what a check may cost. */
export function isCheckedHash(hash: string): boolean {
  return PHC.test(hash) && passwordHashProblem(hash) === undefined;
}

/**
 * What is too much about an Argon2 hash; `undefined` for one that is fine, and for texts that are none and cost nothing, since
 * they are not checked. A hash says itself what checking it costs, and whoever imports users brings hashes.
 */
export function passwordHashProblem(hash: string): string | undefined {
  const found = PHC.exec(hash);
  if (found === null) return undefined;
  const [, kind = '', version = '16', memory, passes, lanes, salt = '', digest = ''] = found;
  const [m, t, p] = [Number(memory), Number(passes), Number(lanes)];
  if (kind === 'argon2d') return 'is an argon2d hash; argon2id and argon2i are taken';
  if (!VERSIONS.has(version)) return `is of Argon2 version ${version}; 19 and 16 are taken`;
  if (p < 1 || p > MOST_LANES) return `asks for ${p} lanes; 1 to ${MOST_LANES} are taken`;
  if (t < 1 || t > MOST_PASSES) return `asks for ${t} passes; 1 to ${MOST_PASSES} are taken`;
  if (m < 8 * p || m > MOST_MEMORY_KIB) return `asks for ${m} KiB of memory; ${8 * p} to ${MOST_MEMORY_KIB} are taken`;
  if (m * t > MOST_WORK) return `asks for ${t} passes over ${m} KiB; ${MOST_WORK} KiB in all are taken`;
  if (!isWithin(salt, SALT_BYTES)) return `has a salt that is not ${SALT_BYTES.least} to ${SALT_BYTES.most} bytes long`;
  if (!isWithin(digest, HASH_BYTES)) return `is not ${HASH_BYTES.least} to ${HASH_BYTES.most} bytes long`;
  return undefined;
}

function isWithin(base64: string, { least, most }: { readonly least: number; readonly most: number }): boolean {
  const bytes = Math.floor((base64.length * 3) / 4);
  return bytes >= least && bytes <= most;
}
