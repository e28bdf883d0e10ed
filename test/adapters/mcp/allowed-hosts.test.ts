import { describe, expect, it } from 'vitest';
import { hostGuard } from '../../../src/adapters/mcp/network/allowed-hosts.ts';

function admits(
  headers: { host?: string; origin?: string },
  config: { base?: string; names?: string[] } = {},
): boolean {
  const guard = hostGuard({ BASE_URL: config.base ?? '', MCP_ALLOWED_HOSTS: config.names ?? [] });
  try {
    guard(headers);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'forbidden' });
    return false;
  }
}

describe('the names by which the tool server may be addressed', () => {
  it.each(['localhost', 'localhost:8765', 'LOCALHOST:1', '127.0.0.1', '127.0.0.1:8765', '[::1]:8765'])(
    '%s is this machine',
    (host) => expect(admits({ host })).toBe(true),
  );

  it.each([
    undefined,
    '',
    'evil.example',
    'localhost.evil.example',
    'evil.example@localhost',
    'localhost/x',
    'localhost:x',
    '127.0.0.2',
    '0.0.0.0:8765',
    'localhost:80:80',
  ])('%s is not', (host) => expect(admits(host === undefined ? {} : { host })).toBe(false));

  it('are those of the configuration too, with their port where one is given', () => {
    const config = { base: 'https://cmdb.example.org:8443/x', names: ['tools.example.org', 'other.example.org:99'] };
    expect(admits({ host: 'cmdb.example.org' }, config)).toBe(true);
    expect(admits({ host: 'Tools.example.org:1' }, config)).toBe(true);
    expect(admits({ host: 'other.example.org:99' }, config)).toBe(true);
    expect(admits({ host: 'other.example.org' }, config)).toBe(false);
    expect(admits({ host: 'example.org' }, config)).toBe(false);
  });

  it('count for the pages that ask, too', () => {
    const host = 'localhost:8765';
    expect(admits({ host, origin: 'http://localhost:6274' })).toBe(true);
    expect(admits({ host, origin: 'https://[::1]' })).toBe(true);
    for (const origin of ['null', '', 'https://evil.example', 'http://localhost.evil.example', 'file://localhost']) {
      expect(admits({ host, origin }), origin).toBe(false);
    }
    expect(admits({ host, origin: 'https://cmdb.example.org' }, { base: 'https://cmdb.example.org' })).toBe(true);
  });
});
