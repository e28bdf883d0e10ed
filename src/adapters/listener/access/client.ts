import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { forwardedAddress, isLoopback, plainAddress } from './addresses.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

/** Origin of a request, as far as it can be trusted. */
export interface HttpClient {
  readonly address: string;
  /** The client spoke HTTPS, to us or to a proxy of ours. */
  readonly encrypted: boolean;
  /** The client is this machine. */
  readonly local: boolean;
}

/**
 * Returns the client of a request. Each hop appends what it saw to the forwarding headers, so the entry that the first of our
 * hops wrote is as many places from the right as there are hops of ours, and everything left of it may be invented. A header with
 * fewer entries did not pass all of our proxies and is ignored.
 */
export function clientOf(message: IncomingMessage, proxies: TrustedProxies): HttpClient {
  const { socket } = message;
  const peer = plainAddress(socket.remoteAddress ?? '');
  const encrypted = (socket as Partial<TLSSocket>).encrypted === true;
  if (!proxies.trusts(message)) return { address: peer, encrypted, local: isLoopback(peer) };

  const forwarded = entriesOf(message.headers['x-forwarded-for']);
  const place = proxies.clientPlace(message, forwarded.map(forwardedAddress));
  const entry = place === undefined ? undefined : forwarded.at(-place);
  const scheme = place === undefined ? undefined : entriesOf(message.headers['x-forwarded-proto']).at(-place);
  const address = entry === undefined ? peer : forwardedAddress(entry);
  return {
    address,
    encrypted: scheme === undefined ? encrypted : scheme.toLowerCase() === 'https',
    local: isLoopback(address) && (entry === undefined || proxies.believesLocal),
  };
}

function entriesOf(header: string | string[] | undefined): readonly string[] {
  if (header === undefined) return [];
  return (Array.isArray(header) ? header.join(',') : header).split(',').map((entry) => entry.trim());
}

const FORWARDING_HEADERS = [
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-real-ip',
  'forwarded',
  'via',
];

/** True if any other party passed the request on: its peer is not the caller. */
export function isForwarded(message: IncomingMessage): boolean {
  return FORWARDING_HEADERS.some((name) => message.headers[name] !== undefined);
}
