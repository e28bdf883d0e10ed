import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../../src/adapters/cli/run.ts';
import { OPERATIONS } from '../../../src/app/catalogue/operations.ts';
import { isCallable } from '../../../src/app/kernel/callable.ts';
import { authority } from '../../support/certificates.ts';
import { basic, type HttpService, PASSWORD, startHttpService } from '../http/http-service.ts';
import { fakeTerminal } from './fake-terminal.ts';

const VERSION = '0.0.0';

let service: HttpService;
let home: string;
let url: string;
const others: Server[] = [];

beforeAll(async () => {
  service = await startHttpService({ config: { INSTANCE_KEY: '22'.repeat(32) }, remote: true, admin: true });
  await service.addUser('reader', { api_roles: ['objects'], readonly: true });
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
  home = await mkdtemp(join(tmpdir(), 'muster-home-'));
});

afterAll(async () => {
  await service.stop();
  for (const server of others) server.close();
  await rm(home, { recursive: true, force: true });
});

interface Given {
  readonly variables?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly version?: string;
}

async function muster(args: readonly string[], { variables, stdin, version = VERSION }: Given = {}) {
  const fake = fakeTerminal({
    variables: { HOME: home, ...variables },
    workingDirectory: home,
    ...(stdin !== undefined && { stdin }),
  });
  const exitCode = await runCli(args, fake.terminal, {
    version,
    open: () => Promise.reject(new Error('the store of this machine was opened')),
  });
  return { exitCode, stdout: fake.stdout(), stderr: fake.stderr() };
}

function remote(args: readonly string[], user = 'root', given: Given = {}) {
  const variables = { MUSTER_URL: url, MUSTER_USER: user, MUSTER_PASSWORD: PASSWORD };
  return muster(args, { ...given, variables: { ...variables, ...given.variables } });
}

async function listening(server: Server): Promise<string> {
  others.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('commands that are sent to a service', () => {
  it('do what they do on the machine of the store, and the audit log says from where', async () => {
    expect((await remote(['host', 'set', 'web1', '--account', 'crm', '--label', 'site=fra'])).stderr).toMatch(
      /^At http.*\nSaved web1\.\n$/,
    );
    expect((await remote(['host', 'list', '-o', 'name'])).stdout).toBe('web1\n');
    expect(JSON.parse((await remote(['host', 'show', 'web1', '--json'])).stdout).labels).toEqual({ site: 'fra' });
    expect(JSON.parse((await remote(['inventory', 'automation', '--list'])).stdout).all.hosts).toEqual(['web1']);
    await service.services.audit.settled();
    const [entry] = await service.storage.audit.latest({ limit: 1, operation: 'hosts/save-host' });
    expect(entry).toMatchObject({ actor: 'root', entrance: 'remote', address: '127.0.0.1', subject: 'web1' });
  });

  it('may do what their user may, and no more', async () => {
    expect((await remote(['host', 'list', '-o', 'name'], 'reader')).stdout).toBe('web1\n');
    const write = await remote(['host', 'archive', 'web1'], 'reader');
    expect(write).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('User reader may only read') });
    const role = await remote(['account', 'list'], 'reader');
    expect(role).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no api_role') });
    const wrong = await remote(['host', 'list'], 'nobody');
    expect(wrong).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('credentials are not valid') });
  });

  it('fail as they fail there', async () => {
    const { exitCode, stderr } = await remote(['host', 'show', 'nowhere']);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no host nowhere') });
  });

  it.each([
    ['serve'],
    ['mcp', '--transport', 'http'],
    ['demo', '--no-serve'],
    ['backup', 'a.backup'],
    ['restore', 'a.backup'],
    ['storage', 'check'],
    ['storage', 'rotate-key'],
    ['cron', 'run'],
  ])('are refused where they work on the store itself: %s', async (...args) => {
    const { exitCode, stderr } = await remote(args);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^(At .*\n)?muster: muster .* works on (this machine|the machine of the store)/);
  });

  it('say when the versions do not fit', async () => {
    const { exitCode, stderr } = await remote(['host', 'list', '-o', 'name'], 'root', { version: '0.1.0' });
    expect(exitCode).toBe(0);
    expect(stderr).toContain('is Muster 0.0.0, this command 0.1.0');
  });

  it('say plainly what is no service', async () => {
    const nothing = await listening(createServer((_, response) => response.writeHead(404).end('not here')));
    expect((await remote(['host', 'list', '--url', nothing])).stderr).toContain(
      'is not a Muster service that takes commands',
    );
    expect((await remote(['host', 'list', '--url', 'http://127.0.0.1:1'])).stderr).toContain('nothing listens there');
    expect((await remote(['host', 'list', '--url', 'http://muster.example.org'])).stderr).toContain('--plain-http');
    expect((await remote(['host', 'list', '--url', 'https://olga:secret@muster.example.org'])).stderr).not.toContain(
      'secret',
    );
  });

  it('show credentials to no other origin', async () => {
    const seen: unknown[] = [];
    const thief = await listening(
      createServer(({ headers }, response) => {
        seen.push(headers.authorization);
        response.end('{}');
      }),
    );
    const front = await listening(
      createServer((_, response) => response.writeHead(308, { location: `${thief}/api/` }).end()),
    );
    const { exitCode, stderr } = await remote(['host', 'list', '--url', front]);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`redirects to ${thief}`),
    });
    expect(seen).toEqual([]);
  });

  it('trust an authority that they are told of, and no other', async () => {
    const own = await authority();
    const { cert, key } = await own.issue('IP:127.0.0.1');
    const server = createTlsServer({ cert, key }, (_, response) =>
      response
        .writeHead(200, { 'muster-version': VERSION, 'content-type': 'application/x-ndjson' })
        .end('{"result":{"accounts":[]}}\n'),
    );
    others.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await writeFile(join(home, 'ca.pem'), own.ca);
    await own.close();
    const untrusted = await remote(['account', 'list', '--url', address]);
    expect(untrusted).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--ca-file') });
    const trusted = await remote(['account', 'list', '-o', 'csv', '--url', address, '--ca-file', 'ca.pem']);
    expect(trusted.exitCode).toBe(0);
  });
});

describe('profiles', () => {
  it('are made by logging in, and commands work with the one that is in use', async () => {
    const made = await muster(['login', url, '--profile', 'prod', '--user', 'root', '--password-stdin'], {
      stdin: `${PASSWORD}\n`,
    });
    expect(made).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('as root') });
    const file = join(home, '.config/muster/profiles.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await muster(['host', 'list', '-o', 'name'])).stdout).toBe('web1\n');
    expect(JSON.parse((await muster(['profile', 'list', '--json'])).stdout)).toEqual([
      { profile: 'prod', address: `${url}/`, user: 'root', used: true },
    ]);
    expect((await muster(['profile', 'use', 'local'])).exitCode).toBe(0);
    expect((await muster(['host', 'list'])).stderr).toContain('the store of this machine was opened');
    expect((await muster(['--profile', 'prod', 'host', 'list', '-o', 'name'])).stdout).toBe('web1\n');
  });

  it('are not used when others may read them, and no message repeats them', async () => {
    const file = join(home, '.config/muster/profiles.json');
    const { token } = JSON.parse(await readFile(file, 'utf8')).profiles.prod;
    await chmod(file, 0o644);
    const open = await muster(['--profile', 'prod', 'host', 'list']);
    await chmod(file, 0o600);
    expect(open).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('chmod 600') });
    await writeFile(file, `{"profiles": ${token}`);
    const broken = await muster(['--log-level', 'debug', 'profile', 'list']);
    expect(broken.exitCode).toBe(1);
    expect(broken.stderr).not.toContain(token);
    await writeFile(file, JSON.stringify({ profiles: { prod: { url, token, user: 'root' } } }));
  });

  it('keep their token for their own address, and get no other', async () => {
    const seen: unknown[] = [];
    const other = await listening(
      createServer(({ headers }, response) => {
        seen.push(headers.authorization);
        response.writeHead(500).end();
      }),
    );
    const missing = await muster(['host', 'list', '--url', other, '--profile', 'prod']);
    expect(missing.exitCode).toBe(2);
    expect((await muster(['host', 'list', '--url', other])).stderr).toContain('there is no credential for');
    expect(seen).toEqual([]);
    const variables = { MUSTER_TOKEN: 'of-another-service' };
    expect((await muster(['--profile', 'prod', 'host', 'list', '-o', 'name'], { variables })).stdout).toBe('web1\n');
  });

  it('are not made with credentials that the service does not take', async () => {
    const refused = await muster(['login', url, '--profile', 'bad', '--token-stdin'], { stdin: 'wrong\n' });
    expect(refused.exitCode).toBe(1);
    expect((await muster(['profile', 'list', '-o', 'name'])).stdout).toBe('prod\n');
    const reader = await muster(['login', url, '--user', 'reader', '--password-stdin'], { stdin: `${PASSWORD}\n` });
    expect(reader.stderr).toContain('may not make tokens');
    expect((await muster(['profile', 'remove', 'prod'])).exitCode).toBe(0);
    expect((await muster(['profile', 'list', '-o', 'name'])).stdout).toBe('');
  });
});

describe('operations by their names', () => {
  const call = (name: string, headers: Readonly<Record<string, string>>, payload: object = {}) =>
    service.app.inject({ method: 'POST', url: `/api/operations/${name}`, headers, payload });

  it('take credentials of a user, and no session of the pages', async () => {
    const { headers } = await service.app.inject({
      method: 'POST',
      url: '/admin/api/session',
      payload: { name: 'root', password: PASSWORD },
    });
    const cookie = String(headers['set-cookie']).split(';', 1)[0] ?? '';
    expect((await call('accounts/show-accounts', { cookie })).statusCode).toBe(401);
    expect((await call('accounts/show-accounts', { authorization: basic('root', PASSWORD) })).statusCode).toBe(200);
  });

  it('are not called by pages of others, by forms, or without a name that there is', async () => {
    const authorization = basic('root', PASSWORD);
    const foreign = { authorization, 'sec-fetch-site': 'cross-site' };
    expect((await call('hosts/archive-host', foreign, { hostname: 'web1' })).statusCode).toBe(403);
    const form = await service.app.inject({
      method: 'POST',
      url: '/api/operations/hosts/archive-host',
      headers: { authorization, 'content-type': 'text/plain' },
      payload: '{"hostname":"web1"}',
    });
    expect(form.statusCode).toBe(403);
    expect((await call('hosts/nothing', { authorization })).statusCode).toBe(404);
    expect((await call('hosts/nothing', {})).statusCode).toBe(401);
  });

  it('are those that pages or REST offer, and none that works on the store, the key or files of the machine', () => {
    const names = OPERATIONS.filter((operation) => !isCallable(operation)).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'accounts/get-account',
        'cron/run-pass',
        'cron/trigger-webhook',
        'storage/back-up',
        'storage/check-storage',
        'storage/migrate-storage',
        'storage/restore-backup',
        'storage/rotate-key',
        'users/change-own-password',
      ]),
    );
    const own = OPERATIONS.filter(({ at }) => at.remote === true).map(({ name }) => name);
    expect(own.sort()).toEqual(['accounts/new-preset', 'playbooks/fire-playbooks', 'system/compare-inventory']);
  });
});
