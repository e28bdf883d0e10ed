import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError, type HostStore, type Storage } from '../../../src/ports/index.ts';
import { basic, type HttpService, PASSWORD, startHttpService } from './http-service.ts';

let service: HttpService;
/** Providers whose stream stops after its first batch; one tells what its answer depends on, so that it is sent as it comes. */
const HANGING_PROVIDERS = `
  async function* full() {
    yield [{ hostname: 'rack01', variables: { text: JSON.stringify({ units: 'u'.repeat(500_000) }) }, groups: [] }];
    await new Promise(() => {});
  }
  export default {
    id: 'racks',
    apiVersion: 1,
    register(host) {
      host.inventoryProvider('tagged', () => ({ full, host: () => false, revision: async () => '1' }));
      host.inventoryProvider('untagged', () => ({ full, host: () => false }));
    },
  };`;
const INVENTORY = '/api/v1/inventory/automation/automation';

afterEach(() => service.stop());

async function startWithHosts(count: number, storage?: (storage: Storage) => Storage): Promise<void> {
  service = await startHttpService(storage === undefined ? {} : { storage });
  const objects = Array.from({ length: count }, (_, index) => ({
    hostname: `host${String(index).padStart(5, '0')}`,
    labels: { index, text: 'some text of some length that every host has' },
  }));
  await service.request({ method: 'POST', url: '/api/v1/objects/bulk', payload: { account: 'crm', objects } });
}

function withHosts(storage: Storage, change: Partial<HostStore>): Storage {
  return { ...storage, hosts: { ...storage.hosts, ...change } };
}

describe('inventories', () => {
  it('carry what caches need', async () => {
    await startWithHosts(2);
    const answer = await service.request({ url: INVENTORY });
    expect(answer.headers['cache-control']).toBe('private, no-cache');
    expect(answer.headers.vary).toContain('Accept-Encoding');
    expect(answer.headers.etag).toMatch(/^"[^"]+"$/);
  });

  it('are the same on every path', async () => {
    await startWithHosts(2);
    const paths = ['/inventory/automation', '/inventory/ansible', '/ansible/inventory'];
    for (const provider of ['automation', 'ansible']) {
      for (const path of paths) {
        const answer = await service.request({ url: `/api/v1${path}/${provider}` });
        expect(answer.body).toBe((await service.request({ url: INVENTORY })).body);
      }
    }
    for (const path of paths) {
      const list = (await service.request({ url: `/api/v1${path}` })).json().providers;
      expect(list).toContain('automation');
      expect(list).toEqual([...list].sort());
    }
  });

  it('of one host equal its part of the whole', async () => {
    await startWithHosts(2);
    const whole = (await service.request({ url: INVENTORY })).json();
    const one = await service.request({ url: `${INVENTORY}?host=host00001` });
    expect(one.json()).toEqual(whole._meta.hostvars.host00001);
    expect((await service.request({ url: `${INVENTORY}?host=%20host00001%09` })).body).toBe(one.body);
    expect((await service.request({ url: `${INVENTORY}?host=none` })).statusCode).toBe(404);
    expect((await service.request({ url: '/api/v1/inventory/automation/none' })).statusCode).toBe(404);
  });

  it.each([
    ['the tag', (tag: string) => tag],
    ['the weak tag', (tag: string) => `W/${tag}`],
    ['a list with the tag', (tag: string) => `"other", ${tag}`],
    ['the tag of the compressed answer', (tag: string) => tag.replace(/"$/, '-gzip"')],
    ['any tag', () => '*'],
  ])('are not sent again to who has %s', async (_what, header) => {
    await startWithHosts(2);
    const first = await service.request({ url: INVENTORY });
    const tag = String(first.headers.etag);
    const headers = { 'if-none-match': header(tag) };
    const second = await service.request({ url: INVENTORY, headers });
    expect([second.statusCode, second.body, second.headers.etag]).toEqual([304, '', tag]);
    expect((await service.request({ url: INVENTORY, headers: { 'if-none-match': '"other"' } })).statusCode).toBe(200);
  });

  it('have another tag once a host changed', async () => {
    await startWithHosts(2);
    const tag = String((await service.request({ url: INVENTORY })).headers.etag);
    const payload = { account: 'crm', labels: { new: true } };
    await service.request({ method: 'POST', url: '/api/v1/objects/host00001', payload });
    expect((await service.request({ url: INVENTORY, headers: { 'if-none-match': tag } })).statusCode).toBe(200);
  });
});

describe('compression', () => {
  it.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    // The best that this Node.js has is not read back here.
    ['*, zstd;q=0', 'br'],
    ['gzip;q=0', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['deflate', undefined],
    ['', undefined],
  ])('for %j is %s', async (accepted, coding) => {
    await startWithHosts(300);
    const plain = await service.request({ url: INVENTORY });
    const answer = await service.request({ url: INVENTORY, headers: { 'accept-encoding': accepted } });
    expect(answer.headers['content-encoding']).toBe(coding);
    const { rawPayload } = answer;
    const bytes =
      coding === 'gzip' ? gunzipSync(rawPayload) : coding === 'br' ? brotliDecompressSync(rawPayload) : rawPayload;
    expect(bytes.toString()).toBe(plain.body);
    if (coding !== undefined) {
      expect(rawPayload.length).toBeLessThan(bytes.length / 4);
      expect(answer.headers.etag).toBe(String(plain.headers.etag).replace(/"$/, `-${coding}"`));
    }
  });

  it('leaves short answers alone', async () => {
    await startWithHosts(1);
    const answer = await service.request({ url: INVENTORY, headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.headers['content-length']).toBeDefined();
  });
});

describe('an answer that fails', () => {
  it('at its beginning is a proper error', async () => {
    await startWithHosts(1, (storage) =>
      withHosts(storage, {
        page: () => Promise.reject(new AppError('unavailable', 'busy', { retryAfterSeconds: 7 })),
      }),
    );
    const answer = await service.request({ url: '/api/v1/objects/all' });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '7']);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it.each(['identity', 'gzip'])('in its middle cuts the connection (%s)', async (coding) => {
    await startWithHosts(6000, (storage) =>
      withHosts(storage, {
        async *scan(...request) {
          let batches = 0;
          for await (const batch of storage.hosts.scan(...request)) {
            if (++batches > 10) throw new Error('disk gone');
            yield batch;
          }
        },
      }),
    );
    const address = await service.app.listen({ port: 0, host: '127.0.0.1' });
    const outcome = await new Promise<string>((resolve) => {
      const headers = { authorization: basic('root', PASSWORD), 'accept-encoding': coding };
      httpRequest(`${address}/api/v1/objects/all?start=0&limit=10000`, { headers }, (answer) => {
        answer.on('end', () => resolve('complete')).on('error', (error) => resolve(error.message));
        answer.resume();
      }).end();
    });
    expect(outcome).toBe('aborted');
    const logged = service.log.find((line) => line.level === 'error');
    expect(logged).toMatchObject({ fields: { requestId: expect.any(String), error: expect.any(Error) } });
  });

  it('because a plugin hangs is broken off, and names the plugin where that is still possible', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'muster-streams-'));
    try {
      await writeFile(join(directory, 'racks.mjs'), HANGING_PROVIDERS);
      service = await startHttpService({
        config: { PLUGINS: [join(directory, 'racks.mjs')], PLUGIN_TIMEOUT_SECONDS: 0.3 },
      });
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
    const untagged = await service.request({ url: '/api/v1/inventory/automation/untagged' });
    expect([untagged.statusCode, untagged.json().message]).toEqual([502, expect.stringMatching(/^plugin racks: /)]);

    const address = await service.app.listen({ port: 0, host: '127.0.0.1' });
    const outcome = await new Promise<string>((resolve) => {
      const headers = { authorization: basic('root', PASSWORD) };
      httpRequest(`${address}/api/v1/inventory/automation/tagged`, { headers }, (answer) => {
        answer.on('end', () => resolve('complete')).on('error', (error) => resolve(error.message));
        answer.resume();
      }).end();
    });
    expect(outcome).toBe('aborted');
    const logged = service.log.find((line) => line.level === 'error');
    expect(logged?.fields.error).toMatchObject({
      message: expect.stringMatching(/^plugin racks: .*tagged took longer/),
    });
  });

  it('for an unknown reason shows nothing of it', async () => {
    await startWithHosts(1, (storage) =>
      withHosts(storage, { get: () => Promise.reject(new Error('secret path /etc/x')) }),
    );
    const answer = await service.request({ url: '/api/v1/objects/host00000' });
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('secret');
    const id = answer.headers['x-request-id'];
    expect(answer.json()).toMatchObject({ code: 'internal', message: expect.stringContaining(String(id)) });
    expect(service.log).toContainEqual(
      expect.objectContaining({ level: 'error', fields: expect.objectContaining({ requestId: id }) }),
    );
  });
});

describe('a client that goes away', () => {
  it('stops the work for it', async () => {
    let batches = 0;
    await startWithHosts(6000, (storage) =>
      withHosts(storage, {
        async *scan(...request) {
          for await (const batch of storage.hosts.scan(...request)) {
            batches++;
            await new Promise((resolve) => setTimeout(resolve, 30));
            yield batch;
          }
        },
      }),
    );
    const address = await service.app.listen({ port: 0, host: '127.0.0.1' });
    await new Promise<void>((resolve) => {
      const headers = { authorization: basic('root', PASSWORD) };
      const client = httpRequest(`${address}/api/v1/objects/all?start=0&limit=10000`, { headers }, (answer) => {
        answer.once('data', () => {
          client.destroy();
          resolve();
        });
      });
      client.on('error', () => undefined).end();
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    const soon = batches;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(batches).toBe(soon);
    expect(batches).toBeLessThan(20);
    expect(service.log.filter((line) => line.level === 'error')).toEqual([]);
  });
});
