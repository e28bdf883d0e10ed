import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic, type HttpService, PASSWORD, startHttpService } from './http-service.ts';

const CREDENTIALS = basic('root', PASSWORD);
let service: HttpService;
let port: number;

beforeAll(async () => {
  service = await startHttpService({ config: { MAX_BODY_BYTES: 4096, RATE_LIMIT_401_PER_MINUTE: 0 } });
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  port = (service.app.server.address() as { port: number }).port;
});

afterAll(() => service.stop());

function post(url: string, payload: string | Buffer | Readable, headers: Record<string, string> = {}) {
  return service.request({ method: 'POST', url, payload, headers: { 'content-type': 'application/json', ...headers } });
}

/** Sends bytes as they are and answers everything that comes back until the connection closes. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.on('end', () => resolve(answer)).on('error', reject);
  });
}

function rawGet(path: string): Promise<string> {
  return raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${CREDENTIALS}\r\nConnection: close\r\n\r\n`);
}

/** Test clients tidy up paths such as `/..`; this one does not. */
function rawPost(path: string, body: string): Promise<string> {
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${CREDENTIALS}\r\nConnection: close\r\n`;
  return raw(`${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function jsonOf(answer: string): unknown {
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
}

describe('every answer', () => {
  it.each([
    ['GET', '/api/v1/syncer/hosts', 200],
    ['GET', '/api/v1/objects/none', 404],
    ['GET', '/nothing', 404],
    ['PUT', '/api/v1/syncer/hosts', 405],
    ['GET', '/api/v1/objects/%zz', 400],
    ['GET', '/healthz', 200],
  ])('to %s %s carries a request id of its own', async (method, url, status) => {
    const answer = await service.request({ method: method as 'GET', url, headers: { 'x-request-id': 'forged' } });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    if (status >= 400) expect(answer.json()).toEqual({ message: expect.any(String), code: expect.any(String) });
  });

  it('to something that is no HTTP, too', async () => {
    const answer = await raw('NONSENSE\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/X-Request-Id: \S+/);
    expect(jsonOf(answer)).toMatchObject({ code: 'invalid_input' });
  });

  it('to a head that is too large, too', async () => {
    const answer = await raw(`GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toMatch(/X-Request-Id: \S+/);
  });
});

describe('hostnames in paths', () => {
  it.each([
    'web1',
    'Web1',
    'a.b.example',
    'ümlaut',
    '日本',
    '🙂',
    '50%',
    'a b',
    '...',
    '__proto__',
    'a?b#c',
    '%2F',
    "o'x",
    'a\\b',
  ])('%j are decoded once', async (hostname) => {
    const url = `/api/v1/objects/${encodeURIComponent(hostname)}`;
    const body = JSON.stringify({ account: 'crm', labels: { a: hostname } });
    expect(jsonOf(await rawPost(url, body))).toEqual({ status: 'saved' });
    const answer = await rawGet(url);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(jsonOf(answer)).toMatchObject({ hostname, labels: { a: hostname } });
  });

  it.each([
    ['a slash', 'a%2Fb'],
    ['a control character', 'a%0Ab'],
    ['more than 253 characters', 'x'.repeat(254)],
    ['white space only', '%20'],
  ])('with %s are refused', async (_what, name) => {
    const answer = await post(`/api/v1/objects/${name}`, '{"account":"crm","labels":{}}');
    expect(answer.statusCode).toBe(400);
    expect((await service.request({ url: `/api/v1/objects/${name}` })).statusCode).toBe(404);
  });

  it('of 253 characters of four bytes each are legal', async () => {
    const url = `/api/v1/objects/${encodeURIComponent('🙂'.repeat(253))}`;
    expect((await post(url, '{"account":"crm","labels":{}}')).statusCode).toBe(200);
    expect((await service.request({ url })).json().hostname).toBe('🙂'.repeat(253));
  });

  it.each(['%', '%zz', '%e4', 'a%2', '%c3%28'])('%s is malformed', async (name) => {
    expect((await service.request({ url: `/api/v1/objects/${name}` })).statusCode).toBe(400);
  });

  it('do not reach fixed paths', async () => {
    for (const url of ['/api/v1/objects/all', '/api/v1/objects/bulk']) {
      const answer = await service.request({ method: 'DELETE', url });
      expect(answer.statusCode).toBe(405);
    }
    expect((await service.request({ url: '/api/v1/objects/bulk' })).headers.allow).toBe('POST');
  });

  it('must be there', async () => {
    expect((await service.request({ url: '/api/v1/objects/' })).statusCode).toBe(404);
    expect((await service.request({ url: '/api/v1/objects' })).statusCode).toBe(404);
    expect((await service.request({ url: '/api/v1/syncer/hosts/' })).statusCode).toBe(404);
  });
});

describe('methods', () => {
  it.each([
    ['PUT', '/api/v1/objects/web1', 'DELETE, GET, HEAD, POST'],
    ['PATCH', '/api/v1/objects/web1', 'DELETE, GET, HEAD, POST'],
    ['POST', '/api/v1/objects/all', 'GET, HEAD'],
    ['GET', '/api/v1/objects/bulk', 'POST'],
    ['OPTIONS', '/api/v1/syncer/hosts', 'GET, HEAD'],
    ['POST', '/api/v1/inventory/automation/automation', 'GET, HEAD'],
    ['POST', '/api/v1/rules/types', 'GET, HEAD'],
    ['GET', '/api/v1/rules/import', 'POST'],
    ['POST', '/healthz', 'GET, HEAD'],
  ])('%s %s is answered with what is possible', async (method, url, allow) => {
    const answer = await service.request({ method: method as 'GET', url });
    expect(answer.statusCode).toBe(405);
    expect(answer.headers.allow).toBe(allow);
    expect(answer.json()).toMatchObject({ code: 'method_not_allowed' });
  });

  it('HEAD answers as GET without a body', async () => {
    await post('/api/v1/objects/head1', '{"account":"crm","labels":{}}');
    for (const url of [
      '/api/v1/objects/head1',
      '/api/v1/objects/all',
      '/api/v1/inventory/automation/automation',
      '/docs/openapi',
    ]) {
      const get = await service.request({ url });
      const head = await service.request({ method: 'HEAD', url });
      expect([head.statusCode, head.body]).toEqual([200, '']);
      expect(head.headers['content-type']).toBe(get.headers['content-type']);
      expect(head.headers.etag).toBe(get.headers.etag);
    }
    expect((await service.request({ method: 'HEAD', url: '/api/v1/objects/none' })).statusCode).toBe(404);
  });
});

describe('bodies', () => {
  const url = '/api/v1/objects/body1';
  const good = '{"account":"crm","labels":{}}';

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    'of type %s are read',
    async (type) => {
      expect((await post(url, good, { 'content-type': type })).statusCode).toBe(200);
    },
  );

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json; charset=utf-16',
    'nonsense',
    '',
  ])('of type %j are refused', async (type) => {
    const answer = await post(url, good, { 'content-type': type });
    expect(answer.statusCode).toBe(415);
    expect(answer.json()).toMatchObject({ code: 'unsupported_media_type' });
  });

  it.each([
    ['gzip', gzipSync],
    ['X-GZip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('that are compressed by %s are unpacked', async (coding, pack) => {
    const answer = await post(url, pack(good), { 'content-encoding': coding });
    expect(answer.statusCode, answer.body).toBe(200);
    const head = { 'content-encoding': coding, 'transfer-encoding': 'chunked' };
    const chunked = await post(url, Readable.from([pack(good)]), head);
    expect(chunked.statusCode, chunked.body).toBe(200);
  });

  it('that are compressed otherwise, or not at all, or cut off, are refused', async () => {
    expect((await post(url, good, { 'content-encoding': 'identity' })).statusCode).toBe(200);
    const unknown = await post(url, gzipSync(good), { 'content-encoding': 'compress' });
    expect(unknown.statusCode).toBe(415);
    expect(unknown.json().message).toMatch(/^Content-Encoding compress is not supported; .*gzip, deflate, br/);
    expect((await post(url, gzipSync(good), { 'content-encoding': 'gzip, gzip' })).statusCode).toBe(415);
    for (const body of [good, gzipSync(good).subarray(0, 20), Buffer.alloc(3)]) {
      const answer = await post(url, body, { 'content-encoding': 'gzip' });
      expect(answer.statusCode, answer.body).toBe(400);
      expect(answer.json()).toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('not compressed as'),
      });
    }
  });

  it('that unpack to more than a body may have are refused, however small they come', async () => {
    const bomb = gzipSync(Buffer.alloc(3 * 1024 * 1024, ' '));
    const answer = await post(url, bomb, { 'content-encoding': 'gzip' });
    expect(answer.statusCode, answer.body).toBe(413);
    expect(answer.json().message).toMatch(/^the body is larger than/);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', '{"account":'],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['deep nesting', '['.repeat(1000) + ']'.repeat(1000)],
    ['a name twice', '{"account":"crm","labels":{"a":"b","a":"c"}}'],
    ['a number with more digits than can be kept', '{"account":"crm","labels":{"serial":12345678901234567890}}'],
    ['a number that is too large', '{"account":"crm","labels":{"serial":1e400}}'],
    ['no labels', '{"account":"crm"}'],
    ['labels that are a list', '{"account":"crm","labels":[]}'],
    ['nested labels', '{"account":"crm","labels":{"a":{"b":1}}}'],
    ['an unknown account', '{"account":"nobody","labels":{}}'],
    ['an account that is no text', '{"account":1,"labels":{}}'],
  ])('with %s are refused', async (_what, payload) => {
    const answer = await post(url, payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ message: expect.stringMatching(/\w+/), code: 'invalid_input' });
  });

  it('name the place of what is wrong', async () => {
    const answer = await post('/api/v1/objects/bulk', '{"account":"crm","objects":[{"hostname":"a","labels":{}},{}]}');
    expect(answer.json().details).toContainEqual({ path: 'objects.1.hostname', message: expect.any(String) });
  });

  it('name what stands there twice', async () => {
    const hosts =
      '{"account":"crm","objects":[{"hostname":"n1","labels":{}},{"hostname":"n2","labels":{"a":1,"a":1}}]}';
    const answer = await post('/api/v1/objects/bulk', hosts);
    expect([answer.statusCode, answer.json().details]).toMatchObject([400, [{ path: 'objects.1.labels.a' }]]);
    expect((await service.request({ url: '/api/v1/objects/n1' })).statusCode).toBe(404);
  });

  it('change no number silently', async () => {
    const serial = '{"serial":[1,12345678901234567890]}';
    const single = await post(url, `{"account":"crm","labels":${serial}}`);
    expect(single.json()).toMatchObject({
      message: expect.stringMatching(/"serial".*12345678901234567890.*send it as text/),
      details: [{ path: 'labels.serial' }],
    });
    const section = `{"hostname":"body1","key":"x","inventory":{"a":${serial}}}`;
    expect((await post(`${url}/inventory`, section)).json().details).toMatchObject([{ path: 'inventory.a.serial.1' }]);
    const sections = await post('/api/v1/objects/bulk/inventory', `{"inventories":[${section}]}`);
    expect([sections.statusCode, sections.json().details]).toMatchObject([400, [{ path: 'inventories.0' }]]);
    const hosts = `{"account":"crm","objects":[{"hostname":"n1","labels":${serial}},{"hostname":"n2","labels":{}}]}`;
    expect((await post('/api/v1/objects/bulk', hosts)).json()).toEqual({ status: 'saved 1', 'not-saved': ['n1'] });
  });

  it('larger than allowed are refused, announced or not', async () => {
    const large = JSON.stringify({ account: 'crm', labels: { a: 'x'.repeat(5000) } });
    expect((await post(url, large)).statusCode).toBe(413);
    const chunked = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;
    const head = `POST ${url} HTTP/1.1\r\nHost: x\r\nAuthorization: ${CREDENTIALS}\r\nContent-Type: application/json\r\n`;
    const answer = await raw(`${head}Transfer-Encoding: chunked\r\n\r\n${chunked}`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"too_large"');
  });

  it('keep keys that have a meaning in JavaScript', async () => {
    const labels = '{"__proto__":"a","constructor":"b","a.b/c":"d","toString":[1,null,true]}';
    await post('/api/v1/objects/proto', `{"account":"crm","labels":${labels},"__proto__":{"account":"x"}}`);
    expect((await service.request({ url: '/api/v1/objects/proto' })).body).toContain(`"labels":${labels}`);
  });

  it('cannot replace what the path says', async () => {
    await post('/api/v1/objects/path1', '{"hostname":"other1","account":"crm","labels":{}}');
    expect((await service.request({ url: '/api/v1/objects/path1' })).statusCode).toBe(200);
    expect((await service.request({ url: '/api/v1/objects/other1' })).statusCode).toBe(404);
  });

  it('are sent only when wanted by clients that ask first', async () => {
    const ask = (credentials: string) =>
      raw(
        `POST ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${credentials}\r\nExpect: 100-continue\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${good.length}\r\n\r\n${good}`,
      );
    expect(await ask(CREDENTIALS)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
    expect(await ask(basic('root', 'wrong'))).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('queries', () => {
  it.each(['start=x', 'start=-1', 'start=1.5', 'limit=10001', 'limit=-1', 'limit=ten', 'start=1&start=2', 'start='])(
    '%s is refused',
    async (query) => {
      const answer = await service.request({ url: `/api/v1/objects/all?${query}` });
      expect(answer.statusCode).toBe(400);
    },
  );

  it.each(['limit=0', 'limit=10000', 'start=0', 'start=99999999', 'unknown=1', 'after=%zz'])(
    '%s is legal',
    async (query) => {
      expect((await service.request({ url: `/api/v1/objects/all?${query}` })).statusCode).toBe(200);
    },
  );

  it('take switches in the words that people write', async () => {
    const exported = async (value: string) =>
      (await service.request({ url: `/api/v1/rules/export?include_users=${value}` })).json().rules.users;
    for (const value of ['1', 'true', 'yes', 'On']) expect(await exported(value)).toBeDefined();
    for (const value of ['0', 'false', 'no', '']) expect(await exported(value)).toBeUndefined();
    expect((await service.request({ url: '/api/v1/rules/export?include_users=maybe' })).statusCode).toBe(400);
  });
});

describe('rules', () => {
  const type = '/api/v1/rules/custom_attributes';
  const rule = {
    name: 'one',
    enabled: true,
    condition_typ: 'anyway',
    conditions: [],
    outcomes: [{ attribute_name: 'a', attribute_value: 'b' }],
  };

  it('come as one document or a list, and answer 201 only for new ones', async () => {
    const one = await post(type, JSON.stringify(rule));
    expect([one.statusCode, one.json()]).toEqual([201, expect.objectContaining({ imported: 1, duplicate: 0 })]);
    const again = await post(type, JSON.stringify([rule]));
    expect([again.statusCode, again.json()]).toEqual([200, expect.objectContaining({ imported: 0, duplicate: 1 })]);
    const replaced = await post(`${type}?override=1`, JSON.stringify([rule]));
    expect([replaced.statusCode, replaced.json().imported]).toEqual([201, 1]);
    const list = (await service.request({ url: type })).json();
    expect(list).toMatchObject({ rule_type: 'custom_attributes', rules: [{ name: 'one' }] });
    const reposted = await post(type, JSON.stringify(list.rules));
    expect(reposted.json()).toMatchObject({ imported: 0, duplicate: 1, invalid: 0 });
  });

  it('come as JSON lines, too', async () => {
    const lines = `{"rule_type":"custom_attributes"}\n${JSON.stringify({ ...rule, name: 'two' })}\n`;
    const answer = await post('/api/v1/rules/import', lines, { 'content-type': 'text/plain' });
    expect([answer.statusCode, answer.json().imported]).toEqual([201, { custom_attributes: 1 }]);
    expect((await post(type, lines, { 'content-type': 'text/plain' })).statusCode).toBe(415);
  });

  it.each(['application/x-www-form-urlencoded', 'application/octet-stream', ''])(
    'come as curl sends a file when nobody says what is in it: %j',
    async (mediaType) => {
      const lines = `\n{"rule_type":"custom_attributes"}\n${JSON.stringify({ ...rule, name: `lines ${mediaType}` })}\n`;
      const send = (body: string) => post('/api/v1/rules/import', body, { 'content-type': mediaType });
      expect((await send(lines)).json()).toMatchObject({ imported: { custom_attributes: 1 } });
      const bundle = { rules: { custom_attributes: [{ ...rule, name: `bundle ${mediaType}` }] } };
      expect((await send(JSON.stringify(bundle))).json()).toMatchObject({ imported: { custom_attributes: 1 } });
      expect((await send(JSON.stringify(bundle, null, 2))).json()).toMatchObject({
        duplicate: { custom_attributes: 1 },
      });
      expect((await send('name=web1')).statusCode).toBe(400);
    },
  );

  it('are invalid with numbers that cannot be kept, in whatever form they come', async () => {
    const large = JSON.stringify({ ...rule, name: 'large' }).replace('{', '{"extra":{"serial":12345678901234567890},');
    const found = { path: 'extra.serial', name: 'large', message: expect.stringContaining('12345678901234567890') };
    const direct = await post(type, large);
    expect([direct.statusCode, direct.json()]).toMatchObject([200, { invalid: 1, details: [found] }]);
    const bundle = await post('/api/v1/rules/import', `{"rules":{"custom_attributes":[${large}]}}`);
    expect(bundle.json()).toMatchObject({ total: 0, details: [found] });
    const lines = `{"rule_type":"custom_attributes"}\n${large}\n`;
    const text = await post('/api/v1/rules/import', lines, { 'content-type': 'text/plain' });
    expect([text.statusCode, text.json()]).toMatchObject([200, { total: 0, details: [found] }]);
  });

  it('with a name twice, or nested too deep, name the line', async () => {
    const lines = ['{"rule_type":"custom_attributes"}', '{"name":"a","name":"b"}'].join('\n');
    const twice = await post('/api/v1/rules/import', lines, { 'content-type': 'text/plain' });
    expect([twice.statusCode, twice.json().details]).toMatchObject([400, [{ path: 'line 2' }]]);
    const deep = `${'['.repeat(1500)}${']'.repeat(1500)}`;
    const nested = await post('/api/v1/rules/import', `\n{"x":${deep}}`, { 'content-type': 'text/plain' });
    expect([nested.statusCode, nested.json().details]).toMatchObject([400, [{ path: 'line 2' }]]);
  });

  it('of unknown types are unknown', async () => {
    expect((await service.request({ url: '/api/v1/rules/nonsense' })).statusCode).toBe(404);
    expect((await post('/api/v1/rules/nonsense', '{}')).statusCode).toBe(404);
  });

  it('run the autorules without a body', async () => {
    const answer = await service.request({ method: 'POST', url: '/api/v1/rules/autorules' });
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok' }]);
    expect((await post('/api/v1/rules/autorules', '{"debug":true}')).statusCode).toBe(200);
  });
});
