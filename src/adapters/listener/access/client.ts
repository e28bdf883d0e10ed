import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { forwardedAddress, isLoopback, plainAddress } from './addresses.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

/** Where a request comes from, as far as it can be trusted. */
export interface HttpClient {
  readonly address: string;
  /** The client spoke HTTPS, to us or to a proxy of ours. */
  readonly encrypted: boolean;
  /** The client is this machine. */
  readonly local: boolean;
}

/**
 * The client of a request. Each hop appends to the forwarding headers what it saw, so the entry that the first of our hops wrote
 * stands as many places from the right as there are hops of ours, and whatever stands left of it may be invented. A header with
 * fewer entries did not pass all of our proxies and counts for nothing.
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

/** True when somebody passed the request on, whoever that was: its peer is not who asks. */
export function isForwarded(message: IncomingMessage): boolean {
  return FORWARDING_HEADERS.some((name) => message.headers[name] !== undefined);
}
