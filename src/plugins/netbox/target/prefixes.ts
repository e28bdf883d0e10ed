import ipaddr from 'ipaddr.js';
import { addressText, readAddress } from './names.ts';

/** A prefix as NetBox keeps it, without bits of hosts; `undefined` for what is none. */
export function prefixText(text: string): string | undefined {
  const address = readAddress(text);
  if (address === undefined || address.length === undefined) return undefined;
  const { host, length, family } = address;
  const addresses = family === 4 ? ipaddr.IPv4 : ipaddr.IPv6;
  const network = addresses.networkAddressFromCIDR(`${host}/${length}`).toNormalizedString();
  return addressText(readAddress(`${network}/${length}`) ?? address);
}
