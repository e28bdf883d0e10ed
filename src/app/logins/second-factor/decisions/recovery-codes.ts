import { hash, randomBytes } from 'node:crypto';

const CODES = 10;
/** Letters and digits that are not taken for each other; 32 of them, so a byte gives each as often. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz023456789';
/** 80 bits: as good as a key, so a fast hash is enough. */
const LENGTH = 16;

/** New codes, `abcd-efgh-jkmn-pqrs`. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: CODES }, () => {
    const letters = [...randomBytes(LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
    return letters.match(/.{4}/g)?.join('-') ?? letters;
  });
}

/** SHA-256, hex. Case and punctuation of the code do not matter. */
export function recoveryCodeHash(code: string): string {
  return hash('sha256', code.toLowerCase().replaceAll(/[^a-z\d]/g, ''), 'hex');
}

/** As documents of users keep them. */
export function recoveryCodesMember(codes: readonly string[]): readonly { readonly hash: string }[] {
  return codes.map((code) => ({ hash: recoveryCodeHash(code) }));
}
