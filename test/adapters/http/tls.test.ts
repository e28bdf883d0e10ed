import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTls } from '../../../src/adapters/listener/listener.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'muster-tls-'));
  const certificate = (name: string, ...options: readonly string[]): Promise<unknown> => {
    const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
    return promisify(execFile)('openssl', ['req', '-x509', '-subj', '/CN=muster', ...files, ...options], {
      cwd: directory,
    });
  };
  await certificate('good', '-newkey', 'rsa:2048', '-nodes');
  await certificate('other', '-newkey', 'rsa:2048', '-nodes');
  await certificate('locked', '-newkey', 'rsa:2048', '-passout', 'pass:secret');
  await writeFile(join(directory, 'junk'), 'neither certificate nor key');
  await writeFile(join(directory, 'empty'), '');
});

afterAll(() => rm(directory, { recursive: true, force: true }));

describe('certificate and key', () => {
  it('are read when they belong together, and absent when none is named', async () => {
    expect(await readTls({ TLS_CERT: 'good.pem', TLS_KEY: 'good.key', TLS_CLIENT_CA: '' }, directory)).toEqual({
      cert: await readFile(join(directory, 'good.pem')),
      key: await readFile(join(directory, 'good.key')),
    });
    expect(await readTls({ TLS_CERT: '', TLS_KEY: '', TLS_CLIENT_CA: '' }, directory)).toBeUndefined();
  });

  it.each([
    ['junk', 'good.key', /^TLS_CERT names junk, which has no certificate/],
    ['empty', 'good.key', /^TLS_CERT names empty, which has no certificate/],
    ['good.key', 'good.key', /^TLS_CERT names good\.key, which has no certificate/],
    ['good.pem', 'junk', /^TLS_KEY names junk, which has no private key/],
    ['good.pem', 'empty', /^TLS_KEY names empty, which has no private key/],
    ['good.pem', 'locked.key', /^TLS_KEY names locked\.key, which has no private key .* without a passphrase/],
    ['good.pem', 'other.key', /^TLS_KEY names other\.key, whose key does not belong to the certificate in good\.pem/],
    ['good.pem', 'nowhere', /^TLS_KEY names nowhere, which cannot be read/],
    ['.', 'good.key', /^TLS_CERT names \., which cannot be read/],
    ['good.pem', '', /^TLS_CERT and TLS_KEY belong together/],
  ])('%s with %s is refused with the name of the key and the file', async (cert, key, message) => {
    await expect(readTls({ TLS_CERT: cert, TLS_KEY: key, TLS_CLIENT_CA: '' }, directory)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(message),
    });
  });

  it.each([
    ['junk', 'good.pem', /^TLS_CLIENT_CA names junk, which has no certificate/],
    ['nowhere', 'good.pem', /^TLS_CLIENT_CA names nowhere, which cannot be read/],
    ['good.pem', '', /^TLS_CLIENT_CA is for clients that present a certificate/],
  ])('authorities of clients in %s with the certificate %s are refused', async (ca, cert, message) => {
    const key = cert === '' ? '' : 'good.key';
    await expect(readTls({ TLS_CERT: cert, TLS_KEY: key, TLS_CLIENT_CA: ca }, directory)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(message),
    });
  });
});
