import { describe, expect, it } from 'vitest';
import { connectionError } from '../../../src/kit/connection/faults.ts';
import { ldapFault } from '../../../src/plugins/ldap/faults.ts';
import { statementOf } from '../../../src/plugins/sql/statement.ts';
import type { AppError } from '../../../src/ports/index.ts';
import { putTogether } from '../../support/english-wordings.ts';

const SERVER = 'db.example.org:5432';

const CODES = [
  ...[
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'CERT_HAS_EXPIRED',
  ],
  ...['CERT_NOT_YET_VALID', 'CERT_REVOKED', 'HOSTNAME_MISMATCH', 'CERT_SIGNATURE_FAILURE', 'INVALID_PURPOSE'],
  ...['INVALID_CA', 'ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN'],
  ...['EADDRNOTAVAIL', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'EPROTO'],
  'ERR_OSSL_PEM_NO_START_LINE',
];

/** Result codes of RFC 4511, known ones and one that nobody knows. */
const ANSWERS = [1, 2, 3, 4, 7, 8, 10, 11, 12, 13, 16, 18, 21, 32, 34, 48, 49, 50, 51, 52, 53, 80];

function expectParts({ message, wording }: AppError): void {
  expect(message.startsWith(`${SERVER} `)).toBe(true);
  expect(wording && putTogether(wording)).toBe(message);
}

describe('what a server says, or does not', () => {
  it.each(CODES)('has its parts: %s', (code) => {
    const error = connectionError(SERVER, Object.assign(new Error('as the machine says it'), { code }));
    expect(error).toBeDefined();
    if (error !== undefined) expectParts(error);
  });

  it.each(ANSWERS)('has its parts where a directory answers %i', (status) => {
    const answer = { status, errorMessage: '80090308: LdapErr, data 52e', matchedDN: 'dc=example' };
    expectParts(ldapFault(SERVER, 'search', answer));
    expectParts(ldapFault(SERVER, 'login', { ...answer, errorMessage: 'data 775', matchedDN: '' }));
  });

  it.each([
    ['', 'query of the account says nothing'],
    ['DROP TABLE hosts', 'begins with DROP, and a source only reads: begin with SELECT or WITH or VALUES or TABLE'],
    ['SELECT 1; SELECT 2', 'is more than one statement; write one'],
    ["SELECT 'a", 'does not end: a text is not closed'],
  ])('has its parts where the statement is refused: %s', (query, message) => {
    const refused = (): unknown => statementOf('postgresql', { query, table: undefined, fields: [] });
    expect(refused).toThrow(message);
    try {
      refused();
    } catch (error) {
      const { message: english, wording } = error as AppError;
      expect(wording && putTogether(wording)).toBe(english);
    }
  });
});
