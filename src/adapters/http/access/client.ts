import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** Where a request comes from, as far as it can be trusted. */
export interface HttpClient {
  readonly address: string;
  /** The client spoke HTTPS, to us or to a proxy of ours. */
  readonly encrypted: boolean;
  /** The client is this machine. */
  readonly local: boolean;
}

/**
 * The client of a request. The last `trustedProxies` hops are ours: each of them appended to the forwarding headers what
 * it saw, so the entry that the first of them wrote stands `trustedProxies` places from the right, and whatever stands
 * left of it may be invented. A header with fewer entries did not pass all of our proxies and counts for nothing.
 */
export function clientOf(message: IncomingMessage, trustedProxies: number): HttpClient {
  const { socket } = message;
  const peer = plainAddress(socket.remoteAddress ?? '');
  const encrypted = (socket as Partial<TLSSocket>).encrypted === true;
  if (trustedProxies === 0) return { address: peer, encrypted, local: isLocal(peer) };

  const forwarded = entryFromRight(message.headers['x-forwarded-for'], trustedProxies);
  const address = forwarded === undefined ? peer : forwardedAddress(forwarded);
  const scheme = entryFromRight(message.headers['x-forwarded-proto'], trustedProxies);
  return {
    address,
    encrypted: scheme === undefined ? encrypted : scheme.toLowerCase() === 'https',
    local: isLocal(address),
  };
}

function entryFromRight(header: string | string[] | undefined, place: number): string | undefined {
  if (header === undefined) return undefined;
  const entries = (Array.isArray(header) ? header.join(',') : header).split(',');
  return entries.at(-place)?.trim();
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function forwardedAddress(entry: string): string {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(entry)?.[1] ?? entry;
  return isIP(bare) === 0 ? 'unknown' : plainAddress(bare);
}

/** A socket that listens on IPv6 shows IPv4 clients as mapped addresses. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

function isLocal(address: string): boolean {
  return address === '127.0.0.1' || address === '::1';
}
