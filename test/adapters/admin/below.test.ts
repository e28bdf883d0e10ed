import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

it.each([
  ['/admin/hosts', undefined, ''],
  ['/muster/admin/hosts', '/muster', '/muster'],
  // Without the proxy.
  ['/admin/hosts', '/muster', ''],
  ['/musterroll/admin', '/muster', ''],
])('a page at %s of a service at %s asks below "%s"', async (pathname, prefix, path) => {
  vi.stubGlobal('window', { location: { pathname, origin: 'https://h.example' } });
  vi.stubGlobal('document', { querySelector: () => (prefix === undefined ? null : { content: prefix }) });
  const { addressBelow, below, prefixAt } = await import('./below.mjs');
  expect(prefixAt(pathname, prefix ?? '')).toBe(path);
  expect(below('/docs/')).toBe(`${path}/docs/`);
  expect(addressBelow('/docs/')).toBe(`https://h.example${path}/docs/`);
});
