import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Config } from '../../../app/kernel/config/schema.ts';
import { plainAddress } from './addresses.ts';

/** Hops before the service that are ours, and thus the trustworthy entries of the forwarding headers. */
export interface TrustedProxies {
  /** True when a header that a proxy of ours would set may be believed at all in this message. */
  trusts(message: IncomingMessage): boolean;
  /**
   * The place from the right of the entry that the first of our hops wrote: its peer is the client. `undefined` when the message
   * did not come through our hops.
   */
  clientPlace(message: IncomingMessage, forwarded: readonly string[]): number | undefined;
  /**
   * Whether an address out of a header may stand for this machine. Where networks are named, a client within one of them could
   * invent it.
   */
  readonly believesLocal: boolean;
}

export function trustedProxies(setting: Config['TRUSTED_PROXIES']): TrustedProxies {
  return typeof setting === 'number' ? countedProxies(setting) : namedProxies(setting);
}

/** The last `count` hops are ours, whatever their addresses. */
function countedProxies(count: number): TrustedProxies {
  return {
    trusts: () => count > 0,
    clientPlace: () => (count > 0 ? count : undefined),
    believesLocal: true,
  };
}

/** The hops within the networks are ours. Any other peer is the client itself, whatever its headers claim. */
function namedProxies(networks: readonly string[]): TrustedProxies {
  const ours = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    ours.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family);
  }
  const isOurs = (address: string): boolean => {
    const version = isIP(address);
    return version !== 0 && ours.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };
  const trusts = (message: IncomingMessage): boolean => isOurs(plainAddress(message.socket.remoteAddress ?? ''));
  return {
    trusts,
    clientPlace(message, forwarded) {
      if (!trusts(message)) return undefined;
      let place = 1;
      while (place < forwarded.length && isOurs(forwarded.at(-place) ?? '')) place++;
      return place;
    },
    believesLocal: false,
  };
}
