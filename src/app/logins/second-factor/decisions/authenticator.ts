import { Secret, TOTP } from 'otpauth';

/** Seconds that a code counts, and what every authenticator app does when an address says nothing else. */
const PERIOD_SECONDS = 30;
/** How many periods before and after count too: clocks differ, and typing takes time. */
const WINDOW = 1;
const SECRET_BYTES = 20;
const ISSUER = 'Muster';

/** The secret of an authenticator app: base32, as people can type it, and the address that is shown as a QR code. */
export interface NewAuthenticator {
  readonly secret: string;
  readonly address: string;
}

export function newAuthenticator(user: string): NewAuthenticator {
  const secret = new Secret({ size: SECRET_BYTES });
  return { secret: secret.base32, address: new TOTP({ issuer: ISSUER, label: user, secret }).toString() };
}

/**
 * Which code of the secret this is (RFC 6238: SHA-1, six digits), counted in periods since 1970, so that it can be refused the second time.
 * `undefined` for a wrong one. Throws for a secret that is not base32.
 */
export function codePeriod(secret: string, code: string, now: Date): number | undefined {
  const digits = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) return undefined;
  const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(/[\s=-]/g, '').toUpperCase()) });
  const delta = totp.validate({ token: digits, timestamp: now.getTime(), window: WINDOW });
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / PERIOD_SECONDS) + delta;
}

/** Until when a code could be shown again. */
export function codeEnds(period: number): Date {
  return new Date((period + 1 + WINDOW) * PERIOD_SECONDS * 1000);
}
