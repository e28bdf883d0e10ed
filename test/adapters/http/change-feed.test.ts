import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StoredJson } from '../../../src/ports/index.ts';
import { basic, type HttpService, PASSWORD, startHttpService } from './http-service.ts';

const CHANGES = '/api/v1/changes';
const STREAM = `${CHANGES}/stream`;

let service: HttpService;
const lines: Listener[] = [];

beforeEach(async () => {
  service = await startHttpService();
});

afterEach(async () => {
  for (const line of lines.splice(0)) line.close();
  await service.stop();
});

async function save(hostname: string, labels: object, account = 'crm'): Promise<void> {
  const { statusCode } = await service.request({
    method: 'POST',
    url: `/api/v1/objects/${hostname}`,
    payload: { account, labels },
  });
  expect(statusCode).toBe(200);
}

async function follow(since: string, user = 'root', more = '') {
  const answer = await service.request({ url: `${CHANGES}?since=${since}${more}`, user });
  expect([answer.statusCode, answer.body]).toEqual([200, answer.body]);
  return answer.json();
}

async function kindsOf(since: string, user = 'root') {
  const { changes } = await follow(since, user);
  return changes.map(({ kind, hostname }: { kind: string; hostname: string }) => `${kind} ${hostname}`);
}

describe('changes behind a cursor', () => {
  it('come oldest first, with the whole host where that is needed, and go on where the answer ended', async () => {
    await save('web01.example.org', { role: 'web' });
    const first = await follow('start');
    expect(first).toEqual({
      changes: [
        {
          id: expect.any(String),
          cursor: first.next,
          hostname: 'web01.example.org',
          time: '2026-03-01T12:00:00Z',
          kind: 'created',
          by: 'user:root',
          changes: [],
          host: { account: 'crm', is_object: false, labels: { role: 'web' }, inventory: {}, archive: null },
        },
      ],
      next: expect.any(String),
      more: false,
    });
    await save('web01.example.org', { role: 'proxy' });
    await save('db01.example.org', {});
    const second = await follow(first.next, 'root', '&limit=1');
    expect(second).toMatchObject({
      changes: [{ kind: 'labels', changes: [{ path: 'labels.role', before: 'web', after: 'proxy' }] }],
      more: true,
    });
    expect(second.changes[0]).not.toHaveProperty('host');
    expect(await kindsOf(second.next)).toEqual(['created db01.example.org']);
    const same = await service.request({ url: `${CHANGES}/feed?since=${first.next}&limit=1` });
    expect(same.json()).toEqual(second);
  });

  it('leave the list of changes as it is', async () => {
    await save('web01', {});
    await save('web01', { role: 'web' });
    const { changes, next } = (await service.request({ url: `${CHANGES}?limit=5` })).json();
    expect(changes.map(({ kind }: { kind: string }) => kind)).toEqual(['labels']);
    expect(next).toBeNull();
  });

  it('say what to do when they are no longer kept, and refuse what is no cursor', async () => {
    await save('web01', {});
    const { next } = await follow('start');
    await save('web02', {});
    await service.storage.history.prune(new Date('2027-01-01'));
    const gone = await service.request({ url: `${CHANGES}?since=${next}` });
    expect([gone.statusCode, gone.json()]).toEqual([
      410,
      { code: 'gone', message: expect.stringMatching(/since=now.*read all hosts.*go on/) },
    ]);
    expect((await service.request({ url: STREAM, headers: { 'last-event-id': next } })).statusCode).toBe(410);
    for (const since of ['', 'x', '2026-01-31']) {
      expect((await service.request({ url: `${CHANGES}?since=${since}` })).statusCode).toBe(400);
    }
    expect(await kindsOf('start')).toEqual([]);
  });

  it('need the role that hosts need', async () => {
    await service.addUser('anna', { api_roles: ['syncer'] });
    for (const url of [`${CHANGES}?since=now`, `${CHANGES}/feed`, STREAM]) {
      expect((await service.request({ url, user: 'anna' })).statusCode).toBe(401);
      expect((await service.request({ url, user: null })).statusCode).toBe(401);
    }
  });
});

describe('who is restricted to accounts', () => {
  beforeEach(async () => {
    await service.addAccount('shop');
    await service.addUser('anna', { api_roles: ['objects'], restrict_to_accounts: ['crm'] });
  });

  const idOf = async (name: string) => (await service.services.accounts.inScope(name, null)).id;
  async function moveTo(hostname: string, account: string): Promise<void> {
    const id = await idOf(account);
    await service.storage.hosts.saveLabels({
      account: { id, isObject: false, objectType: 'host' },
      entries: [{ hostname, labels: (await service.storage.hosts.find(hostname))?.labels as never }],
      takeOver: true,
      at: new Date('2026-03-01T13:00:00Z'),
      actor: { kind: 'user', name: 'root' },
    });
  }

  it('is told of the hosts of these accounts alone', async () => {
    await save('own', {});
    await save('foreign', {}, 'shop');
    await save('foreign', { secret: 1 }, 'shop');
    await save('own', { n: 1 });
    expect(await kindsOf('start', 'anna')).toEqual(['created own', 'labels own']);
  });

  it('does not count the changes of others by small pages', async () => {
    const pages = async () => {
      let [count, more, since] = [0, true, 'start'];
      for (; more; count++) ({ next: since, more } = await follow(since, 'anna', '&limit=1'));
      return count;
    };
    await save('own', {});
    await save('foreign', {}, 'shop');
    const before = await pages();
    for (let n = 0; n < 5; n++) await save('foreign', { n }, 'shop');
    expect(await pages()).toBe(before);
  });

  it('learns that a host left, and nothing else about it', async () => {
    await save('web01', { role: 'web' });
    const { next } = await follow('start', 'anna');
    await moveTo('web01', 'shop');
    await save('web01', { secret: 1 }, 'shop');
    const { changes } = await follow(next, 'anna');
    expect(changes).toEqual([
      {
        id: expect.any(String),
        cursor: expect.any(String),
        hostname: 'web01',
        time: '2026-03-01T13:00:00Z',
        kind: 'left',
        by: null,
        changes: [],
      },
    ]);
  });

  it('learns it by the name that it had, also where it was renamed or deleted for good since', async () => {
    await save('old', {});
    await save('gone', {});
    const { next } = await follow('start', 'anna');
    const by = { at: new Date('2026-03-01T13:00:00Z'), actor: { kind: 'user', name: 'root' } } as const;
    await service.storage.hosts.rename({ hosts: [{ from: 'old', to: 'new' }], ...by });
    await moveTo('new', 'shop');
    await moveTo('gone', 'shop');
    await service.storage.hosts.archive({ hostnames: ['gone'], by: 'operator', scope: null, ...by });
    await service.storage.hosts.purge({ hostnames: ['gone'], scope: null, ...by });
    await save('gone', { secret: 1 }, 'shop');
    expect(await kindsOf(next, 'anna')).toEqual(['left old', 'left new', 'left gone']);
  });

  it('gets a host that enters as a whole, without what it was before', async () => {
    await save('web01', { role: 'web' }, 'shop');
    const { next } = await follow('start', 'anna');
    await moveTo('web01', 'crm');
    const { changes } = await follow(next, 'anna');
    expect(changes).toMatchObject([
      { kind: 'entered', hostname: 'web01', changes: [], host: { account: 'crm', labels: { role: 'web' } } },
    ]);
  });

  it('learns of deletions of own hosts alone', async () => {
    await save('own', {});
    await save('foreign', {}, 'shop');
    const { next } = await follow('start', 'anna');
    const by = { at: new Date('2026-03-01T13:00:00Z'), actor: { kind: 'user', name: 'root' } } as const;
    await service.storage.hosts.archive({ hostnames: ['own', 'foreign'], by: 'operator', scope: null, ...by });
    await service.storage.hosts.purge({ hostnames: ['own', 'foreign'], scope: null, ...by });
    expect(await kindsOf(next, 'anna')).toEqual(['deleted own']);
  });
});

interface Listener {
  readonly response: IncomingMessage;
  text: string;
  ended: boolean;
  close(): void;
}

async function listen(path = STREAM, user = 'root', headers: Record<string, string> = {}): Promise<Listener> {
  if (!service.app.server.listening) await service.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = service.app.server.address() as { port: number };
  const request = httpRequest({
    port,
    host: '127.0.0.1',
    path,
    headers: { authorization: basic(user, PASSWORD), 'accept-encoding': 'gzip, br', ...headers },
  });
  request.on('error', () => undefined);
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const listener: Listener = { response, text: '', ended: false, close: () => request.destroy() };
  response.setEncoding('utf8');
  response.on('data', (piece: string) => {
    listener.text += piece;
  });
  response.on('error', () => undefined);
  response.on('close', () => {
    listener.ended = true;
  });
  lines.push(listener);
  return listener;
}

const eventually = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 50 });

function eventsIn({ text }: Listener) {
  return [...text.matchAll(/id: (.+)\nevent: change\ndata: (.+)\n\n/g)].map(([, id = '', data = '']) => {
    return { ...(JSON.parse(data) as { hostname: string; kind: string; cursor: string }), id };
  });
}

describe('changes as server-sent events', () => {
  it('come as they happen, not compressed, and go on behind the last one that was read', async () => {
    await save('before', {});
    const first = await listen();
    expect(first.response.statusCode).toBe(200);
    expect(first.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
    });
    expect(first.response.headers['content-encoding']).toBeUndefined();
    // The place to go on from is known before anything happens.
    await eventually(() => expect(first.text).toMatch(/\nid: \S+\n\n/));
    await save('web01', {});
    await save('web02', {});
    await eventually(() => expect(eventsIn(first)).toHaveLength(2));
    const [web01, web02] = eventsIn(first);
    expect([web01?.hostname, web02?.hostname]).toEqual(['web01', 'web02']);
    expect(web01?.id).toBe(web01?.cursor);
    const again = await listen(STREAM, 'root', { 'last-event-id': web01?.id ?? '' });
    await eventually(() => expect(eventsIn(again).map(({ hostname }) => hostname)).toEqual(['web02']));
    const whole = await listen(`${STREAM}?since=start`);
    await eventually(() =>
      expect(eventsIn(whole).map(({ hostname }) => hostname)).toEqual(['before', 'web01', 'web02']),
    );
  });

  it('end when the user may no longer see them', async () => {
    await service.addUser('anna', { api_roles: ['objects'] });
    const anna = await listen(STREAM, 'anna');
    const root = await listen();
    await removeUser('anna');
    await eventually(() => expect(anna.ended).toBe(true));
    expect(root.ended).toBe(false);
    await save('later', {});
    await eventually(() => expect(eventsIn(root)).toHaveLength(1));
    expect(eventsIn(anna)).toEqual([]);
  });

  it('end when the user would see other hosts than before', async () => {
    await service.addAccount('shop');
    await service.addUser('anna', { api_roles: ['objects'] });
    const anna = await listen(STREAM, 'anna');
    await changeUser('anna', { restrict_to_accounts: ['shop'] });
    await eventually(() => expect(anna.ended).toBe(true));
    await changeUser('anna', { api_roles: ['syncer'] });
    expect((await listen(STREAM, 'anna')).response.statusCode).toBe(401);
  });

  it('end when the service stops', async () => {
    const line = await listen();
    await service.app.close();
    await eventually(() => expect(line.ended).toBe(true));
  });

  it('are for a bounded number of listeners of each user', async () => {
    const open: Listener[] = [];
    for (let number = 0; number < 8; number++) open.push(await listen());
    const ninth = await listen();
    expect([ninth.response.statusCode, ninth.response.headers['retry-after']]).toEqual([429, '30']);
    open[0]?.close();
    await eventually(async () => expect((await listen()).response.statusCode).toBe(200));
  });

  it('say that they are gone when what comes next is no longer kept', async () => {
    const line = await listen();
    await eventually(() => expect(line.text).toMatch(/\nid: /));
    await service.storage.transfer.clear();
    await eventually(() => expect(line.text).toMatch(/event: gone\ndata: \{"code":"gone"/));
    await eventually(() => expect(line.ended).toBe(true));
  });
});

async function changeUser(name: string, members: object): Promise<void> {
  const { rules } = service.storage;
  const user = (await rules.list('users')).find((candidate) => candidate.name === name);
  const document = StoredJson.ofValue({ ...user?.document.value, ...members });
  await rules.write({
    entries: [{ type: 'users', id: user?.id ?? '', name, uniqueName: true, document, confirmedBy: 'operator' }],
    mode: 'replace',
    actor: { kind: 'system', name: 'test' },
    at: new Date(),
  });
}

async function removeUser(name: string): Promise<void> {
  const users = await service.services.users.list();
  const id = users.find((user) => user.name === name)?.id ?? '';
  await service.storage.rules.remove({ type: 'users', id, at: new Date(), actor: { kind: 'system', name: 'test' } });
}
