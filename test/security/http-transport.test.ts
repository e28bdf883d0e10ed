import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, connect } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildHttpApp } from '../../src/adapters/http/app.ts';
import type { Config } from '../../src/app/kernel/config/schema.ts';
import { type HttpService, PASSWORD, startHttpService } from '../adapters/http/http-service.ts';

let service: HttpService;
afterEach(() => service?.stop());

async function start(config: Partial<Config> = {}): Promise<void> {
  service = await startHttpService({ config });
}

describe('what headers of proxies are believed', () => {
  const networks = ['10.0.0.0/8', '127.0.0.1'];
  const read = (remoteAddress: string, headers: Record<string, string>, user: string | null = 'root') =>
    service.request({ url: '/api/v1/syncer/hosts', remoteAddress, headers, user });
  const https = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.4' };

  it('comes from the named networks, and from nobody else', async () => {
    await start({ TRUSTED_PROXIES: networks });
    expect((await read('10.1.2.3', https)).statusCode).toBe(200);
    expect((await read('127.0.0.1', https)).statusCode).toBe(200);
    expect((await read('192.0.2.1', https)).json().code).toBe('insecure_transport');
  });

  it('makes nobody this machine', async () => {
    await start({ TRUSTED_PROXIES: networks });
    for (const forwarded of ['127.0.0.1', '::1', '127.0.0.1, 10.0.0.1']) {
      const headers = { 'x-forwarded-for': forwarded };
      expect((await read('10.1.2.3', headers)).json().code, forwarded).toBe('insecure_transport');
      const metrics = await service.request({ url: '/metrics', remoteAddress: '10.1.2.3', headers, user: null });
      expect(metrics.statusCode, forwarded).toBe(401);
    }
    expect((await read('127.0.0.1', {})).statusCode).toBe(200);
  });

  it('is a number of hops as before', async () => {
    await start({ TRUSTED_PROXIES: 2 });
    expect((await read('192.0.2.1', https)).statusCode).toBe(401);
    expect((await read('192.0.2.1', { 'x-forwarded-proto': 'https, http' })).statusCode).toBe(200);
  });

  it('keeps the request id of such a proxy only', async () => {
    await start({ TRUSTED_PROXIES: networks });
    const id = { 'x-request-id': 'from-the-proxy' };
    expect((await read('10.1.2.3', { ...https, ...id })).headers['x-request-id']).toBe('from-the-proxy');
    expect((await read('192.0.2.1', { ...https, ...id })).headers['x-request-id']).not.toBe('from-the-proxy');
  });
});

describe('answers over HTTPS', () => {
  const https = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.4' };

  it('tell browsers to come that way again, but for localhost', async () => {
    await start({ TRUSTED_PROXIES: 1 });
    const ask = async (url: string, headers: Record<string, string>) =>
      (await service.request({ url, headers, user: null })).headers['strict-transport-security'];
    for (const url of ['/healthz', '/api/v1/objects/all', '/docs', '/nothing']) {
      expect(await ask(url, { ...https, host: 'cmdb.example.org' }), url).toBe('max-age=31536000');
      expect(await ask(url, { ...https, host: 'localhost:8443' }), url).toBeUndefined();
      expect(await ask(url, { host: 'cmdb.example.org' }), url).toBeUndefined();
    }
  });

  it('go into no page of another site', async () => {
    await start();
    for (const url of ['/healthz', '/api/v1/objects/all', '/openapi.json', '/nothing']) {
      const { headers } = await service.request({ url });
      expect(headers, url).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
  });
});

describe('TLS', () => {
  let directory: string;
  let port: number;
  let close: () => Promise<void>;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'muster-tls-'));
    const files = ['-keyout', 'key.pem', '-out', 'cert.pem'];
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-subj',
        '/CN=muster',
        '-addext',
        'subjectAltName=DNS:muster.test',
        ...files,
      ],
      { cwd: directory, stdio: 'ignore' },
    );
    service = await startHttpService();
    const tls = { cert: readFileSync(join(directory, 'cert.pem')), key: readFileSync(join(directory, 'key.pem')) };
    const app = buildHttpApp({ version: '0.0.0', tls }, service);
    await app.listen({ port: 0, host: '127.0.0.1' });
    port = (app.server.address() as AddressInfo).port;
    const holding = service;
    close = async () => {
      await app.close();
      await holding.stop();
    };
    service = undefined as never;
  });

  afterAll(async () => {
    await close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** The suite that was agreed on, or why there is none. */
  const shake = (options: ConnectionOptions) =>
    new Promise<string>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options }, () => {
        resolve(`${socket.getProtocol()} ${socket.getCipher().name}`);
        socket.destroy();
      });
      socket.on('error', () => resolve('refused'));
    });

  it.each([
    ['TLS 1.0', { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }],
    ['TLS 1.1', { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }],
    ['keys without forward secrecy', { maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256:AES256-GCM-SHA384' }],
    ['block chaining', { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-SHA256:ECDHE-RSA-AES256-SHA384' }],
    ['block chaining with SHA-1', { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-SHA:AES128-SHA' }],
  ] as const)('is not spoken with %s', async (_what, options) => {
    expect(await shake(options)).toBe('refused');
  });

  it('is spoken with clients of today and of some years ago', async () => {
    expect(await shake({})).toMatch(/^TLSv1\.3 TLS_/);
    expect(await shake({ maxVersion: 'TLSv1.2' })).toMatch(/^TLSv1\.2 ECDHE-RSA-AES\d+-GCM-SHA\d+$/);
    expect(await shake({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-CHACHA20-POLY1305' })).toMatch(/^TLSv1\.2 /);
  });

  it('is not left out by who speaks plain HTTP', async () => {
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connectPlain(port, '127.0.0.1', () =>
        socket.write(
          `GET /api/v1/objects/all HTTP/1.1\r\nHost: x\r\nAuthorization: Basic ${btoa(`root:${PASSWORD}`)}\r\n\r\n`,
        ),
      );
      socket.on('data', (chunk) => (text += chunk.toString('latin1')));
      socket.on('close', () => resolve(text));
      socket.on('error', () => resolve(text));
    });
    expect(answer).not.toMatch(/^HTTP\/1\.1 200/);
  });
});
