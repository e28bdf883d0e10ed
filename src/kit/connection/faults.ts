import { AppError, type Wording } from '../../ports/index.ts';
import { worded } from '../worded.ts';

/** A connection error, worded so that the reader knows what to do. */
interface ConnectionFault {
  readonly code: 'failed' | 'unavailable';
  /** Completes a sentence that begins with the server: `db.example.org:5432 …`. */
  readonly message: Wording;
}

const UNKNOWN_AUTHORITY = worded`has a certificate from an authority that this machine does not know; name the certificates of its authority in ca_cert_chain`;
const OTHER_NAME = worded`has a certificate for other names than the one in the address; use a name that it has, or another certificate there`;

const FAILED: Readonly<Record<string, Wording>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: worded`has a certificate that it signed itself; name that certificate in ca_cert_chain`,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: worded`does not send the certificates between its own and an authority that this machine knows; name the certificates of its authority in ca_cert_chain, or have the server send its whole chain`,
  CERT_UNTRUSTED: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: worded`has a certificate that has expired; it must be renewed there (and check the clock of this machine)`,
  CERT_NOT_YET_VALID: worded`has a certificate that is not valid yet; check the clock of this machine and of that one`,
  CERT_REVOKED: worded`has a certificate that was revoked; it must be renewed there`,
  ERR_TLS_CERT_ALTNAME_INVALID: OTHER_NAME,
  HOSTNAME_MISMATCH: OTHER_NAME,
  CERT_SIGNATURE_FAILURE: worded`has a certificate that the authority it names did not sign; check ca_cert_chain`,
  INVALID_PURPOSE: worded`has a certificate that is not for servers; another one is needed there`,
  INVALID_CA: worded`has a certificate in its chain that may not sign others; name the certificates of its authority in ca_cert_chain`,
};

const UNAVAILABLE: Readonly<Record<string, Wording>> = {
  ECONNREFUSED: worded`refuses the connection: nothing listens there; check address and port, and whether the server runs`,
  ECONNRESET: worded`closed the connection; look at the log of the server, and run it again`,
  EPIPE: worded`closed the connection; look at the log of the server, and run it again`,
  ENOTFOUND: worded`has a name that no name server knows; check the address`,
  EAI_AGAIN: worded`has a name that cannot be looked up now: the name server does not answer; run it again later`,
  ETIMEDOUT: worded`does not answer; check address and port, and firewalls on the way`,
  EHOSTUNREACH: worded`cannot be reached: there is no route to this address; check the address and the network`,
  ENETUNREACH: worded`cannot be reached: there is no route to this address; check the address and the network`,
  EHOSTDOWN: worded`cannot be reached: the machine is down`,
  EADDRNOTAVAIL: worded`cannot be reached: this machine has no address for that network`,
};

/** Returns the meaning of a socket or TLS error; `undefined` for any other error. */
function connectionFault(error: unknown): ConnectionFault | undefined {
  const codes = codesOf(error);
  for (const code of codes) {
    const failed = FAILED[code];
    if (failed !== undefined) return { code: 'failed', message: failed };
    const unavailable = UNAVAILABLE[code];
    if (unavailable !== undefined) return { code: 'unavailable', message: unavailable };
  }
  const tls = codes.find((code) => /^ERR_(SSL|TLS|OSSL)_|^EPROTO$/.test(code));
  if (tls === undefined) return undefined;
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/.test(tls)) {
    return { code: 'failed', message: worded`does not speak TLS at this port; check the port` };
  }
  if (/CERTIFICATE_REQUIRED|BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_UNKNOWN|CERTIFICATE_EXPIRED/.test(tls)) {
    return {
      code: 'failed',
      message: worded`requires a client certificate, or another one (${{ code: tls }}); check client_cert and client_key`,
    };
  }
  if (/^ERR_OSSL_/.test(tls)) {
    return {
      code: 'failed',
      message: worded`is not asked: a file of certificates or keys cannot be used (${{ code: tls }})`,
    };
  }
  return { code: 'failed', message: worded`does not encrypt the connection as it must (${{ code: tls }})` };
}

/** The error for people, if it is one of the connection; else `undefined`. */
export function connectionError(server: string, error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  const fault = connectionFault(error);
  return fault === undefined ? undefined : serverError(fault.code, server, fault.message, error);
}

/** `db.example.org:5432 …`: an error of a server, by what completes the sentence. */
export function serverError(
  code: ConnectionFault['code'],
  server: string,
  problem: Wording,
  cause?: unknown,
): AppError {
  return new AppError(code, worded`${{ server }} ${{ problem }}`, cause === undefined ? {} : { cause });
}

/** `… (what the server says)` */
export function withSaid(problem: Wording, text: string): Wording {
  return worded`${{ problem }} (${{ said: told(text) }})`;
}

/** Codes of an error and of those behind it, as several tries at the addresses of a name have. */
function codesOf(error: unknown, depth = 0): readonly string[] {
  if (typeof error !== 'object' || error === null || depth > 4) return [];
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  const inner = Array.isArray(errors) ? errors : [];
  return [
    ...(typeof code === 'string' ? [code] : []),
    ...inner.flatMap((one) => codesOf(one, depth + 1)),
    ...codesOf(cause, depth + 1),
  ];
}

/** Returns the first line of a server's message, short enough to quote in a message of ours. */
export function told(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.length > 200 ? `${line.slice(0, 197)}...` : line;
}
