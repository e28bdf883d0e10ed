import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { AppError, type Wording } from '../../ports/index.ts';
import { WordedError, worded } from '../worded.ts';

/**
 * Returns why connections to an address are refused: clouds serve the credentials of the machine there to any local client, and
 * no system to import hosts from has such an address. Names that resolve to such an address are refused when the connection is
 * made, so that a DNS response cannot bypass the check. `undefined` for names and all other addresses.
 */
export function refusedAddress(hostname: string): Wording | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) === 0) return undefined;
  const parsed = ipaddr.process(address.replace(/%.*$/, ''));
  if (![parsed, ...embeddedIn(parsed)].some(isRefused)) return undefined;
  return worded`${{ address }} is not an address that requests are sent to (link-local, metadata of a cloud, or no single machine)`;
}

/** Those that lie elsewhere than the link-local networks. */
const METADATA = new Set([
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fd00:c1::a9fe:a9fe',
]);
const NO_MACHINE: ReadonlySet<string> = new Set(['linkLocal', 'unspecified', 'broadcast', 'multicast']);

function isRefused(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return METADATA.has(address.toString()) || NO_MACHINE.has(address.range());
}

/** IPv6 networks that embed IPv4 addresses, with the positions of the bytes of the latter. */
const EMBEDDING: readonly (readonly [network: string, bytes: readonly number[]])[] = [
  ['64:ff9b::/96', [12, 13, 14, 15]],
  ['64:ff9b:1::/48', [12, 13, 14, 15]],
  ['64:ff9b:1::/48', [6, 7, 9, 10]],
  ['::ffff:0:0:0/96', [12, 13, 14, 15]],
  ['::/96', [12, 13, 14, 15]],
  ['2002::/16', [2, 3, 4, 5]],
];

function embeddedIn(address: ipaddr.IPv4 | ipaddr.IPv6): readonly ipaddr.IPv4[] {
  if (address.kind() === 'ipv4' || address.toString() === '::1') return [];
  const all = address.toByteArray();
  return EMBEDDING.filter(([network]) => address.match(ipaddr.parseCIDR(network))).map(
    ([, bytes]) => new ipaddr.IPv4(bytes.map((at) => all[at] ?? 0)),
  );
}

/** Resolves a name and refuses addresses when they are about to be connected to, whatever the name led to before. */
export const checkedLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '', 0);
    const reason = addresses.map(({ address }) => refusedAddress(address)).find((found) => found !== undefined);
    const [first] = addresses;
    if (reason !== undefined || first === undefined) {
      const said =
        reason === undefined
          ? worded`${{ hostname }} leads to no address`
          : worded`${{ hostname }} leads to ${{ refused: reason }}`;
      return callback(new AddressRefused(said), '', 0);
    }
    if (options.all === true) return callback(null, addresses);
    return callback(null, first.address, first.family ?? isIP(first.address));
  });
};

/** For connections that others open: throws `AppError('failed')` for an address, or a name of one, that nothing is connected to. */
export async function requireAllowedHost(host: string): Promise<void> {
  const literal = refusedAddress(host);
  if (literal !== undefined) throw new AppError('failed', literal);
  if (isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0) return;
  await new Promise<void>((resolve, reject) => {
    // An unknown name is reported when the connection is made.
    checkedLookup(host, { all: true }, (error) =>
      error instanceof AddressRefused ? reject(new AppError('failed', error.message, { cause: error })) : resolve(),
    );
  });
}

/** An address that names lead to and nothing is connected to. */
export class AddressRefused extends WordedError {
  override readonly name = 'AddressRefused';
}
