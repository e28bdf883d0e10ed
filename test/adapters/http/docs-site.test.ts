import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpService, startHttpService } from './http-service.ts';

let service: HttpService;
let folder: string;

/** What the build makes, of two pages. */
async function writeSite(): Promise<void> {
  const types = { html: 'text/html; charset=utf-8', webp: 'image/webp' };
  const files: Record<string, unknown> = {};
  for (const name of ['index.html', 'rules.html', '404.html', 'hosts-light.webp']) {
    const type = types[name.split('.')[1] as keyof typeof types];
    const compressed = type !== types.webp;
    files[name] = { type, tag: `tag-${name}`, compressed };
    await writeFile(join(folder, name), name);
    if (!compressed) continue;
    await writeFile(join(folder, `${name}.br`), brotliCompressSync(name));
    await writeFile(join(folder, `${name}.gz`), gzipSync(name));
  }
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ fingerprint: 'abc', files }));
  await writeFile(join(folder, 'secret.html'), 'not of the site');
}

const get = (url: string, headers: Record<string, string> = {}) =>
  service.request({ url, headers, user: null, remoteAddress: '192.0.2.7' });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-docs-site-'));
});
afterEach(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

describe('the documentation', () => {
  beforeEach(async () => {
    await writeSite();
    service = await startHttpService({ docsFolder: folder });
  });

  it('is open to all, and loads nothing but its own files', async () => {
    const start = await get('/docs');
    expect([start.statusCode, start.body]).toEqual([200, 'index.html']);
    const { statusCode, headers, body } = await get('/docs/');
    expect([statusCode, body]).toEqual([200, 'index.html']);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';");
    expect(policy).not.toContain('unsafe');
    expect((await get('/docs/rules.html')).body).toBe('rules.html');
  });

  it('is compressed, and not sent again as long as it is the same', async () => {
    const first = await get('/docs/rules.html', { 'accept-encoding': 'gzip, br' });
    expect(brotliDecompressSync(first.rawPayload).toString()).toBe('rules.html');
    expect(first.headers).toMatchObject({ vary: 'Accept-Encoding', 'cache-control': 'no-cache' });
    const tag = String(first.headers.etag);
    const again = await get('/docs/rules.html', { 'accept-encoding': 'gzip, br', 'if-none-match': tag });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    const picture = await get('/docs/hosts-light.webp', { 'accept-encoding': 'gzip, br' });
    expect([picture.body, picture.headers['content-encoding']]).toEqual(['hosts-light.webp', undefined]);
  });

  it.each([
    'nothing.html',
    '404.html',
    'manifest.json',
    'rules.html.br',
    'secret.html',
    '__proto__',
    '..%2Fmanifest.json',
    '..%2F..%2F..%2Fetc%2Fpasswd',
    '%2Fetc%2Fpasswd',
  ])('has no page %s, and says so on one of its own', async (name) => {
    const { statusCode, headers, body } = await get(`/docs/${name}`, { accept: 'text/html,*/*' });
    expect([statusCode, body]).toEqual([404, '404.html']);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers.etag).toBeUndefined();
  });

  it('answers a client of the API that asks for a page that is not there with an error', async () => {
    for (const headers of [{}, { accept: 'application/json' }, { accept: '*/*' }]) {
      const answer = await get('/docs/nothing.html', headers);
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found']);
    }
  });

  it.each(['/docs/../healthz/x', '/docs/../../etc/passwd', '/docs/api/rules.html'])('is not at %s', async (url) => {
    expect((await get(url)).statusCode).toBe(404);
  });

  it('leaves the page of the REST interface where it is', async () => {
    expect((await get('/docs/openapi')).body).toContain('/api/v1/objects/{hostname}');
  });
});

it('says what to do where it is not built', async () => {
  service = await startHttpService({ docsFolder: folder });
  const answer = await get('/docs/');
  expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found']);
  expect(answer.json().message).toContain('npm run docs');
});
