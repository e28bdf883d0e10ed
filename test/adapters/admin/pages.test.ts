import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adminPages } from '../../../src/adapters/admin/page-files.ts';

describe('the pages', () => {
  let folder: string;
  let app: FastifyInstance;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-pages-'));
    const files = { 'main-A.js': 'text/javascript; charset=utf-8', 'main-B.css': 'text/css; charset=utf-8' };
    const manifest = {
      script: 'main-A.js',
      style: 'main-B.css',
      parts: ['base-C.js'],
      inside: ['shell-D.js'],
      rooms: { overview: ['overview-E.js'], hosts: ['hosts-F.js'] },
      texts: { de: { first: 'de-G.js', pages: 'de-H.js' } },
      files,
    };
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
    for (const name of Object.keys(files)) {
      await writeFile(join(folder, name), name);
      await writeFile(join(folder, `${name}.br`), brotliCompressSync(name));
      await writeFile(join(folder, `${name}.gz`), gzipSync(name));
    }
    const pages = adminPages('', folder);
    app = Fastify();
    app.get<{ Querystring: { address?: string } }>('/admin', (request, reply) =>
      pages.sendPage(reply, { address: request.query.address, languages: request.headers['accept-language'] }),
    );
    app.get('/admin/assets/:file', (request, reply) => pages.sendAsset(request, reply));
  });
  afterEach(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });

  it('load nothing but our own files, and run nothing else', async () => {
    const [first, second] = [await app.inject('/admin'), await app.inject('/admin')];
    const policy = String(first.headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/=]{24}';/);
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("frame-ancestors 'none'");
    const nonce = /nonce-([^']+)/.exec(policy)?.[1];
    expect(first.payload).toContain(`<meta name="csp-nonce" content="${nonce}">`);
    expect(first.payload).not.toMatch(/<script>|<style|onload=/);
    expect(second.headers['content-security-policy']).not.toBe(policy);
    expect(first.headers['cache-control']).toBe('no-store');
  });

  it.each([
    ['who is not logged in', undefined, 'en', ['base-C.js']],
    ['who is not logged in, in German', undefined, 'de-AT,en;q=0.5', ['base-C.js', 'de-G.js']],
    ['the overview', '', 'en', ['base-C.js', 'shell-D.js', 'overview-E.js']],
    ['a host, in German', '/hosts/web1', 'de', ['base-C.js', 'de-G.js', 'de-H.js', 'shell-D.js', 'hosts-F.js']],
    ['an address that is no page', '/constructor', 'constructor', ['base-C.js', 'shell-D.js']],
  ])('ask at once for all that is needed by %s', async (_, address, languages, needed) => {
    const url = address === undefined ? '/admin' : `/admin?address=${encodeURIComponent(address)}`;
    const { payload } = await app.inject({ url, headers: { 'accept-language': languages } });
    const asked = [...payload.matchAll(/<link rel="modulepreload" href="\/admin\/assets\/([^"]+)">/g)];
    expect(asked.map(([, name]) => name)).toEqual(needed);
    expect(payload).toContain('<link rel="preload" as="fetch" crossorigin="anonymous" href="/admin/api/session">');
  });

  it('bring their files as the client likes them, to keep for ever', async () => {
    const get = (coding: string) =>
      app.inject({ url: '/admin/assets/main-A.js', headers: { 'accept-encoding': coding } });
    const br = await get('gzip, br');
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe('main-A.js');
    expect(gunzipSync((await get('gzip')).rawPayload).toString()).toBe('main-A.js');
    expect((await get('identity')).payload).toBe('main-A.js');
    expect(br.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'Accept-Encoding',
    });
  });

  it('miss a file that a later build has taken away', async () => {
    await app.inject('/admin');
    await rm(join(folder, 'main-A.js'));
    const answer = await app.inject({ url: '/admin/assets/main-A.js', headers: { 'accept-encoding': 'identity' } });
    expect(answer.payload).toContain('reload the page');
  });

  it.each(['manifest.json', 'main-A.js.br', '..%2F..%2Fetc%2Fpasswd', '__proto__'])('have no file %s', async (file) => {
    expect((await app.inject(`/admin/assets/${file}`)).payload).toContain('the file does not exist');
  });
});
