import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../../../src/adapters/http/access/client.ts';

function message(peer: string, headers: Record<string, string> = {}, encrypted = false): IncomingMessage {
  return { socket: { remoteAddress: peer, encrypted }, headers } as unknown as IncomingMessage;
}

describe('the client of a request', () => {
  it.each([
    ['127.0.0.1', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['127.0.0.2', false],
    ['::ffff:10.0.0.1', false],
    ['10.0.0.1', false],
  ])('%s is local: %s', (peer, local) => {
    expect(clientOf(message(peer), 0).local).toBe(local);
  });

  it('shows IPv4 addresses of an IPv6 socket as what they are', () => {
    expect(clientOf(message('::ffff:192.0.2.7'), 0).address).toBe('192.0.2.7');
  });

  it('knows an encrypted connection', () => {
    expect(clientOf(message('192.0.2.7', {}, true), 0).encrypted).toBe(true);
  });

  it('believes no header without trusted proxies', () => {
    const headers = { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' };
    expect(clientOf(message('192.0.2.7', headers), 0)).toEqual({
      address: '192.0.2.7',
      encrypted: false,
      local: false,
    });
  });

  it('counts hops from the right, so that what a client invents does not count', () => {
    const headers = {
      'x-forwarded-for': '127.0.0.1, 198.51.100.4, 10.0.0.2',
      'x-forwarded-proto': 'https, http, http',
    };
    expect(clientOf(message('10.0.0.1', headers), 1).address).toBe('10.0.0.2');
    expect(clientOf(message('10.0.0.1', headers), 2)).toEqual({
      address: '198.51.100.4',
      encrypted: false,
      local: false,
    });
  });

  it('ignores a header with fewer entries than proxies', () => {
    const headers = { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' };
    expect(clientOf(message('10.0.0.1', headers), 2)).toEqual({ address: '10.0.0.1', encrypted: false, local: false });
  });

  it('takes the scheme of a proxy that tells only that', () => {
    expect(clientOf(message('10.0.0.1', { 'x-forwarded-proto': 'HTTPS' }), 1).encrypted).toBe(true);
  });

  it.each([
    ['198.51.100.4:4711', '198.51.100.4'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['_hidden', 'unknown'],
    ['', 'unknown'],
  ])('reads the forwarded address %j', (entry, address) => {
    expect(clientOf(message('10.0.0.1', { 'x-forwarded-for': entry }), 1).address).toBe(address);
  });
});
