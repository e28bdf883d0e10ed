import { AddressRefused } from '../../kit/names/addresses.ts';
import { secondsWording, worded } from '../../kit/worded.ts';
import { AppError, HttpError, type HttpFault, type Wording } from '../../ports/index.ts';
import { TimeIsOver } from './deadline.ts';
import { ProxyRefused, ProxyUnreachable } from './proxy-faults.ts';
import type { FailedTry } from './retry.ts';
import { TooLarge, Unpackable } from './unpack.ts';

/** How a request is called in messages: `GET https://cmdb.example.org/api/hosts`. Parameters may be secrets, and are left out. */
export function shownRequest(method: string, url: URL): string {
  return `${method} ${url.protocol}//${url.host}${url.pathname}`;
}

/** Reason a try failed. The message completes a sentence that begins with the request. */
interface Failure {
  readonly fault: HttpFault;
  readonly message: Wording;
  /** True if nothing was sent. */
  readonly unsent?: boolean;
  /** True if another try may succeed. */
  readonly passing?: boolean;
  readonly status?: number;
  readonly retryAfterSeconds?: number;
}

/** A failure that is found by looking at the answer. */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure';
  readonly failure: Failure;

  constructor(failure: Failure, cause?: unknown) {
    super(failure.message.text, { cause });
    this.failure = failure;
  }
}

/** Translates an error of the connection. Errors that are meant for the caller pass unchanged. */
export function failedTry(error: unknown, request: string, signal: AbortSignal): FailedTry | AppError {
  if (signal.aborted && !(signal.reason instanceof TimeIsOver)) {
    return new AppError('cancelled', worded`${{ what: request }} was cancelled`, { cause: error });
  }
  if (error instanceof AppError) return error;
  const cause = signal.aborted ? signal.reason : error;
  const { fault, message, unsent = false, passing = false, status, retryAfterSeconds } = failureOf(cause);
  const known = {
    ...(status === undefined ? {} : { status }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
  const failed = worded`${{ request }} ${{ problem: message }}`;
  // Many servers just close the connection if a client certificate is missing.
  const wantsMore = fault === 'lost' && request.includes(' https:');
  const said = wantsMore ? worded`${{ failed }}, which may want a client certificate` : failed;
  return { error: new HttpError(fault, said, { cause: error, ...known }), unsent, passing };
}

function failureOf(error: unknown): Failure {
  if (error instanceof RequestFailure) return error.failure;
  if (error instanceof TimeIsOver) {
    return {
      fault: 'timeout',
      message: worded`was not done after ${{ time: secondsWording(error.seconds) }}: ask for less at once, or allow more time`,
    };
  }
  if (error instanceof AddressRefused)
    return { fault: 'origin', message: worded`is not sent: ${{ reason: error.said }}`, unsent: true };
  if (error instanceof TooLarge) {
    return {
      fault: 'too_large',
      message: worded`answers more than ${{ limit: String(error.limit) }} bytes: ask for less at once, with smaller pages`,
    };
  }
  if (error instanceof Unpackable)
    return { fault: 'content', message: worded`cannot be read: ${{ reason: error.said }}` };
  if (error instanceof ProxyRefused) return refusedByProxy(error.status);
  if (error instanceof ProxyUnreachable) {
    const codes = codesOf(error.cause).join(', ');
    const reason = error.cause === undefined ? error.said : worded`${{ problem: error.said }}: ${{ codes }}`;
    return {
      fault: 'proxy',
      message: worded`cannot be sent: the proxy does not let it through (${{ reason }}); check http_proxy`,
      unsent: true,
      passing: true,
    };
  }
  const codes = codesOf(error);
  const certificate = codes.map((code) => CERTIFICATES[code]).find((found) => found !== undefined);
  if (certificate !== undefined) return { fault: 'tls', message: certificate, unsent: true };
  const tls = codes.find((code) => /^ERR_(SSL|TLS)_|^EPROTO$/.test(code));
  if (tls !== undefined) return tlsFailure(tls);
  const known = codes.map((code) => CODES[code]).find((found) => found !== undefined);
  if (known !== undefined) return known;
  if (error instanceof Error && error.name === 'HTTPParserError') {
    return { fault: 'content', message: worded`is not answered in HTTP: check the address and its port` };
  }
  const told = codes.length > 0 ? codes.join(', ') : error instanceof Error ? error.message : String(error);
  return { fault: 'unreachable', message: worded`failed: ${{ told }}` };
}

const UNKNOWN_AUTHORITY = worded`is not sent: the certificate of the server is from an authority that this machine does not know; name the certificates of its authority in ca_cert_chain`;
const INCOMPLETE = worded`is not sent: the server does not send the certificates between its own and an authority that this machine knows; name the certificates of its authority in ca_cert_chain, or have the server send its whole chain`;

const CERTIFICATES: Readonly<Record<string, Wording>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: worded`is not sent: the server has a certificate that it signed itself; name that certificate in ca_cert_chain`,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  CERT_UNTRUSTED: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: INCOMPLETE,
  CERT_HAS_EXPIRED: worded`is not sent: a certificate of the server has expired; it must be renewed there (and check the clock of this machine)`,
  CERT_NOT_YET_VALID: worded`is not sent: a certificate of the server is not valid yet; check the clock of this machine and of that one`,
  CERT_REVOKED: worded`is not sent: the certificate of the server was revoked; it must be renewed there`,
  ERR_TLS_CERT_ALTNAME_INVALID: worded`is not sent: the certificate of the server is for other names than the one in the address; use a name that it has, or another certificate there`,
  HOSTNAME_MISMATCH: worded`is not sent: the certificate of the server is for other names than the one in the address; use a name that it has, or another certificate there`,
  CERT_SIGNATURE_FAILURE: worded`is not sent: the certificate of the server is not signed by the authority it names; check ca_cert_chain`,
  INVALID_PURPOSE: worded`is not sent: the certificate of the server is not for servers; another one is needed there`,
  INVALID_CA: worded`is not sent: a certificate in the chain of the server may not sign others; name the certificates of its authority in ca_cert_chain`,
  ERR_SSL_EE_KEY_TOO_SMALL: worded`is not sent: the key of the certificate of the server is too short to be safe; it must be renewed there`,
  ERR_SSL_CA_MD_TOO_WEAK: worded`is not sent: the certificate of the server is signed in a way that is not safe any more; it must be renewed there`,
};

function tlsFailure(code: string): Failure {
  if (/WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH_TOO_LONG/.test(code)) {
    return {
      fault: 'tls',
      message: worded`is not sent: the server does not speak TLS at this port; check the port, or use http:// in the address`,
      unsent: true,
    };
  }
  if (
    /CERTIFICATE_REQUIRED|BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_UNKNOWN|CERTIFICATE_EXPIRED|HANDSHAKE_FAILURE/.test(
      code,
    )
  ) {
    return {
      fault: 'tls',
      message: worded`is refused by the server: it requires a client certificate, or another one (${{ code }}); check client_cert and client_key`,
    };
  }
  if (/UNSUPPORTED_PROTOCOL|PROTOCOL_VERSION/.test(code)) {
    return {
      fault: 'tls',
      message: worded`is not sent: the server speaks none of TLS 1.2 and 1.3; it must be updated`,
      unsent: true,
    };
  }
  return { fault: 'tls', message: worded`is not sent: the encrypted connection failed (${{ code }})` };
}

export const LOST: Failure = {
  fault: 'lost',
  message: worded`lost its connection before the answer was whole; try again, and look at the log of the server`,
  passing: true,
};

const CODES: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: {
    fault: 'unreachable',
    message: worded`is refused: nothing listens there; check address and port, and whether the system is running`,
    unsent: true,
    passing: true,
  },
  ENOTFOUND: {
    fault: 'unreachable',
    message: worded`cannot be sent: no such name; check the address, and the name servers of this machine`,
    unsent: true,
  },
  EAI_AGAIN: {
    fault: 'unreachable',
    message: worded`cannot be sent: the name servers of this machine do not answer`,
    unsent: true,
    passing: true,
  },
  EHOSTUNREACH: {
    fault: 'unreachable',
    message: worded`cannot be sent: there is no way to that machine; check network and firewall`,
    unsent: true,
    passing: true,
  },
  ENETUNREACH: {
    fault: 'unreachable',
    message: worded`cannot be sent: there is no way to that network; check network and firewall`,
    unsent: true,
    passing: true,
  },
  UND_ERR_CONNECT_TIMEOUT: {
    fault: 'timeout',
    message: worded`cannot be sent: no connection in time; check the address, and whether a firewall drops it`,
    unsent: true,
    passing: true,
  },
  ETIMEDOUT: {
    fault: 'timeout',
    message: worded`was not answered in time; check the address, and whether a firewall drops it`,
    passing: true,
  },
  UND_ERR_HEADERS_TIMEOUT: {
    fault: 'timeout',
    message: worded`was not answered in time; ask for less at once, or raise request_timeout`,
    passing: true,
  },
  UND_ERR_BODY_TIMEOUT: {
    fault: 'timeout',
    message: worded`has an answer that stopped before it was whole; raise request_timeout if the system is slow`,
    passing: true,
  },
  ECONNRESET: LOST,
  EPIPE: LOST,
  UND_ERR_SOCKET: LOST,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: LOST,
  Z_BUF_ERROR: LOST,
  UND_ERR_HEADERS_OVERFLOW: { fault: 'too_large', message: worded`is answered with more than 64 KiB of headers` },
  UND_ERR_DESTROYED: { fault: 'lost', message: worded`was ended: the client is closed` },
  UND_ERR_CLOSED: { fault: 'lost', message: worded`was not sent: the client is closed` },
};

export function refusedByProxy(status: number): Failure {
  if (status === 407) {
    return {
      fault: 'proxy',
      message: worded`is refused by the proxy (407): it requires other credentials; write user and password into http_proxy`,
      unsent: true,
    };
  }
  return {
    fault: 'proxy',
    message: worded`is not let through by the proxy (${{ status: String(status) }}); ask its administrator to allow the address`,
    unsent: true,
    passing: status === 502 || status === 503 || status === 504,
  };
}

/** Returns the codes of an error, of its causes and of those it combines. */
function codesOf(error: unknown, depth = 0): readonly string[] {
  if (typeof error !== 'object' || error === null || depth > 4) return [];
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  return [
    ...(typeof code === 'string' ? [code] : []),
    ...(Array.isArray(errors) ? errors.flatMap((one) => codesOf(one, depth + 1)) : []),
    ...codesOf(cause, depth + 1),
  ];
}
