import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Returns the form under which an address is counted. An owner of one IPv6 address has all of its /64; an IPv4 address in IPv6
 * notation is the IPv4 address. A text that is not an address counts as written.
 */
export function addressClass(address: string): string {
  return networkOf(address, 32, 64);
}

/** The neighbourhood of an address, as a provider hands it out: /24, and /48 of IPv6. */
export function addressNeighbourhood(address: string): string {
  return networkOf(address, 24, 48);
}

function networkOf(address: string, bits4: number, bits6: number): string {
  const version = isIP(address);
  if (version === 0 || (version === 4 && bits4 === 32)) return address;
  const parsed = ipaddr.process(address);
  const bits = parsed.kind() === 'ipv4' ? bits4 : bits6;
  const bytes = parsed.toByteArray().map((byte, index) => byte & maskOf(bits - index * 8));
  return bits === 32 ? parsed.toString() : `${ipaddr.fromByteArray(bytes).toString()}/${bits}`;
}

/** Returns the mask of one byte of which `bits` bits belong to the network. */
function maskOf(bits: number): number {
  return bits >= 8 ? 0xff : bits <= 0 ? 0 : (0xff << (8 - bits)) & 0xff;
}
