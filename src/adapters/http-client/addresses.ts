import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { WordedError, worded } from '../../app/kernel/worded.ts';
import type { Wording } from '../../ports/index.ts';

/**
 * Why nothing is connected to an address: there, clouds hand out the credentials of the machine to whoever asks from it, and nobody
 * keeps a system that hosts are imported from. Names that resolve to such an address are refused when they are connected to, so
 * that no answer of a name server gets around it. `undefined` for names and all other addresses.
 */
export function refusedAddress(hostname: string): Wording | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) === 0) return undefined;
  const parsed = ipaddr.process(address);
  const isMetadata = METADATA.has(parsed.toString());
  if (!isMetadata && !['linkLocal', 'unspecified', 'broadcast', 'multicast'].includes(parsed.range())) return undefined;
  return worded`${{ address }} is not an address that requests are sent to (link-local, metadata of a cloud, or no single machine)`;
}

/** Those that lie elsewhere than the link-local networks. */
const METADATA = new Set(['100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254']);

/** An address that names lead to and nothing is connected to. */
export class AddressRefused extends WordedError {
  override readonly name = 'AddressRefused';
}
