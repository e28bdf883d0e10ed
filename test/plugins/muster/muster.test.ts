import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lazyHttp } from '../../../src/main/http.ts';
import plugin from '../../../src/plugins/muster/index.ts';
import { musterOptions } from '../../../src/plugins/muster/options.ts';
import type { Actor, Source, SourceItem, SourceType } from '../../../src/ports/index.ts';
import { StoredJson } from '../../../src/ports/index.ts';
import { describeSourceContract } from '../../../src/testing/source.contract.ts';
import { type HttpService, PASSWORD, startHttpService } from '../../adapters/http/http-service.ts';
import { inEnglish } from '../../support/english-wordings.ts';
import { noPrograms } from '../../support/no-programs.ts';
import { recordingLogger } from '../../support/recording-logger.ts';

const ACTOR: Actor = { kind: 'system', name: 'test' };
const CRM = { id: 'a'.repeat(24), isObject: false, objectType: 'host' };
const clock = { now: () => new Date() };

let service: HttpService;
let url: string;
/** Called before each answer of the listing, with the number of the request. */
let beforeList: (request: number) => Promise<void> = async () => undefined;
let lists = 0;

const name = (number: number): string => `h${String(number).padStart(3, '0')}`;

async function save(names: readonly string[], account = CRM): Promise<void> {
  const entries = names.map((hostname) => ({ hostname, labels: StoredJson.ofValue({ site: 'muc', serial: '007' }) }));
  await service.storage.hosts.saveLabels({ account, entries, at: new Date(), actor: ACTOR });
}

async function archive(hostname: string): Promise<void> {
  await service.storage.hosts.archive({ hostnames: [hostname], by: 'api', at: new Date(), scope: null, actor: ACTOR });
}

beforeAll(async () => {
  service = await startHttpService({ config: { CMDB_MODE: true } });
  service.app.addHook('onRequest', async ({ url: path }) => {
    if (path.startsWith('/api/v1/objects/all')) await beforeList(++lists);
  });
  url = await service.app.listen({ port: 0, host: '127.0.0.1' });
  await save(Array.from({ length: 25 }, (_, number) => name(number)));
  const section = StoredJson.ofValue({ cores: 4 });
  const entries = [{ hostname: name(3), key: 'facts', section }];
  await service.storage.hosts.saveInventory({ entries, scope: null, at: new Date(), actor: ACTOR });
  await service.storage.relations.add({ hostname: name(3), type: 'runs_on', target: name(4), source: 'manual' }, null);
});

afterAll(() => service.stop());

function open(given: Record<string, unknown> = {}, password = PASSWORD, username = 'root'): Source {
  let type: SourceType | undefined;
  const logger = recordingLogger([]);
  plugin.register({ logger, source: (registered: SourceType) => (type = registered) } as never, undefined);
  const options = musterOptions().parse({ url, page_size: 10, ...given });
  const account = { name: 'hq', address: '', username, password };
  const services = { logger, files: {} as never, programs: noPrograms, http: lazyHttp(clock) };
  return (type as SourceType).open(options, account, services);
}

async function read(source: Source): Promise<SourceItem[]> {
  lists = 0;
  const items: SourceItem[] = [];
  const context = { signal: new AbortController().signal, progress: () => undefined };
  for await (const batch of source.read(context)) items.push(...batch);
  return items;
}

const namesOf = (items: readonly SourceItem[]) =>
  items.flatMap((item) => (item.kind === 'record' ? item.hostname : []));
const gapsOf = (items: readonly SourceItem[]) => inEnglish(items.filter((item) => item.kind === 'gap'));

describeSourceContract('muster', {
  healthy: async () => ({
    source: open({ key_fields: 'serial' }),
    hostname: name(7),
    keys: { hostname: name(3), values: { serial: ['007'] } },
  }),
  broken: async () => open({}, 'wrong'),
});

describe('another Muster', () => {
  it('gives every host once, with labels and sections, over pages', async () => {
    const items = await read(open());
    expect(namesOf(items)).toEqual(Array.from({ length: 25 }, (_, number) => name(number)));
    expect(items[3]).toEqual({
      kind: 'record',
      position: 'host 4',
      hostname: name(3),
      labels: { site: 'muc', serial: '007' },
      inventory: { facts: { cores: 4 } },
    });
    expect(namesOf(await read(open({ page_size: 25 })))).toHaveLength(25);
    expect(namesOf(await read(open({ page_size: 2 })))).toHaveLength(25);
    const [plain] = (await read(open({ inventory: false }))).slice(3);
    expect(plain).not.toHaveProperty('inventory');
  });

  it('gives the keys that hosts have there, and not what an account there alone calls them', async () => {
    const { marks } = service.storage;
    const keys = ['uuid=5f0c', 'serial=J4711', 'id=12'].map((value) => ({ hostname: name(3), value }));
    await marks.putKeys({ accountId: CRM.id, keys, at: new Date() });
    const [, , , host, other] = await read(open());
    expect(host).toMatchObject({ hostname: name(3), keys: { uuid: ['5f0c'], serial: ['J4711'] } });
    expect(host).not.toHaveProperty('keys.id');
    expect(other).not.toHaveProperty('keys');
    const [, , , both] = await read(open({ key_fields: 'serial' }));
    expect(both).toMatchObject({ keys: { uuid: ['5f0c'], serial: ['J4711', '007'] } });
    await marks.removeKeys({ accountId: CRM.id, keys, since: new Date(Date.now() + 1000) });
  });

  it('gives relations where that is asked for', async () => {
    const items = await read(open({ relations: true }));
    expect(items[3]).toMatchObject({ relations: [{ type: 'runs_on', target: name(4) }] });
    expect(items[4]).toMatchObject({ relations: [] });
    expect(gapsOf(items)).toEqual([]);
  });

  it('says what it shows to whom, which is what that user may read', async () => {
    await service.addUser('branch', { api_roles: ['objects'], restrict_to_accounts: ['crm'] });
    const context = { signal: new AbortController().signal };
    expect(await open().check?.(context)).toBe('a Muster that shows 25 hosts to root');
    expect(await open({}, PASSWORD, 'branch').check?.(context)).toBe('a Muster that shows 0 hosts to branch');
    expect(namesOf(await read(open({}, PASSWORD, 'branch')))).toEqual([]);
  });

  it('is not read as a whole when hosts come or go meanwhile', async () => {
    beforeList = async (request) => {
      if (request === 2) await archive(name(5));
    };
    const items = await read(open());
    beforeList = async () => undefined;
    expect(gapsOf(items)).toEqual([
      {
        kind: 'gap',
        what: 'hosts from number 11 on',
        reason: 'hosts were added or removed during the read; the next run reads them all',
      },
    ]);
    await service.storage.hosts.restore({ hostnames: [name(5)], at: new Date(), scope: null, actor: ACTOR });
    expect(gapsOf(await read(open()))).toEqual([]);
  });

  it.each([
    ['an address that is another program’s', () => open({ url: `${url}/elsewhere` }), /404/],
    ['a wrong password', () => open({}, 'not the password'), /401/],
    ['nothing there', () => open({ url: 'http://127.0.0.1:1' }), /127\.0\.0\.1:1/],
  ])('fails for %s, without its secret', async (_, source, message) => {
    const failure: Error = await read(source()).catch((error) => error);
    expect(failure.message).toMatch(message);
    expect(failure.message).not.toContain('not the password');
  });
});
