import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { Client } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adminInterface } from '../../../src/adapters/admin/routes.ts';
import { buildHttpApp } from '../../../src/adapters/http/app.ts';
import { readTls } from '../../../src/adapters/listener/listener.ts';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { localOperator } from '../../../src/app/kernel/caller.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { type Authority, authority, type Certificate } from '../../support/certificates.ts';
import { AdminClient } from './admin-client.ts';

const OPERATOR = localOperator({ name: 'operator', path: 'test', requestId: 'test' });
const SESSION = '/admin/api/session';

/** Who connects: the proxy, a client of the same authority, and one of an authority that nobody knows. */
const certificates = new Map<string, Certificate>();
let directory: string;
let ours: Authority;
let strangers: Authority;
let client: AdminClient;
let app: FastifyInstance;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'muster-proxy-'));
  [ours, strangers] = await Promise.all([authority(), authority()]);
  const service = await ours.issue('IP:127.0.0.1');
  await writeFile(join(directory, 'service.pem'), service.cert);
  await writeFile(join(directory, 'service.key'), service.key);
  await writeFile(join(directory, 'authority.pem'), ours.ca);
  certificates.set('proxy', await ours.issue('DNS:proxy.example.org'));
  certificates.set('colleague', await ours.issue('DNS:colleague.example.org'));
  certificates.set('forger', await strangers.issue('DNS:proxy.example.org'));
});
afterAll(async () => {
  await Promise.all([ours.close(), strangers.close(), rm(directory, { recursive: true, force: true })]);
});

beforeEach(async () => {
  client = await AdminClient.start();
  const { services, executor } = client.service;
  const run = (operation: typeof addAccount | typeof importRules, value: object) =>
    executor.value(operation as never, { kind: 'value', value }, OPERATOR);
  const settings = { certificate: 'proxy.example.org', user_header: 'X-Remote-User', groups_header: 'X-Remote-Groups' };
  await run(addAccount, { name: 'company', type: 'proxy-sign-in', settings });
  const mapping = (name: string, group: string, api_roles: readonly string[]) => ({
    name,
    enabled: true,
    groups: [group],
    api_roles,
  });
  const sign_in_groups = [mapping('a', 'admins', ['all']), mapping('b', 'staff', ['objects'])];
  await run(importRules, { rules: { sign_in_groups } });
  const tls = await readTls(
    { TLS_CERT: 'service.pem', TLS_KEY: 'service.key', TLS_CLIENT_CA: 'authority.pem' },
    directory,
  );
  app = buildHttpApp(
    { version: '0.0.0', ...(tls !== undefined && { tls }) },
    { services, executor, mounts: [adminInterface({ version: '0.0.0' })({ services, executor })] },
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  await app.close();
  await client.service.stop();
});

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the service answers
  readonly body: any;
  readonly cookie: string | undefined;
}

/** Asks over TLS, with the certificate of that name, over a connection of its own unless one is given. */
async function ask(
  certificate: string | undefined,
  headers: Readonly<Record<string, string | string[]>>,
  more: { readonly path?: string; readonly body?: object; readonly dispatcher?: Client } = {},
): Promise<Answer> {
  const { path = SESSION, body, dispatcher = connection(certificate) } = more;
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await dispatcher.request({
    path,
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...type },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const cookie = [answer.headers['set-cookie'] ?? []].flat()[0]?.split(';')[0];
  const read = { status: answer.statusCode, body: await answer.body.json(), cookie };
  await dispatcher.close();
  return read;
}

function connection(certificate: string | undefined): Client {
  const { port } = app.server.address() as AddressInfo;
  return new Client(`https://127.0.0.1:${port}`, { connect: { ca: ours.ca, ...certificates.get(certificate ?? '') } });
}

const olga = { 'x-remote-user': 'olga', 'x-remote-groups': 'guests, staff' };

describe('people whom a proxy names', () => {
  it('are logged in as they come, with what their groups may do', async () => {
    const { status, body, cookie } = await ask('proxy', olga);
    expect([status, body.user, body.roles]).toEqual([200, 'olga', ['objects']]);
    const again = await ask('proxy', { ...olga, cookie: String(cookie) });
    expect([again.body.user, again.cookie]).toEqual(['olga', undefined]);
    expect((await ask('proxy', {})).body).toBeNull();
  });

  it.each([
    ['nobody who shows a certificate', undefined],
    ['somebody else whom the authority knows', 'colleague'],
    ['somebody whom it does not know', 'forger'],
  ])('are named by the proxy alone, and not by %s', async (_, certificate) => {
    const { status, body, cookie } = await ask(certificate, olga);
    expect([status, cookie]).toEqual([403, undefined]);
    expect(body.message).toContain('is not from the proxy');
    expect(await client.service.services.users.byName('olga')).toBeUndefined();
    expect((await ask(certificate, {})).body).toBeNull();
  });

  it('are named once in a request', async () => {
    expect((await ask('proxy', { ...olga, 'x-remote-user': ['root', 'olga'] })).status).toBe(403);
    expect((await ask('proxy', { ...olga, 'x-remote-user': ['olga', ''] })).status).toBe(403);
    const nobody = { 'x-remote-user': 'olga', 'x-remote-groups': 'guests' };
    expect((await ask('proxy', nobody)).body.message).toContain('none of your groups');
  });

  it('gain no group that the client named beside those of the proxy', async () => {
    for (const groups of [
      ['admins', 'staff'],
      ['admins', ''],
    ]) {
      const { status, body, cookie } = await ask('proxy', { ...olga, 'x-remote-groups': groups });
      expect([status, cookie]).toEqual([403, undefined]);
      expect(body.message).toContain('is given twice');
    }
    const { cookie } = await ask('proxy', olga);
    const path = '/admin/api/operations/users/list-own-sessions';
    const later = { ...olga, 'x-remote-groups': ['admins', 'staff'], cookie: String(cookie) };
    expect((await ask('proxy', later, { path, body: {} })).status).toBe(401);
  });

  it('are out when the proxy names another, or nobody, or something else shows their cookie', async () => {
    const cookie = async () => String((await ask('proxy', olga)).cookie);
    const other = { ...olga, 'x-remote-user': 'paula' };
    expect((await ask('proxy', { ...other, cookie: await cookie() })).body.user).toBe('paula');
    const path = '/admin/api/operations/users/list-own-sessions';
    const calls = async (certificate: string | undefined, headers: object) =>
      (await ask(certificate, { ...headers, cookie: await cookie() }, { path, body: {} })).status;
    expect(await calls('proxy', olga)).toBe(200);
    expect(await calls('proxy', {})).toBe(401);
    expect(await calls('colleague', olga)).toBe(401);
  });

  it('lose a role with the group, in the session that goes on', async () => {
    const admin = { ...olga, 'x-remote-groups': 'admins' };
    const first = await ask('proxy', admin);
    expect(first.body.roles).toEqual(['all']);
    const cookie = String(first.cookie);
    expect((await ask('proxy', { ...olga, cookie })).body.roles).toEqual(['objects']);
    const gone = { ...olga, 'x-remote-groups': '', cookie };
    expect((await ask('proxy', gone)).status).toBe(403);
  });

  it('are known over a TLS session that was resumed', async () => {
    const { port } = app.server.address() as AddressInfo;
    const options = { port, host: '127.0.0.1', ca: ours.ca, ...certificates.get('proxy') };
    const first = connect(options);
    const [session] = await once(first, 'session');
    first.end();
    const second = connect({ ...options, session });
    await once(second, 'secureConnect');
    expect(second.isSessionReused()).toBe(true);
    const head = `GET ${SESSION} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-remote-user: olga\r\nx-remote-groups: staff\r\nconnection: close\r\n\r\n`;
    second.end(head);
    expect(await text(second)).toContain('"user":"olga"');
  });
});
