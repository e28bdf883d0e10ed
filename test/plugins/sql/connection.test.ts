import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { encryptedFirst } from '../../../src/plugins/sql/engines/encrypted-first.ts';
import { AppError } from '../../../src/ports/index.ts';
import { faultOf, itemsOf } from '../../support/read-source.ts';
import { type LoggedLine, recordingLogger } from '../../support/recording-logger.ts';
import { ACCOUNT, sqlSource } from './support.ts';

const ENGINES = ['postgresql', 'mysql', 'mssql'] as const;
const servers: Server[] = [];
const sockets = new Set<Socket>();

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

/** The port of a server that does no more than this with who connects. */
async function portOf(serve: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    serve(socket);
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function source(engine: string, port: number, fields: object = {}) {
  const account = { address: `127.0.0.1:${port}`, username: 'reader' };
  return sqlSource({ engine, database: 'cmdb', table: 'hosts', ...fields }, account);
}

describe.each(ENGINES)('a connection to %s', (engine) => {
  it('that is refused fails', async () => {
    const port = await portOf(() => undefined);
    await new Promise((resolve) => servers.splice(0)[0]?.close(resolve));
    expect(await faultOf(source(engine, port))).toMatch(/^unavailable: 127\.0\.0\.1:\d+ refuses the connection/);
  });

  it('to a server that says nothing fails in time', async () => {
    const port = await portOf(() => undefined);
    const fault = await faultOf(source(engine, port, { request_timeout: 0.2 }));
    expect(fault).toMatch(/^unavailable: .* (did not log in within 0\.2 seconds|does not answer)/);
  });

  it('that is closed at once fails', async () => {
    const port = await portOf((socket) => socket.destroy());
    expect(await faultOf(source(engine, port))).toMatch(/^(unavailable|failed): 127\.0\.0\.1:\d+ (ended|closed)/);
  });

  it('to something else fails, and quotes no password', async () => {
    const port = await portOf((socket) => {
      socket.on('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
      socket.write('220 mail.example.org\r\n');
    });
    const fault = await faultOf(source(engine, port, { request_timeout: 0.5 }));
    expect(fault).toMatch(/^(unavailable|failed): 127\.0\.0\.1/);
    expect(fault).not.toContain(ACCOUNT.password);
  });

  it('is given up when the run is called off', async () => {
    const port = await portOf(() => undefined);
    const controller = new AbortController();
    const reading = itemsOf(source(engine, port), controller.signal);
    setTimeout(() => controller.abort(new Error('enough')), 50);
    await expect(reading).rejects.toThrow('enough');
  });
});

describe('a server that offers no encryption', () => {
  const none = new Error('no encryption here');
  const how = {
    open: (encrypted: boolean) => (encrypted ? Promise.reject(none) : Promise.resolve('in clear')),
    offersNone: (error: unknown) => error === none,
  };
  const encryption = { required: true, verify: true, certificates: {}, isHere: false };

  it('gets no password', async () => {
    const opening = encryptedFirst('db:5432', { host: '127.0.0.1', encryption }, recordingLogger([]), how);
    await expect(opening).rejects.toThrow(/db:5432 offers no encryption.*allow_unencrypted/);
    await expect(opening).rejects.toBeInstanceOf(AppError);
  });

  it('gets it where the account allows that, with a warning', async () => {
    const lines: LoggedLine[] = [];
    const asked = { encryption: { ...encryption, required: false } };
    expect(await encryptedFirst('db:5432', { ...asked, host: '127.0.0.1' }, recordingLogger(lines), how)).toBe(
      'in clear',
    );
    expect(lines).toMatchObject([{ level: 'warn', fields: { server: 'db:5432' } }]);
  });

  it('gets it on this machine', async () => {
    const lines: LoggedLine[] = [];
    const asked = { encryption: { ...encryption, required: false, isHere: true } };
    expect(await encryptedFirst('127.0.0.1:5432', { ...asked, host: '127.0.0.1' }, recordingLogger(lines), how)).toBe(
      'in clear',
    );
    expect(lines).toEqual([]);
  });

  it('is told apart from one whose certificate is wrong', async () => {
    const wrong = new Error('certificate');
    const asked = { encryption: { ...encryption, required: false } };
    const opening = encryptedFirst('db', { ...asked, host: '127.0.0.1' }, recordingLogger([]), {
      ...how,
      open: () => Promise.reject(wrong),
    });
    await expect(opening).rejects.toBe(wrong);
  });
});
