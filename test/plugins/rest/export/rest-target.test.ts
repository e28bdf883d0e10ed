import { afterEach, describe, expect, it } from 'vitest';
import { EXAMPLE } from '../../../../src/plugins/rest/export/example.ts';
import {
  type Change,
  type ChangeOutcome,
  type JsonObject,
  type JsonValue,
  type ObjectTarget,
  type RemoteGap,
  type RemoteObject,
  StoredJson,
  type TargetRecord,
} from '../../../../src/ports/index.ts';
import { type AnsweringServer, faultyServer, send } from '../../../../src/testing/faulty-server.ts';
import { inEnglish } from '../../../support/english-wordings.ts';
import { openTarget } from './target-account.ts';

type Answer = { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: JsonValue };

const servers: AnsweringServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** A server whose answers are looked up by method and path; 404 else. */
async function serve(answers: Readonly<Record<string, Answer>>): Promise<AnsweringServer> {
  const server = await faultyServer((response, { method, path }) => {
    const { status = 200, headers = {}, body } = answers[`${method} ${path}`] ?? { status: 404 };
    return send(response, { status, headers, body: body === undefined ? '' : JSON.stringify(body) });
  });
  servers.push(server);
  return server;
}

const KIND = {
  kind: 'device',
  title: 'Devices',
  read: { path: 'devices' },
  key: 'name',
  fields: { os: {} },
  wanted: { key: '{{ HOSTNAME }}', fields: { os: '{{ os }}' } },
};

const open = (kinds: readonly object[], url = 'http://127.0.0.1:1', more: object = {}): Promise<ObjectTarget> =>
  openTarget({ url, objects: JSON.stringify(kinds), ...more });

function record(variables: JsonObject, more: Partial<TargetRecord> = {}): TargetRecord {
  const host = { hostname: 'web1', groups: ['web'], objectType: 'host', isObject: false, outcomes: {} };
  return { ...host, variables: StoredJson.ofValue(variables), ...more };
}

async function read(target: ObjectTarget): Promise<readonly (RemoteObject | RemoteGap)[]> {
  const found: (RemoteObject | RemoteGap)[] = [];
  for await (const batch of target.read({ signal: new AbortController().signal, progress() {} })) found.push(...batch);
  return found;
}

function apply(
  target: ObjectTarget,
  change: Partial<Change> | readonly Partial<Change>[],
  ids: Record<string, string> = {},
): Promise<readonly ChangeOutcome[]> {
  const whole = [change]
    .flat()
    .map((each): Change => ({ action: 'create', kind: 'device', key: 'web1', fields: {}, after: [], ...each }));
  const context = {
    signal: new AbortController().signal,
    progress() {},
    idOf: (_kind: string, key: string) => ids[key],
  };
  return target.apply(whole, context);
}

const sent = (server: AnsweringServer) =>
  server.requests.map(({ method, path, body }) => [`${method} ${path}`, body === '' ? null : JSON.parse(body)]);

describe('the example that the form offers', () => {
  const openExample = (url: string) => openTarget({ url, objects: EXAMPLE });

  it('reads, makes, changes and deletes objects of a plain REST interface', async () => {
    const results = [
      { id: 7, name: 'web1', managed_by: 'muster', ip: '10.0.0.1', site: 'fra' },
      { id: 8, name: 'router', managed_by: 'people' },
    ];
    const server = await serve({
      'GET /servers': { body: { results } },
      'POST /servers': { status: 201, body: { id: 9 } },
      'PATCH /servers/7': { body: {} },
      'DELETE /servers/7': { status: 204 },
    });
    const target = await openExample(server.address);
    expect(await read(target)).toMatchObject([
      { kind: 'server', key: 'web1', id: '7', owner: 'us', fields: { ip: '10.0.0.1', site: 'fra' } },
      { kind: 'server', key: 'router', id: '8', owner: 'other' },
    ]);
    expect(target.wanted(record({ ip: '10.0.0.2', site: 'fra' }))).toEqual([
      { kind: 'server', key: 'web1', fields: { ip: '10.0.0.2', site: 'fra' } },
    ]);
    const there = { id: '7', kind: 'server' } as const;
    await apply(target, { kind: 'server', key: 'web2', fields: { ip: '10.0.0.3' } });
    await apply(target, { ...there, action: 'update', fields: { ip: '10.0.0.2' } });
    await apply(target, { ...there, action: 'delete' });
    expect(sent(server).slice(1)).toEqual([
      ['POST /servers', { name: 'web2', managed_by: 'muster', ip: '10.0.0.3' }],
      ['PATCH /servers/7', { ip: '10.0.0.2' }],
      ['DELETE /servers/7', null],
    ]);
  });
});

describe('what a host wants', () => {
  it('keeps values what they are, and leaves out what it does not have', async () => {
    const fields = { os: {}, cores: {}, disks: {}, text: {}, missing: {} };
    const wanted = {
      key: '{{ HOSTNAME }}',
      fields: {
        os: '{{ facts.os }}',
        cores: '{{ cores }}',
        disks: '{{ disks }}',
        text: '{{ cores }} of {{ GROUPS[0] }}',
        missing: '{{ nothing }}',
      },
    };
    const target = await open([{ ...KIND, fields, wanted }]);
    expect(target.wanted(record({ 'facts.os': 'debian', cores: 8, disks: ['a', 'b'] }))).toEqual([
      { kind: 'device', key: 'web1', fields: { os: 'debian', cores: 8, disks: ['a', 'b'], text: '8 of web' } },
    ]);
  });

  it('is no template, whatever it looks like', async () => {
    const target = await open([KIND]);
    const [object] = target.wanted(record({ os: '{{ HOSTNAME }}{% raw %}' }));
    expect(object?.fields).toEqual({ os: '{{ HOSTNAME }}{% raw %}' });
  });

  it('depends on conditions, on the type of the record, and on lists', async () => {
    const wanted = {
      ...KIND.wanted,
      key: '{{ item.name }}',
      each: 'ports',
      when: '{{ item.up }}',
      of: ['host', 'switch'],
    };
    const target = await open([{ ...KIND, wanted }]);
    const ports = [
      { name: 'eth0', up: true },
      { name: 'eth1', up: false },
    ];
    expect(target.wanted(record({ ports })).map(({ key }) => key)).toEqual(['eth0']);
    expect(target.wanted(record({ ports }, { objectType: 'switch', isObject: true })).length).toBe(1);
    expect(target.wanted(record({ ports }, { objectType: 'network', isObject: true }))).toEqual([]);
    expect(target.wanted(record({}))).toEqual([]);
  });

  it('fails for a host whose values a template cannot take', async () => {
    const target = await open([{ ...KIND, wanted: { key: 'x', fields: { os: '{{ os }} {{ version }}' } } }]);
    expect(() => target.wanted(record({ os: 'debian' }))).toThrow(/device\.wanted\.fields\.os: .*version/);
  });

  it('is what rules of the target decided, before variables, and names the rule', async () => {
    const rule = (id: string) => ({ id, name: id });
    const outcomes = {
      rest_target_values: [
        { rule: rule('r1'), value: { os: 'debian', nothing: 1 } },
        { rule: rule('r2'), value: { os: 'rocky' } },
        { rule: rule('r3'), value: { nothing: 2 } },
      ],
    };
    const fields = { os: '{{ os }}', from: '{{ OUTCOMES.os }}' };
    const target = await open([{ ...KIND, fields: { os: {}, from: {} }, wanted: { key: '{{ HOSTNAME }}', fields } }]);
    expect(target.wanted(record({ os: 'label' }, { outcomes }))).toEqual([
      { kind: 'device', key: 'web1', fields: { os: 'rocky', from: 'rocky' }, rule: 'r2' },
    ]);
    expect(target.wanted(record({ os: 'label' }))).toEqual([{ kind: 'device', key: 'web1', fields: { os: 'label' } }]);
  });

  it('shows parameters, and no secret', async () => {
    const wanted = {
      key: '{{ HOSTNAME }}',
      fields: { os: '{{ PARAMETERS.mark }}{{ PARAMETERS.password | default("-") }}' },
    };
    const target = await open([{ ...KIND, wanted }], undefined, { parameters: 'mark=muster' });
    expect(target.wanted(record({}))[0]?.fields).toEqual({ os: 'muster-' });
  });
});

const SITES = {
  kind: 'site',
  title: 'Sites',
  read: { path: 'sites' },
  key: 'name',
  numeric_ids: true,
  wanted: { key: '{{ site }}' },
};
const WITH_SITE = {
  ...KIND,
  fields: { site: { member: 'site_id', reference: 'site' } },
  wanted: { key: '{{ HOSTNAME }}', fields: { site: '{{ site }}' } },
  create: { path: 'devices', body: { name: '{{ key }}', site_id: '{{ fields.site }}' } },
};

describe('fields that refer to other objects', () => {
  it('have keys here and ids there, and come after those', async () => {
    const server = await serve({
      'GET /sites': { body: [{ id: 7, name: 'berlin' }] },
      'GET /devices': {
        body: [
          { id: 1, name: 'web1', site_id: 7 },
          { id: 2, name: 'web2', site_id: 8 },
          { id: 3, name: 'web3', site_id: null },
        ],
      },
      'POST /devices': { status: 201, body: { id: 4 } },
    });
    const target = await open([SITES, WITH_SITE], server.address);
    const found = (await read(target)).flatMap((item) => ('fields' in item ? [[item.key, item.fields]] : []));
    expect(found).toEqual([
      ['berlin', {}],
      ['web1', { site: 'berlin' }],
      ['web2', { site: '8' }],
      ['web3', { site: null }],
    ]);
    expect(target.wanted(record({ site: 'berlin' }))[1]?.after).toEqual([{ kind: 'site', key: 'berlin' }]);
    const fields = { site: 'berlin' };
    expect(await apply(target, { fields }, { berlin: '7' })).toEqual([{ done: true, id: '4' }]);
    expect(sent(server).at(-1)).toEqual(['POST /devices', { name: 'web1', site_id: 7 }]);
    expect(await apply(target, { fields })).toEqual([
      { done: false, code: 'refused', reason: 'site berlin, which site refers to, is not there' },
    ]);
  });

  it('are a gap when those could not be read', async () => {
    const server = await serve({ 'GET /sites': { status: 403 }, 'GET /devices': { body: [{ id: 1, name: 'web1' }] } });
    const found = await read(await open([SITES, WITH_SITE], server.address));
    expect(inEnglish(found)).toEqual([
      { gap: 'Sites', reason: expect.stringContaining('403'), kinds: ['site'] },
      { gap: 'Devices', reason: expect.stringContaining('site'), kinds: ['device'] },
    ]);
  });

  it('refer to kinds before them only', async () => {
    await expect(open([WITH_SITE, SITES])).rejects.toThrow(
      'device.site refers to site, which is not a kind before device',
    );
  });
});

describe('requests that write', () => {
  const writes = (action: string, request: object) => ({ ...KIND, [action]: request });

  it('encode data in paths, and refuse what would lead elsewhere', async () => {
    const server = await serve({});
    const target = await open([writes('delete', { path: 'devices/{{ id }}' })], server.address);
    for (const id of ['a/b', '../x', 'ä?c#d%e']) await apply(target, { action: 'delete', id });
    expect(sent(server).map(([line]) => line)).toEqual([
      'DELETE /devices/a%2Fb',
      'DELETE /devices/..%2Fx',
      'DELETE /devices/%C3%A4%3Fc%23d%25e',
    ]);
    for (const id of ['.', '..', '']) {
      const [outcome] = await apply(target, { action: 'delete', id });
      expect(outcome).toMatchObject({ done: false, code: 'refused' });
    }
    expect(server.requests.length).toBe(3);
  });

  it('put data into documents as values', async () => {
    const server = await serve({ 'POST /devices': { body: { id: 'x' } } });
    const body = { name: 'Host {{ key }}', '...': '{{ fields }}', mark: '{{ account }}', old: '{{ before.os }}' };
    const target = await open([writes('create', { path: 'devices', body })], server.address);
    await apply(target, {
      key: '", "admin": true, "x": "',
      fields: { os: '{{ password }}', __proto__x: [1, { a: null }] },
    });
    expect(sent(server)).toEqual([
      [
        'POST /devices',
        { name: 'Host ", "admin": true, "x": "', os: '{{ password }}', __proto__x: [1, { a: null }], mark: 'out' },
      ],
    ]);
  });

  it('take no text in which a value would become syntax', async () => {
    const create = { path: 'devices', body: '<device name="{{ key }}"/>' };
    await expect(open([writes('create', create)])).rejects.toThrow('device.create.body must be a document');
  });

  it('send the version of the object, and find id and version in the head', async () => {
    const server = await serve({
      'POST /devices': { status: 201, headers: { location: '/api/devices/d%209?x=1', etag: '"1"' } },
      'PUT /devices/d1': { status: 204 },
    });
    const kind = {
      ...KIND,
      etag: 'version',
      create: { path: 'devices', body: {}, id: 'header:location' },
      update: {
        method: 'put',
        path: 'devices/{{ id }}',
        headers: { 'X-Reason': 'os of {{ key }}' },
        body: '{{ fields }}',
      },
    };
    const target = await open([kind], server.address);
    expect(await apply(target, {})).toEqual([{ done: true, id: 'd 9', etag: '"1"' }]);
    const change = { action: 'update', id: 'd1', etag: '"7"', fields: { os: 'rocky' } } as const;
    expect(await apply(target, change)).toEqual([{ done: true, id: 'd1', etag: '"7"' }]);
    expect(server.requests.at(-1)?.headers).toMatchObject({ 'if-match': '"7"', 'x-reason': 'os of web1' });
  });

  it.each([
    [404, 'delete', 'gone'],
    [410, 'update', 'gone'],
    [404, 'create', 'refused'],
    [409, 'create', 'exists'],
    [409, 'update', 'changed'],
    [412, 'update', 'changed'],
    [403, 'create', 'refused'],
    [429, 'create', 'not_tried'],
  ] as const)('answered with %i: %s is %s', async (status, action, code) => {
    const server = await faultyServer((response) => send(response, { status, body: '{"error": "no"}' }));
    servers.push(server);
    const target = await open([writes(action, { path: 'devices', method: 'POST', body: {} })], server.address);
    const known = action === 'create' ? {} : { id: '1' };
    expect(await apply(target, { action, ...known })).toEqual([
      { done: false, code, reason: expect.stringMatching(/./) },
    ]);
  });

  it('say what the answer says, also where its status is none of an error', async () => {
    const server = await serve({
      'POST /devices': { body: { items: [{ operation: 'UPDATE', errors: [] }], message: '' } },
    });
    const expecting = {
      path: 'devices',
      body: {},
      error: 'items[].errors',
      expect: { member: 'items[].operation', is: 'INSERT', else: 'exists' },
    };
    const target = await open([writes('create', expecting)], server.address);
    expect(await apply(target, {})).toEqual([
      { done: false, code: 'exists', reason: 'the answer has UPDATE at items[].operation, and not INSERT' },
    ]);
    const failing = { ...expecting, error: 'items[].operation' };
    const [outcome] = await apply(await open([writes('create', failing)], server.address), {});
    expect(outcome).toMatchObject({ code: 'refused', reason: 'the system says: UPDATE' });
  });

  it('throw where nobody knows what was done, and for a login that is refused', async () => {
    for (const status of [500, 503, 401]) {
      const server = await serve({ 'POST /devices': { status } });
      const target = await open([writes('create', { path: 'devices', body: {} })], server.address);
      await expect(apply(target, {})).rejects.toThrow(String(status));
      expect(server.requests.length).toBe(1);
    }
  });

  it('are several for one change: of what was made in part the id is known', async () => {
    const server = await serve({
      'POST /devices': { body: { id: 5 } },
      'GET /devices/5/os': { body: { entries: [{ id: 12 }] } },
      'PUT /devices/5/os/12': { status: 422, body: { error: 'no such os' } },
    });
    const create = [
      { path: 'devices', body: { name: '{{ key }}' } },
      { path: 'devices/{{ id }}/os', method: 'GET', when: 'os', as: { entry: 'entries[].id' } },
      { path: 'devices/{{ id }}/os/{{ entry }}', method: 'PUT', when: 'os', body: { name: '{{ fields.os }}' } },
    ];
    const target = await open([writes('create', create)], server.address);
    expect(await apply(target, { fields: {} })).toEqual([{ done: true, id: '5' }]);
    expect(await apply(target, { fields: { os: 'plan9' } })).toEqual([
      { done: false, code: 'refused', id: '5', reason: expect.stringMatching(/^it was made, and not all.*no such os/) },
    ]);
    expect(sent(server).at(-1)).toEqual(['PUT /devices/5/os/12', { name: 'plan9' }]);
  });

  it('are nobody’s knowledge when the answer is what a template breaks off on, and not refused', async () => {
    const server = await serve({
      'POST /devices': { status: 201, headers: { location: '/devices/50%' }, body: { name: 'web1' } },
    });
    const made = { path: 'devices', body: {}, id: 'header:location' };
    expect(await apply(await open([writes('create', made)], server.address), {})).toEqual([{ done: true, id: '50%' }]);
    const expecting = { ...made, expect: { member: 'name', is: '{{ nothing.at }} all' } };
    const create = { ...expecting, many: { size: 5, each: {} } };
    for (const request of [expecting, create]) {
      const target = await open([writes('create', request)], server.address);
      await expect(apply(target, {})).rejects.toThrow(/device\.create\.expect: /);
    }
  });

  it('fail alone for a change that a template cannot take, before anything is sent', async () => {
    const server = await serve({ 'POST /devices': { body: [{ id: 'd2' }] } });
    const each = { name: '{{ key }} {{ fields.os.name }}' };
    const create = { path: 'devices', body: '{{ objects }}', many: { size: 5, each } };
    const target = await open([writes('create', create)], server.address);
    const fields = { os: { name: 'debian' } };
    expect(await apply(target, [{ key: 'web1' }, { key: 'web2', fields }])).toEqual([
      { done: false, code: 'refused', reason: expect.stringMatching(/^objects device\.create\.each\.name: /) },
      { done: true, id: 'd2' },
    ]);
    expect(sent(server)).toEqual([['POST /devices', [{ name: 'web2 debian' }]]]);
    const headers = { 'X-Key': '{{ key }}' };
    const single = await open([writes('create', { path: 'devices', body: {}, headers })], server.address);
    const [outcome] = await apply(single, { key: 'web✓' });
    expect(outcome).toMatchObject({ code: 'refused', reason: expect.stringContaining('headers cannot have') });
    expect(server.requests.length).toBe(1);
  });

  it('are missing for what an account does not want to do', async () => {
    const [outcome] = await apply(await open([KIND]), { action: 'delete', id: '1' });
    expect(outcome).toMatchObject({ code: 'refused', reason: expect.stringContaining('objects need delete') });
  });
});

describe('objects as the system has them', () => {
  it('are ours, of others or nobody’s by a mark, and values are as the field says', async () => {
    const server = await serve({
      'GET /devices': {
        body: [
          { id: 1, name: 'a', tags: [{ name: 'x' }, { name: 'muster' }], cores: '8', on: 1 },
          { id: 2, name: 'b', tags: [{ name: 'theirs' }], cores: '', on: 'no' },
          { id: 3, name: 'c', tags: [], cores: 'many' },
          { id: 4, name: '' },
          { name: 'without an id' },
          { id: 6, name: 'two\nlines' },
        ],
      },
    });
    const kind = {
      ...KIND,
      owner: { member: 'tags[].name', ours: '{{ mark }}' },
      fields: { cores: { type: 'number' }, on: { type: 'flag' }, secret: { member: null, secret: true } },
      wanted: { key: '{{ HOSTNAME }}', fields: { cores: '{{ cores }}' } },
    };
    const target = await open([kind], server.address, { parameters: 'mark=muster' });
    expect(await read(target)).toEqual([
      { kind: 'device', key: 'a', id: '1', owner: 'us', fields: { cores: 8, on: true } },
      { kind: 'device', key: 'b', id: '2', owner: 'other', fields: { cores: null, on: false } },
      { kind: 'device', key: 'c', id: '3', owner: 'nobody', fields: { cores: 'many' } },
    ]);
    expect(target.wanted(record({ cores: '8' }))[0]?.fields).toEqual({ cores: 8 });
  });

  it('may have a key that a template makes of their members', async () => {
    const server = await serve({ 'GET /devices': { body: [{ id: 1, name: 'eth0', 'device.name': 'web1' }] } });
    const target = await open([{ ...KIND, key: "{{ attributes['device.name'] }}/{{ name }}" }], server.address);
    expect(await read(target)).toMatchObject([{ key: 'web1/eth0' }]);
  });
});

it.each([
  ['', 'objects is missing'],
  ['[', 'objects cannot be read'],
  ['[]', 'needs at least one kind'],
  [JSON.stringify([{ ...KIND, colour: 1 }]), 'Unrecognized key: "colour"'],
  [JSON.stringify([{ ...KIND, wanted: { key: 'x', fields: { cores: 1 } } }]), 'cores, which is not among its fields'],
  [JSON.stringify([{ ...KIND, key: '{{ name' }]), 'objects device.key does not compile'],
])('declarations that cannot work say where: %s', async (objects, message) => {
  await expect(openTarget({ url: 'http://127.0.0.1:1', objects })).rejects.toThrow(message);
});

describe('several changes by several requests', () => {
  const MANY = {
    ...KIND,
    create: [
      {
        path: 'try',
        body: '{{ objects }}',
        many: { size: 2, each: { at: '{{ index }}', name: '{{ key }}' }, position: 'at[]' },
        error: 'error',
        expect: { member: 'known', is: [], else: 'exists', reason: 'it is known' },
        as: { mark: 'mark' },
      },
      {
        path: 'make',
        body: '{{ objects }}',
        many: { size: 2, each: { name: '{{ key }}', mark: '{{ mark }}' } },
        id: 'id',
      },
    ],
  };
  const create = (key: string): Change => ({ action: 'create', kind: 'device', key, fields: {}, after: [] });
  const context = { signal: new AbortController().signal, progress() {}, idOf: () => undefined };

  it('go on with what the first one took, whatever the order of its answers is', async () => {
    const server = await serve({
      'POST /try': {
        body: [
          { at: [1], known: 7 },
          { at: [0], mark: 'm0' },
        ],
      },
      'POST /make': { body: [{ id: 1 }] },
    });
    const target = await open([MANY], server.address);
    expect(await target.apply([create('a'), create('b')], context)).toEqual([
      { done: true, id: '1' },
      { done: false, code: 'exists', reason: 'it is known' },
    ]);
    expect(sent(server)).toEqual([
      [
        'POST /try',
        [
          { at: 0, name: 'a' },
          { at: 1, name: 'b' },
        ],
      ],
      ['POST /make', [{ name: 'a', mark: 'm0' }]],
    ]);
  });

  it('say which are one object for the system, and which nobody knows of', async () => {
    const server = await serve({
      'POST /try': { body: [{ at: [0, 1] }] },
      'POST /make': { body: [{ id: 1 }] },
    });
    const target = await open([MANY], server.address);
    expect(await target.apply([create('a'), create('b')], context)).toEqual([
      { done: true, id: '1' },
      { done: false, code: 'refused', reason: 'the system takes it and a for one object' },
    ]);
    const silent = await serve({
      'POST /try': { body: [{ at: [0], known: 1 }, { at: [1] }] },
      'POST /make': { body: [] },
    });
    expect(await (await open([MANY], silent.address)).apply([create('a'), create('b')], context)).toMatchObject([
      { code: 'exists' },
      { code: 'unknown', reason: expect.stringContaining('has 0 of them') },
    ]);
  });

  it('are tried alone where a request as a whole is refused', async () => {
    const server = await serve({ 'POST /try': { status: 422 } });
    const target = await open([MANY], server.address);
    expect(await target.apply([create('a'), create('b')], context)).toMatchObject([
      { code: 'not_tried' },
      { code: 'not_tried' },
    ]);
    expect(await target.apply([create('a')], context)).toMatchObject([{ code: 'refused' }]);
  });

  it('must all be such requests', async () => {
    await expect(open([{ ...MANY, create: [MANY.create[0] ?? {}, { path: 'x' }] }])).rejects.toThrow('or none has');
  });
});

it('a request may need what does not change, with ids for what other objects are', async () => {
  const server = await serve({ 'PATCH /devices/1': { body: {} } });
  const update = { path: 'devices/{{ id }}', body: { '...': ['{{ current }}', '{{ fields }}'] } };
  const target = await open([SITES, { ...WITH_SITE, fields: { ...WITH_SITE.fields, os: {} }, update }], server.address);
  const change = {
    action: 'update',
    id: '1',
    fields: { os: 'b' },
    current: { os: 'a', site: 'berlin', gone: 1 },
  } as const;
  expect(await apply(target, change, { berlin: '7' })).toMatchObject([{ done: true }]);
  expect(sent(server)).toEqual([['PATCH /devices/1', { os: 'b', site: 7, gone: 1 }]]);
});

it('a kind may be several lists', async () => {
  const server = await serve({
    'GET /a': { body: [{ id: 1, name: 'x' }] },
    'GET /b': { body: [{ id: 2, name: 'y' }] },
  });
  const read_ = { ...KIND, read: { path: '{{ part }}', repeat: 'part' } };
  const target = await open([read_], server.address, { parameters: 'part=a,b,c' });
  expect(await read(target)).toMatchObject([{ key: 'x' }, { key: 'y' }, { gap: 'Devices', kinds: ['device'] }]);
});

it('an object whose key may be in an answer that fails is not taken for one that is not there', async () => {
  const server = await serve({
    'GET /devices': { body: [{ id: 1 }, { id: 2 }] },
    'GET /devices/1': { body: { name: 'x' } },
  });
  const target = await open([{ ...KIND, read: { path: 'devices' }, join: [{ path: 'devices/{id}' }] }], server.address);
  expect(inEnglish(await read(target))).toMatchObject([
    { key: 'x' },
    { gap: 'what belongs to device', kinds: ['device'] },
  ]);
});
