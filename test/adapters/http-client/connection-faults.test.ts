import { describe, expect, it } from 'vitest';
import { TimeIsOver } from '../../../src/adapters/http-client/deadline.ts';
import { failedTry } from '../../../src/adapters/http-client/faults.ts';
import { ProxyRefused, ProxyUnreachable } from '../../../src/adapters/http-client/proxy-faults.ts';
import { TooLarge, Unpackable } from '../../../src/adapters/http-client/unpack.ts';
import { AddressRefused, refusedAddress } from '../../../src/kit/names/addresses.ts';
import { worded } from '../../../src/kit/worded.ts';
import { AppError } from '../../../src/ports/index.ts';
import { putTogether } from '../../support/english-wordings.ts';
import { context } from './fixed-client.ts';

const REQUEST = 'GET https://cmdb.example.org/api/hosts';

function wordingOf(error: unknown) {
  const failed = failedTry(error, REQUEST, context.signal);
  return failed instanceof AppError ? failed : failed.error;
}

const coded = (code: string): Error => Object.assign(new Error('as the machine says it'), { code });

const CODES = [
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_GET_ISSUER_CERT', 'CERT_UNTRUSTED'],
  ...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
  ...['CERT_REVOKED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH', 'CERT_SIGNATURE_FAILURE', 'INVALID_PURPOSE'],
  ...['INVALID_CA', 'ERR_SSL_EE_KEY_TOO_SMALL', 'ERR_SSL_CA_MD_TOO_WEAK', 'ERR_SSL_WRONG_VERSION_NUMBER', 'EPROTO'],
  ...['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'ERR_SSL_UNSUPPORTED_PROTOCOL', 'ECONNREFUSED', 'ENOTFOUND'],
  ...['EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT', 'UND_ERR_HEADERS_TIMEOUT'],
  ...['UND_ERR_BODY_TIMEOUT', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_DESTROYED'],
  ...['UND_ERR_CLOSED', 'EANYTHING'],
];

describe('what went wrong with a connection', () => {
  it.each<[string, unknown]>([
    ...CODES.map((code): [string, unknown] => [code, coded(code)]),
    ['the time', new TimeIsOver(1_500)],
    ['the size', new TooLarge(33_554_432)],
    ['the packing', new Unpackable(worded`its packing is damaged`)],
    ['the address', new AddressRefused(refusedAddress('169.254.169.254') ?? worded`none`)],
    ['the login of a proxy', new ProxyRefused(407)],
    ['what a proxy allows', new ProxyRefused(1_234)],
    ['a proxy', new ProxyUnreachable(worded`no connection`, { cause: coded('ECONNREFUSED') })],
  ])('has its parts: %s', (_name, error) => {
    const { message, wording } = wordingOf(error);
    expect(message.startsWith(`${REQUEST} `)).toBe(true);
    expect(wording && putTogether(wording)).toBe(message);
  });

  it('is in English what it always was', () => {
    expect(wordingOf(new TooLarge(33_554_432)).message).toBe(
      `${REQUEST} answers more than 33554432 bytes: ask for less at once, with smaller pages`,
    );
    expect(wordingOf(new TimeIsOver(1_500)).message).toBe(
      `${REQUEST} was not done after 1500 seconds: ask for less at once, or allow more time`,
    );
    expect(wordingOf(coded('ECONNRESET')).message).toBe(
      `${REQUEST} lost its connection before the answer was whole; try again, and look at the log of the server, which may want a client certificate`,
    );
  });
});
