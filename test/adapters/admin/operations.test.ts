import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { progressLines } from '../../../src/adapters/listener/progress-lines.ts';
import { OPERATIONS } from '../../../src/app/catalogue/operations.ts';
import { AppError } from '../../../src/ports/index.ts';
import { AdminClient } from './admin-client.ts';

describe('operations on the pages', () => {
  let client: AdminClient;
  let root: string;
  beforeEach(async () => {
    client = await AdminClient.start();
    root = await client.cookieOf('root');
  });
  afterEach(() => client.service.stop());

  it('do what they do everywhere, and the audit log says from where', async () => {
    const saved = await client.call('hosts/save-host', root, { hostname: 'web1', account: 'crm', labels: { a: 1 } });
    expect(saved.json()).toEqual({ status: 'saved' });
    expect((await client.call('hosts/show-host', root, { hostname: 'web1' })).json()).toMatchObject({
      labels: { a: 1 },
    });
    await client.service.services.audit.settled();
    expect((await client.service.storage.audit.latest({ limit: 1 }))[0]).toMatchObject({
      actor: 'root',
      entrance: 'admin',
      operation: 'hosts/save-host',
      subject: 'web1',
      outcome: 'done',
    });
  });

  it('are refused without the role, to who may only read, and for hosts out of reach', async () => {
    await client.service.addAccount('dcim');
    await client.service.addUser('olga', { api_roles: ['syncer'] });
    await client.service.addUser('reader', { readonly: true });
    await client.service.addUser('scoped', { restrict_to_accounts: ['dcim'] });
    const save = { hostname: 'web1', account: 'crm', labels: {} };
    await client.call('hosts/save-host', root, save);
    const codes = await Promise.all(
      (
        [
          ['olga', 'hosts/show-host', { hostname: 'web1' }],
          ['reader', 'hosts/save-host', save],
          ['reader', 'hosts/show-host', { hostname: 'web1' }],
          ['scoped', 'hosts/show-host', { hostname: 'web1' }],
          ['scoped', 'hosts/save-host', save],
          ['scoped', 'users/list-users', {}],
        ] as const
      ).map(async ([user, operation, input]) => {
        const answer = await client.call(operation, await client.cookieOf(user), input);
        return [answer.statusCode, answer.json().code];
      }),
    );
    expect(codes).toEqual([
      [401, 'role_missing'],
      [403, 'read_only'],
      [200, undefined],
      [404, 'not_found'],
      [403, 'forbidden'],
      [401, 'role_missing'],
    ]);
  });

  it('check their input and say what is wrong with it', async () => {
    const answer = await client.call('hosts/save-host', root, { hostname: 'web1', account: 'crm', labels: { a: {} } });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('a') });
    expect(answer.headers['x-request-id']).toBeDefined();
  });

  it.each(['storage/restore-backup', 'cron/trigger-webhook', 'accounts/get-account', 'hosts/__proto__', 'a/b'])(
    'are not there by the name %s',
    async (name) => {
      expect((await client.call(name, root)).statusCode).toBe(404);
    },
  );

  it('tell how far they are, and then how it ended', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'muster-admin-')), 'hosts.csv');
    await writeFile(file, 'host,site\nweb1,a\nweb2,b\n');
    await client.service.addAccount('csv', { type: 'csv', custom_fields: [{ name: 'path', value: file }] });
    const lines = async (account: string) => {
      const accept = { accept: 'application/x-ndjson' };
      const answer = await client.call('imports/import-account', root, { account }, accept);
      expect(answer.headers['content-type']).toBe('application/x-ndjson');
      return answer.payload
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    };
    const all = await lines('csv');
    expect(all[0]).toHaveProperty('progress.done');
    expect(all.at(-1)).toMatchObject({ result: { summary: { created: 2 } } });
    expect((await lines('nowhere')).at(-1)).toMatchObject({ error: { code: 'not_found' } });
    await rm(dirname(file), { recursive: true });
  });

  it('stream what is long', async () => {
    await client.call('hosts/save-host', root, { hostname: 'web1', account: 'crm', labels: { a: 1 } });
    const answer = await client.call('inventory/render-inventory', root, { provider: 'automation' });
    expect(answer.json()).toMatchObject({ all: { hosts: ['web1'] } });
  });

  it('are declared under their own names, and none is left out by accident', () => {
    const leftOut = OPERATIONS.filter(({ at }) => at.page !== true).map(({ name }) => name);
    expect(leftOut.sort()).toMatchSnapshot();
  });
});

describe('a refusal', () => {
  it('has the parts of its sentence for pages, and for no one else', async () => {
    const client = await AdminClient.start();
    const { service } = client;
    await service.addUser('root', { api_roles: ['all'], global_admin: true });
    const message = 'there is no host web9; list the hosts to see which exist';
    const root = await client.cookieOf('root');
    const refused = await client.call('hosts/show-host', root, { hostname: 'web9' });
    expect(refused.json()).toEqual({
      message,
      code: 'not_found',
      wording: {
        template: 'there is no host {hostname}; list the hosts to see which exist',
        values: { hostname: 'web9' },
      },
    });
    const rest = await service.request({ url: '/api/v1/objects/web9', user: 'root' });
    expect(rest.json()).toEqual({ message, code: 'not_found' });
    await service.stop();
  });

  it('has the parts of its details for pages, and for no one else', async () => {
    const client = await AdminClient.start();
    const { service } = client;
    await service.addUser('root', { api_roles: ['all'], global_admin: true });
    const root = await client.cookieOf('root');
    const detail = { path: 'limit', message: 'must be 1000 or less' };
    const refusal = { message: 'limit: must be 1000 or less', code: 'invalid_input' };
    const wording = { template: 'must be {most} or less', values: { most: '1000' } };
    const refused = await client.call('hosts/host-history', root, { hostname: 'web9', limit: 5000 });
    expect(refused.json()).toEqual({
      ...refusal,
      details: [{ ...detail, wording }],
      wording: {
        template: '{path}: {problem}',
        values: { path: 'limit', problem: { text: detail.message, ...wording } },
      },
    });
    const rest = await service.request({ url: '/api/v1/objects/web9/history?limit=5000', user: 'root' });
    expect(rest.json()).toEqual({ ...refusal, details: [detail] });
    await service.stop();
  });
});

describe('what is no page', () => {
  it('is not found, or leads to the pages', async () => {
    const client = await AdminClient.start();
    const { service } = client;
    expect((await service.request({ url: '/admin/api/nothing', user: null })).json()).toMatchObject({
      code: 'not_found',
    });
    expect((await service.request({ url: '/', user: null })).headers.location).toBe('/admin');
    const wrong = await service.request({ method: 'PUT', url: '/admin/api/session', user: null });
    expect([wrong.statusCode, wrong.headers.allow]).toEqual([405, 'DELETE, GET, HEAD, POST']);
    await service.stop();
  });
});

describe('progress lines', () => {
  const lines = async (run: Parameters<typeof progressLines>[0]) => {
    const all: unknown[] = [];
    for await (const line of progressLines(run)) all.push(JSON.parse(line));
    return all;
  };

  it('keep the newest progress only, and end with the result', async () => {
    const all = await lines(async (progress) => {
      for (let done = 0; done < 1000; done++) progress({ done, unit: 'hosts' });
      await Promise.resolve();
      return { status: 'done' };
    });
    expect(all.at(-1)).toEqual({ result: { status: 'done' } });
    expect(all.length).toBeLessThan(10);
  });

  it('lose nothing of what is printed', async () => {
    const all = await lines(async (progress) => {
      for (let done = 0; done < 100; done++) progress({ done, unit: 'bytes', output: `${done},` });
      return 'done';
    });
    const printed = all.map((line) => (line as { progress?: { output?: string } }).progress?.output ?? '').join('');
    expect(printed).toBe(Array.from({ length: 100 }, (_, n) => `${n},`).join(''));
  });

  it('end with an error that has more for who may know it', async () => {
    const refusal = async (): Promise<never> => {
      throw new AppError('conflict', 'it runs');
    };
    const all: unknown[] = [];
    const membersOf = ({ code }: AppError) => ({ also: code });
    for await (const line of progressLines(refusal, { membersOf })) all.push(JSON.parse(line));
    expect(all).toEqual([{ error: { code: 'conflict', message: 'it runs', also: 'conflict' } }]);
  });

  it('end with an error, and show nothing of a fault of ours', async () => {
    const refusal = async (): Promise<never> => {
      throw new AppError('not_found', 'there is no such account');
    };
    expect(await lines(refusal)).toEqual([{ error: { code: 'not_found', message: 'there is no such account' } }]);
    const fault = async (): Promise<never> => {
      throw new Error('secret');
    };
    expect(JSON.stringify(await lines(fault))).not.toContain('secret');
  });
});
