import { once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { tlsOptions } from '../../../src/adapters/listener/listener.ts';
import { takeRenewedCertificates } from '../../../src/adapters/listener/renewed-certificates.ts';
import { type Authority, authority, type Certificate } from '../../support/certificates.ts';
import { type LoggedLine, recordingLogger } from '../../support/recording-logger.ts';

const EVERY_MS = 40;

let issuer: Authority;
let first: Certificate;
let second: Certificate;
let directory: string;
let server: Server;
let log: LoggedLine[];
let end: () => void;

beforeAll(async () => {
  issuer = await authority();
  [first, second] = [await issuer.issue('DNS:localhost'), await issuer.issue('DNS:localhost')];
});

afterAll(() => issuer.close());

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'muster-renewed-'));
  await put(first);
  log = [];
  server = createServer(tlsOptions({ cert: Buffer.from(first.cert), key: Buffer.from(first.key) }), (_asked, answer) =>
    answer.end('hello'),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const config = { TLS_CERT: 'cert.pem', TLS_KEY: 'key.pem', TLS_CLIENT_CA: '' };
  end = await takeRenewedCertificates(server, { config, directory, everyMs: EVERY_MS }, recordingLogger(log));
});

afterEach(async () => {
  end();
  server.close();
  server.closeAllConnections();
  await rm(directory, { recursive: true, force: true });
});

/** As programs that renew certificates do it: a new file takes the place of the old one. */
async function put({ cert, key }: Partial<Certificate>): Promise<void> {
  for (const [name, content] of [
    ['cert.pem', cert],
    ['key.pem', key],
  ] as const) {
    if (content === undefined) continue;
    await writeFile(join(directory, 'new'), content);
    await rename(join(directory, 'new'), join(directory, name));
  }
}

/** The certificate that a new connection is shown. */
async function shown(): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca: issuer.ca });
  await once(socket, 'secureConnect');
  const { raw } = socket.getPeerCertificate();
  socket.destroy();
  return raw.toString('base64');
}

const of = ({ cert }: Certificate): string => cert.replace(/-----[A-Z ]+-----|\s/g, '');

describe('a certificate that is renewed', () => {
  it('is shown to new connections, without a restart, and those before go on', async () => {
    expect(await shown()).toBe(of(first));
    const { port } = server.address() as AddressInfo;
    const open = connect({ port, host: '127.0.0.1', servername: 'localhost', ca: issuer.ca });
    await once(open, 'secureConnect');
    await put(second);
    await vi.waitFor(async () => expect(await shown()).toBe(of(second)), { timeout: 5_000 });
    open.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    const [answer] = await once(open, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
    open.destroy();
    expect(log.map(({ level, message }) => [level, message])).toEqual([['info', 'the certificate was renewed']]);
  });

  it('is not taken without its key: the old pair stays, it is said once what is wrong, and the key is taken when it comes', async () => {
    await put({ cert: second.cert });
    await vi.waitFor(() => expect(log).toHaveLength(1), { timeout: 5_000 });
    await sleep(EVERY_MS * 5);
    expect(log).toHaveLength(1);
    expect(log[0]).toMatchObject({ level: 'error' });
    expect(log.map(({ fields }) => (fields.error as Error).message)).toEqual([
      expect.stringMatching(/^TLS_KEY names key\.pem, whose key does not belong/),
    ]);
    expect(await shown()).toBe(of(first));
    await put({ key: second.key });
    await vi.waitFor(async () => expect(await shown()).toBe(of(second)), { timeout: 5_000 });
  });

  it('is not missed where the files are away for a while, and junk is not taken', async () => {
    await rm(join(directory, 'cert.pem'));
    await vi.waitFor(() => expect(log).toHaveLength(1), { timeout: 5_000 });
    await writeFile(join(directory, 'cert.pem'), 'junk');
    await vi.waitFor(() => expect(log).toHaveLength(2), { timeout: 5_000 });
    expect(log.map(({ fields }) => (fields.error as Error).message)).toEqual([
      expect.stringMatching(/^TLS_CERT names cert\.pem, which cannot be read/),
      expect.stringMatching(/^TLS_CERT names cert\.pem, which has no certificate/),
    ]);
    expect(await shown()).toBe(of(first));
    await put(second);
    await vi.waitFor(async () => expect(await shown()).toBe(of(second)), { timeout: 5_000 });
  });
});
