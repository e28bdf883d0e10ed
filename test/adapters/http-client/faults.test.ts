import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { HttpFault } from '../../../src/ports/index.ts';
import {
  type Answer,
  content,
  cutOff,
  cutOffInPieces,
  cutOffSilently,
  endless,
  json,
  never,
  raw,
  reset,
  stall,
  status,
} from '../../support/misbehaving-server.ts';
import { context, errorOf, fixedClient, startedServer } from './fixed-client.ts';

const server = startedServer();

const ONCE = { attempts: 1 };
const HTML = '<!doctype html><html><head><title>Log in</title></head><body>secret-page</body></html>';

describe('what goes wrong is said with what to do', () => {
  it.each<[string, Answer, HttpFault, RegExp]>([
    ['a reset connection', reset(), 'lost', /lost its connection before the answer was whole/],
    ['a body cut off', cutOff('{"a": 1234567890}'), 'lost', /lost its connection/],
    ['pieces cut off', cutOffInPieces('{"a": 1234567890}'), 'lost', /lost its connection/],
    [
      'JSON cut off without a sign',
      cutOffSilently('{"a": [1, 2, {"b": "c"}]}'),
      'lost',
      /JSON that is cut off in line 1, column \d+/,
    ],
    [
      'a packed body cut off',
      content(Buffer.from('1f8b08000000000000ff', 'hex'), { 'content-encoding': 'gzip' }),
      'lost',
      /lost its connection/,
    ],
    [
      'a damaged packing',
      content('no gzip', { 'content-encoding': 'gzip' }),
      'content',
      /cannot be read: its packing is damaged/,
    ],
    ['an unknown packing', content('x', { 'content-encoding': 'zstd' }), 'content', /packed with zstd/],
    ['a body that stalls', stall(), 'timeout', /stopped before it was whole/],
    ['no answer', never(), 'timeout', /was not answered in time.*request_timeout/],
    ['no HTTP', raw('SSH-2.0-OpenSSH_9.2\r\n'), 'content', /not answered in HTTP/],
    ['400', status(400, {}, 'bad'), 'status', /is refused \(400\).*check its parameters; it says: "bad"/],
    [
      '401',
      status(401, { 'www-authenticate': 'Basic realm="x", Bearer' }),
      'unauthenticated',
      /401\): it requires a login \(basic or bearer\)/,
    ],
    ['403', status(403), 'status', /is forbidden \(403\).*give it the right/],
    ['404', status(404), 'status', /answered with 404: there is nothing at this path/],
    ['405', status(405), 'status', /does not take this method/],
    [
      '429',
      status(429, { 'retry-after': '600' }),
      'status',
      /\(429\): the system gets too many requests and asks to wait 600 seconds/,
    ],
    [
      '500',
      json({ detail: 'broken pipe' }, {}, 500),
      'status',
      /500: a fault of the system.*it says: "\{"detail":"broken pipe"\}"/,
    ],
    ['502', content(HTML, { 'content-type': 'text/html' }, 502), 'status', /502: a proxy in front.*it says: "Log in"/],
    ['503', status(503), 'status', /503: the system is down/],
    ['418', status(418), 'status', /unexpected status 418/],
    [
      'a page instead of JSON',
      content(HTML, { 'content-type': 'text/html' }),
      'content',
      /a web page \("Log in"\) instead of JSON: .*login/,
    ],
    ['nothing', content(''), 'content', /answered with nothing where JSON should be/],
    ['204 to a GET', status(204), 'content', /answered with nothing/],
    [
      'invalid JSON',
      content('{"a": 1,\n "b": tru, "c": 2}'),
      'content',
      /not valid JSON: line 2, column 7, near "\{"a": 1, {2}"b": tru, "c": 2\}"/,
    ],
    ['text behind JSON', content('{"a":1} {"b":2}'), 'content', /line 1, column 9/],
    ['other bytes', content(Buffer.from([0x22, 0xff, 0x22])), 'content', /bytes that are not UTF-8 text/],
    [
      'an unknown encoding',
      content('1', { 'content-type': 'application/json; charset=klingon' }),
      'content',
      /encoding that is not known/,
    ],
    ['deep nesting', content('['.repeat(1000) + ']'.repeat(1000)), 'content', /more than 200 levels/],
    ['huge headers', status(200, { 'x-a': 'a'.repeat(100_000) }), 'too_large', /64 KiB of headers/],
  ])('%s', async (_name, answer, fault, message) => {
    server.at('/api/hosts', answer);
    const limits = { answerSeconds: 0.2, idleSeconds: 0.2 };
    const { client } = fixedClient(`${server.origin}/api`, { retry: ONCE, limits });
    const error = await errorOf(client.json({ path: 'hosts', query: { key: 'of-the-query' } }, context));
    expect(error).toMatchObject({ code: 'failed', fault });
    expect(error.message).toMatch(message);
    expect(error.message.startsWith(`GET ${server.origin}/api/hosts `)).toBe(true);
    expect(`${error.message} ${error.stack} ${String(error.cause)}`).not.toMatch(/of-the-query|secret-page/);
  });

  it('a connection that is refused', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    const { port } = await new Promise<{ port: number }>((resolve) =>
      probe.once('listening', () => resolve(probe.address() as { port: number })),
    );
    await new Promise((resolve) => probe.close(resolve));
    const { client, waits } = fixedClient(`http://127.0.0.1:${port}`);
    const error = await errorOf(client.json({ method: 'POST' }, context));
    expect(error).toMatchObject({
      fault: 'unreachable',
      message: expect.stringMatching(/is refused: nothing listens there.*tried 4 times/),
    });
    // Nothing was sent, so even a POST is tried again.
    expect(waits).toEqual([0.25, 0.5, 1]);
  });

  it('a name that there is not', async () => {
    const { client } = fixedClient('http://no-such-name.invalid', { retry: ONCE });
    const error = await errorOf(client.json({}, context));
    expect(error.fault).toBe('unreachable');
    expect(error.message).toMatch(/no such name|name servers of this machine do not answer/);
  });

  it('a whole request that takes too long, though something comes all the time', async () => {
    server.at('/', endless(' ', 10));
    const { client } = fixedClient(server.origin, { limits: { requestSeconds: 0.15, streamSeconds: 0.15 } });
    const error = await errorOf(client.json({}, context));
    expect(error).toMatchObject({ fault: 'timeout', message: expect.stringContaining('not done after 0.15 seconds') });
    const { body } = await client.request({}, context);
    const read = async (): Promise<void> => {
      for await (const _ of body);
    };
    expect(await errorOf(read())).toMatchObject({ fault: 'timeout' });
  });
});

describe('secrets', () => {
  const secrets = ['pass-w0rd!', 'k3y of mine', 'proxy-pa55'] as const;

  it('are in no message, cause or line of the log, however the system spells them', async () => {
    const [password, key] = secrets;
    const spelled = [password, encodeURIComponent(key), key, Buffer.from(`reader:${password}`).toString('base64')].join(
      ' ',
    );
    const settings = {
      auth: { kind: 'basic', username: 'reader', password },
      headers: { 'X-Key': key },
      retry: { attempts: 2 },
    } as const;
    server.at(`/${encodeURIComponent(key)}`, status(503, {}, spelled));
    server.at('/json', content(`{"a": ${spelled}}`));
    server.at('/title', content(`<title>${spelled}</title>`));
    const { client, lines } = fixedClient(server.origin, settings);
    for (const path of [encodeURIComponent(key), 'json', 'title']) {
      const error = await errorOf(client.json({ path }, context));
      const said = `${error.message} ${error.stack} ${JSON.stringify(error.cause ?? '')} ${JSON.stringify(lines)}`;
      expect(error.message).toContain('********');
      for (const secret of [
        password,
        key,
        encodeURIComponent(key),
        Buffer.from(`reader:${password}`).toString('base64'),
      ]) {
        expect(said).not.toContain(secret);
      }
    }
    expect(lines).toHaveLength(1);
  });

  it('that nobody named, such as long keys, are left out of excerpts', async () => {
    server.at('/', content('{"token": "0123456789abcdef0123456789abcdef", oops}'));
    const error = await errorOf(fixedClient(server.origin).client.json({}, context));
    expect(error.message).toMatch(/not valid JSON/);
    expect(error.message).not.toContain('456789abcdef');
  });
});
