import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { clientOf as clientBehind, type HttpClient } from '../../../src/adapters/listener/access/client.ts';
import { trustedProxies } from '../../../src/adapters/listener/access/trusted-proxies.ts';
import type { Config } from '../../../src/app/kernel/config/schema.ts';

function message(peer: string, headers: Record<string, string> = {}, encrypted = false): IncomingMessage {
  return { socket: { remoteAddress: peer, encrypted }, headers } as unknown as IncomingMessage;
}

function clientOf(of: IncomingMessage, proxies: Config['TRUSTED_PROXIES']): HttpClient {
  return clientBehind(of, trustedProxies(proxies));
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

describe('behind proxies that are named', () => {
  const proxies = ['10.0.0.0/8', '2001:db8:1::/48', '192.0.2.9'];
  const https = (forwarded: string, scheme = 'https') => ({
    'x-forwarded-for': forwarded,
    'x-forwarded-proto': scheme,
  });

  it.each([
    ['10.0.0.1', https('198.51.100.4'), '198.51.100.4', true],
    ['::ffff:10.0.0.1', https('198.51.100.4'), '198.51.100.4', true],
    ['2001:db8:1::7', https('198.51.100.4'), '198.51.100.4', true],
    ['192.0.2.9', https('198.51.100.4, 10.1.1.1', 'https, http'), '198.51.100.4', true],
    ['192.0.2.9', https('198.51.100.4, 10.1.1.1', 'http, https'), '198.51.100.4', false],
    ['10.0.0.1', https('127.0.0.1, 198.51.100.4'), '198.51.100.4', true],
    ['10.0.0.1', https('127.0.0.1, 198.51.100.4', 'https, http'), '198.51.100.4', false],
    ['10.0.0.1', https('198.51.100.4:4711, [2001:db8:1::8]:80', 'https, https'), '198.51.100.4', true],
  ])('%s is one, and says %j', (peer, headers, address, encrypted) => {
    expect(clientOf(message(peer, headers), proxies)).toEqual({ address, encrypted, local: false });
  });

  it.each(['192.0.2.8', '11.0.0.1', '127.0.0.1', '2001:db8:2::1', ''])('%s is none, and is not believed', (peer) => {
    expect(clientOf(message(peer, https('198.51.100.4')), proxies)).toEqual({
      address: peer,
      encrypted: false,
      local: peer === '127.0.0.1',
    });
  });

  it('nobody is this machine because a header says so', () => {
    const named = ['10.0.0.0/8', '127.0.0.1'];
    expect(clientOf(message('10.0.0.1', https('127.0.0.1')), named).local).toBe(false);
    expect(clientOf(message('10.0.0.1', https('127.0.0.1, 10.0.0.9')), named).local).toBe(false);
    expect(clientOf(message('127.0.0.1', https('::1')), named).local).toBe(false);
    expect(clientOf(message('127.0.0.1'), named).local).toBe(true);
  });

  it('a header with fewer schemes than hops counts for nothing', () => {
    expect(clientOf(message('10.0.0.1', https('198.51.100.4, 10.0.0.2')), proxies).encrypted).toBe(false);
  });
});
