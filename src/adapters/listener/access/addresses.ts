import { isIP } from 'node:net';

/** A socket that listens on IPv6 shows IPv4 clients as mapped addresses. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
export function forwardedAddress(entry: string): string {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(entry)?.[1] ?? entry;
  return isIP(bare) === 0 ? 'unknown' : plainAddress(bare);
}

/** This machine. Nothing else of 127.0.0.0/8: the interface names these two. */
export function isLoopback(address: string): boolean {
  return address === '127.0.0.1' || address === '::1';
}
