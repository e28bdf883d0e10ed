import { expect, it } from 'vitest';
import { toAppError } from '../../../src/adapters/storage/postgresql/errors.ts';

it.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'name that certificate in sslrootcert'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'check sslcert and sslkey'],
])('%s names the options of the address', (code, said) => {
  const error = toAppError(Object.assign(new Error('TLS'), { code }), 'db.example.org:5432');
  expect(error).toMatchObject({ code: 'failed', message: expect.stringContaining(`db.example.org:5432 `) });
  expect(error.message).toContain(said);
});

it.each([
  ['SCRAM-SERVER-FIRST-MESSAGE: client password must be a non-empty string', 'Set DATABASE_PASSWORD'],
  ['SCRAM-SERVER-FINAL-MESSAGE: server signature does not match', 'refused the credentials'],
])('a login that the driver ends (%s) says what to check', (reason, said) => {
  const error = toAppError(new Error(`SASL: ${reason}`), 'db.example.org:5432');
  expect(error).toMatchObject({ code: 'failed', message: expect.stringContaining(said) });
});
