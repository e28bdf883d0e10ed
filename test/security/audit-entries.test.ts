import { createSocket } from 'node:dgram';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openSink } from '../../src/adapters/audit-sinks/open-sink.ts';
import { buildHttpApp } from '../../src/adapters/http/app.ts';
import { memoryStorage } from '../../src/adapters/storage/memory/storage.ts';
import { addAccount } from '../../src/app/accounts/operations/add-account.ts';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import { renderInventory } from '../../src/app/inventory/operations/render-inventory.ts';
import { AuditForwarding } from '../../src/app/journal/audit/forwarding.ts';
import { runDoctor } from '../../src/app/maintenance/operations/run-doctor.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { countHosts } from '../../src/app/search/operations/count-hosts.ts';
import { hostTable } from '../../src/app/search/operations/host-table.ts';
import { listChanges } from '../../src/app/search/operations/list-changes.ts';
import { searchHosts } from '../../src/app/search/operations/search-hosts.ts';
import { addUser } from '../../src/app/users/operations/add-user.ts';
import { changeUser } from '../../src/app/users/operations/change-user.ts';
import { createToken } from '../../src/app/users/operations/create-token.ts';
import type { AuditEntry, AuditSink, Storage } from '../../src/ports/index.ts';
import { OperationsApp, PASSWORD } from '../app/operations/operations-app.ts';
import { type LoggedLine, recordingLogger } from '../support/recording-logger.ts';
import { DATABASES, type OpenedDatabase } from './support/opened-stores.ts';

describe.each(DATABASES)('the audit log in %s', (_name, open) => {
  let database: OpenedDatabase;
  let app: OperationsApp;
  beforeAll(async () => {
    database = await open();
    app = await OperationsApp.over(database.storage);
    await app.addAccounts('crm');
    await app.run(addUser, { name: 'olga', password: PASSWORD, roles: ['objects', 'automation'] });
  });
  afterAll(async () => {
    await app.stop();
    await database.close();
  });

  async function entries(operation: string): Promise<readonly AuditEntry[]> {
    await app.app.services.audit.settled();
    return database.storage.audit.latest({ limit: 50, operation });
  }

  it('names each user that an import brings or changes, with what changed and without a hash', async () => {
    const document = { name: 'eve', password: PASSWORD, api_roles: ['rules'], readonly: true };
    const users = [document, { name: 'olga', api_roles: ['all'], global_admin: true, disabled: true }];
    await app.run(importRules, { rules: { users }, override: true });
    const [changed] = await entries('users/changed');
    expect(changed).toMatchObject({ subject: 'olga', actor: 'operator' });
    expect(changed?.details).toContain('roles: objects, automation → all');
    expect(changed?.details).toContain('administrator: no → yes');
    expect(changed?.details).toContain('disabled: no → yes');
    const created = (await entries('users/created')).find(({ subject }) => subject === 'eve');
    expect(created?.details).toMatch(/^roles: rules; accounts: all; templates: all; read-only: yes/);
    expect(JSON.stringify([changed, created])).not.toMatch(/argon2|correct horse/);
    await app.run(changeUser, { name: 'olga', roles: ['objects', 'automation'], admin: false, disabled: false });
  });

  it('tells of new passwords and tokens, and of nothing where nothing changed', async () => {
    await app.run(changeUser, { name: 'olga', password: PASSWORD });
    const { prefix } = await app.run(createToken, { name: 'olga', label: 'x' });
    const told = (await entries('users/changed')).map(({ details }) => details);
    expect(told).toContainEqual(expect.stringContaining('another password'));
    expect(told).toContainEqual(`token ${prefix} made`);
    const before = told.length;
    await app.run(changeUser, { name: 'olga', email: '' });
    expect((await entries('users/changed')).length).toBe(before);
  });

  it('counts uses of a token: the first, and then how many in the hour', async () => {
    const http = buildHttpApp({ version: '0' }, { services: app.app.services, executor: app.app.executor });
    const { token, prefix } = await app.run(createToken, { name: 'olga', label: 'y' });
    const headers = { authorization: `Bearer ${token}` };
    for (let n = 0; n < 30; n++) await http.inject({ url: '/api/v1/objects/web1', headers });
    expect(await entries('users/use-token')).toMatchObject([{ actor: 'olga', subject: prefix, details: '' }]);
    await app.app.services.audit.close();
    expect((await entries('users/use-token')).map(({ details }) => details)).toContainEqual(
      expect.stringMatching(/^29 more since /),
    );
    await http.close();
  });

  it('tells who read an inventory whose rules show secrets, and not of others', async () => {
    await app.run(saveHost, { hostname: 'web1', account: 'crm', labels: {} });
    await app.read(renderInventory, { provider: 'automation' });
    expect(await entries('inventory/render-inventory')).toEqual([]);
    await app.run(addAccount, { name: 'vault', type: 'api', password: 'Tr0ub4dor' });
    const outcomes = [{ attribute_name: 'loot', attribute_value: '{{ACCOUNT:vault:password}}' }];
    const rule = { name: 'loot', enabled: true, condition_typ: 'anyway', outcomes };
    await app.run(importRules, { rules: { automation_customvars: [rule] } });
    await app.read(renderInventory, { provider: 'automation' });
    const [read] = await entries('inventory/render-inventory');
    expect(read).toMatchObject({ actor: 'operator', subject: 'automation', details: 'rules show secrets of vault' });
    const shown = { actor: 'operator', subject: 'automation', details: 'rules show secrets of vault' };
    await app.run(searchHosts, { where: 'web1', columns: ['name'] });
    await app.run(countHosts, { fields: ['account'] });
    expect(await entries('search/search-hosts')).toEqual([]);
    expect(await entries('search/count-hosts')).toEqual([]);
    const { hosts } = await app.run(searchHosts, { where: 'web1', columns: ['served.loot'] });
    expect(hosts[0]?.values).toEqual({ 'served.loot': 'Tr0ub4dor' });
    await app.run(countHosts, { fields: ['served.loot'] });
    await app.read(hostTable, { columns: ['served.loot'], format: 'json' });
    await app.run(listChanges, { where: 'served.loot:Tr*' });
    for (const name of ['search/search-hosts', 'search/count-hosts', 'search/host-table', 'hosts/list-changes']) {
      expect(await entries(name)).toMatchObject([shown]);
    }
  });

  it('counts by what an entry keeps, however long it was made', async () => {
    const { audit, clock, newId } = app.app.services;
    const entry = {
      actor: 'olga',
      entrance: 'rest',
      address: '192.0.2.1',
      operation: 'x',
      outcome: 'done',
      requestId: '',
    };
    for (let count = 0; count < 100; count++) {
      const subject = 'long '.repeat(20_000) + count;
      audit.keepSummed({ ...entry, id: newId(), at: clock.now(), subject });
    }
    await audit.settled();
    const kept = await database.storage.audit.latest({ limit: 100, operation: 'x' });
    expect(kept.map(({ subject }) => subject.length)).toEqual([2_001]);
  });
});

describe('forwarding of the audit log', () => {
  let storage: Storage;
  let app: OperationsApp;
  const closing: (() => unknown)[] = [];
  const log: LoggedLine[] = [];
  beforeAll(async () => {
    storage = memoryStorage()();
    await storage.start();
    app = await OperationsApp.over(storage);
    for (const name of ['a', 'b', 'c']) await app.run(addUser, { name, password: PASSWORD });
    await app.app.services.audit.settled();
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    log.length = 0;
  });
  afterAll(async () => {
    await app.stop();
    await storage.stop();
  });

  /** Runs so that turns of earlier runs are over. */
  let turn = 0;
  function forwardingTo(...sinks: readonly AuditSink[]): AuditForwarding {
    const now = new Date(Date.now() + ++turn * 10_000);
    const { chain } = app.app.services.audit;
    const deps = { store: storage.audit, chain, access: storage.access, clock: { now: () => now } };
    return new AuditForwarding({ ...deps, sinks: async () => sinks, logger: recordingLogger(log) });
  }

  const signal = new AbortController().signal;
  const place = (address: string, directory = '.') => openSink(address, { directory, token: 'sesame' });

  async function kept(): Promise<readonly number[]> {
    const seqs: number[] = [];
    for await (const batch of storage.audit.linked({ after: 0, batchSize: 99 }))
      seqs.push(...batch.map((e) => e.link?.seq ?? 0));
    return seqs;
  }

  it('writes a file, each entry once and in order, and goes on where it was', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-forward-'));
    closing.push(() => rm(folder, { recursive: true }));
    const sink = place('file:audit.log', folder);
    await forwardingTo(sink).run(signal);
    await app.run(changeUser, { name: 'a', roles: ['rules'] });
    await app.app.services.audit.settled();
    await forwardingTo(sink).run(signal);
    const lines = (await readFile(join(folder, 'audit.log'), 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).seq)).toEqual(await kept());
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      operation: 'users/change-user',
      subject: 'a',
      outcome: 'done',
    });
  });

  it('loses nothing when the place is away, says so once, and doctor tells', async () => {
    let isAway = true;
    const got: number[] = [];
    const sink: AuditSink = {
      name: 'test',
      async send(entries) {
        if (isAway) throw new Error('connection refused');
        got.push(...entries.map(({ link }) => link?.seq ?? 0));
      },
    };
    const forwarding = forwardingTo(sink);
    await forwarding.run(signal);
    expect(log.filter(({ level }) => level === 'error')).toHaveLength(1);
    expect(JSON.stringify(log)).toContain('connection refused');
    isAway = false;
    await forwardingTo(sink).run(signal);
    expect(got).toEqual(await kept());
  });

  it('is told by doctor while entries wait for too long', async () => {
    const states = async (minutes: number) => {
      const clock = { now: () => new Date(Date.now() + minutes * 60_000) };
      const sink: AuditSink = { name: 'nowhere', send: async () => undefined };
      const { chain } = app.app.services.audit;
      const deps = { store: storage.audit, chain, access: storage.access, sinks: async () => [sink], clock };
      return new AuditForwarding({ ...deps, logger: recordingLogger(log) }).states();
    };
    expect(await states(1)).toEqual([{ name: 'nowhere', lateSince: undefined }]);
    expect(await states(10)).toMatchObject([{ name: 'nowhere', lateSince: expect.any(Date) }]);
    const { findings } = await app.run(runDoctor, {});
    expect(findings.find(({ check }) => check === 'audit log')).toMatchObject({ ok: true });
  });

  it('posts lines of JSON with the token, and takes nothing but a success for one', async () => {
    const bodies: { authorization: string | undefined; lines: string[] }[] = [];
    let status = 503;
    const server = createHttpServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => (text += chunk));
      request.on('end', () => {
        bodies.push({ authorization: request.headers.authorization, lines: text.trimEnd().split('\n') });
        response.writeHead(status).end();
      });
    }).listen(0, '127.0.0.1');
    closing.push(() => server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const sink = place(`http://127.0.0.1:${(server.address() as AddressInfo).port}/audit`);
    await forwardingTo(sink).run(signal);
    expect(JSON.stringify(log)).toContain('503');
    status = 204;
    await forwardingTo(sink).run(signal);
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[0]?.authorization).toBe('Bearer sesame');
    expect(bodies[0]?.lines.map((line) => JSON.parse(line).seq)).toEqual(await kept());
  });

  it('logs in with the user of an address, whose password stands in no log', async () => {
    const seen: (string | undefined)[] = [];
    const server = createHttpServer((request, response) => {
      seen.push(request.url, request.headers.authorization);
      request.resume().on('end', () => response.writeHead(503).end());
    }).listen(0, '127.0.0.1');
    closing.push(() => server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await forwardingTo(place(`http://ada:s3c%40ret@127.0.0.1:${port}/audit?key=s3cret`)).run(signal);
    expect(seen).toEqual(['/audit?key=s3cret', `Basic ${Buffer.from('ada:s3c@ret').toString('base64')}`]);
    expect(JSON.stringify(log)).toContain('503');
    expect(JSON.stringify(log)).not.toContain('s3c');
  });

  it('speaks syslog over TCP, each message behind its length', async () => {
    let text = '';
    const server = createServer((socket) => socket.on('data', (chunk) => (text += chunk))).listen(0, '127.0.0.1');
    closing.push(() => server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    await forwardingTo(place(`syslog+tcp://127.0.0.1:${(server.address() as AddressInfo).port}`)).run(signal);
    expect(log).toEqual([]);
    let rest = Buffer.from(text);
    const seqs: number[] = [];
    while (rest.length > 0) {
      const space = rest.indexOf(' ');
      const end = space + 1 + Number(rest.subarray(0, space));
      const message = rest.subarray(space + 1, end).toString();
      expect(message).toMatch(/^<109>1 \d{4}-\d\d-\d\dT[\d:.]+Z \S+ muster \d+ audit - \u{feff}\{/u);
      seqs.push(JSON.parse(message.slice(message.indexOf('{'))).seq);
      rest = rest.subarray(end);
    }
    expect(seqs).toEqual(await kept());
  });

  it('speaks syslog over UDP', async () => {
    const got: string[] = [];
    const socket = createSocket('udp4', (message) => got.push(message.toString()));
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    closing.push(() => socket.close());
    await forwardingTo(place(`syslog://127.0.0.1:${socket.address().port}`)).run(signal);
    await expect.poll(() => got.length).toBe((await kept()).length);
    expect(got[0]).toMatch(/^<109>1 /);
  });
});
