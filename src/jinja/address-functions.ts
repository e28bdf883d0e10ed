import ipaddr from 'ipaddr.js';
import { type Callable, define } from './call.ts';
import { isTrue } from './compare.ts';
import { fault } from './fault.ts';
import { expectText, strip } from './plain-text.ts';
import type { Run } from './run.ts';
import { PyObject, type Value } from './value.ts';

interface Interface {
  readonly bytes: readonly number[];
  readonly prefix: number;
  readonly mask: string | undefined;
}

const MAX_ADDRESS = 200;

function readAddress(text: string): readonly number[] {
  // `parse` alone would take octal, short and zone-scoped spellings.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text).toByteArray();
  if (text.includes(':') && !text.includes('%') && ipaddr.IPv6.isValid(text)) {
    return ipaddr.IPv6.parse(text).toByteArray();
  }
  throw fault(`'${text}' is not an IP address`);
}

function readInterface(text: string): Interface {
  // The parser's patterns are not made for long texts.
  if (text.length > MAX_ADDRESS) throw fault('the text is too long for an IP address');
  const [address = '', mask, ...rest] = strip(text).split('/');
  if (rest.length > 0) throw fault(`'${text}' is not an IP address`);
  const bytes = readAddress(address);
  return { bytes, prefix: mask === undefined ? bytes.length * 8 : readPrefix(mask, bytes.length), mask };
}

function readPrefix(mask: string, size: number): number {
  if (/^\d{1,3}$/.test(mask)) {
    const prefix = Number(mask);
    if (prefix <= size * 8) return prefix;
  } else if (size === 4 && ipaddr.IPv4.isValidFourPartDecimal(mask)) {
    const bytes = ipaddr.IPv4.parse(mask).toByteArray();
    const prefix = prefixOf(bytes) ?? prefixOf(bytes.map((byte) => 255 - byte));
    if (prefix !== undefined) return prefix;
  }
  throw fault(`'${mask}' is not a network mask`);
}

function prefixOf(mask: readonly number[]): number | undefined {
  const bits = mask.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return /^1*0*$/.test(bits) ? bits.lastIndexOf('1') + 1 : undefined;
}

function maskBytes(prefix: number, size: number): number[] {
  return Array.from({ length: size }, (_, index) => {
    const bits = Math.max(0, Math.min(8, prefix - index * 8));
    return (0xff << (8 - bits)) & 0xff;
  });
}

function addressText(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.');
  return new ipaddr.IPv6([...bytes]).toRFC5952String();
}

function networkText({ bytes, prefix }: Interface): string {
  const mask = maskBytes(prefix, bytes.length);
  return addressText(bytes.map((byte, index) => byte & (mask[index] ?? 0)));
}

/** The result of `ipaddress.ip_interface`: prints as address and prefix length. */
class IpInterface extends PyObject {
  readonly typeName = 'IPInterface';
  readonly #interface: Interface;

  constructor(from: Interface) {
    super();
    this.#interface = from;
  }

  override text(): string {
    return `${addressText(this.#interface.bytes)}/${this.#interface.prefix}`;
  }

  override attribute(name: string): Value | undefined {
    const { bytes, prefix } = this.#interface;
    switch (name) {
      case 'ip':
        return addressText(bytes);
      case 'network':
        return `${networkText(this.#interface)}/${prefix}`;
      case 'netmask':
        return addressText(maskBytes(prefix, bytes.length));
      case 'with_prefixlen':
        return this.text();
      case 'version':
        return bytes.length === 4 ? 4 : 6;
      default:
        return undefined;
    }
  }
}

function interfaceOf(run: Run, value: Value | undefined): Value {
  if (value === undefined || !isTrue(run, value)) return '';
  return new IpInterface(readInterface(expectText(value, 'an IP address')));
}

function networkOf(run: Run, value: Value | undefined): Value {
  if (value === undefined || !isTrue(run, value)) return '';
  const found = readInterface(expectText(value, 'an IP address'));
  return `${networkText(found)}/${found.mask ?? found.prefix}`;
}

/** The mask stays as it was written; host bits are cleared. */
export const ADDRESS_FUNCTIONS: readonly [string, Callable<null>][] = [
  define<null>('get_ip_network(ip_string)', (run, _self, [value]) => networkOf(run, value)),
  define<null>('get_ip_interface(ip_string)', (run, _self, [value]) => interfaceOf(run, value)),
  define<null>('get_ip4_interface(ip_string)', (run, _self, [value]) => interfaceOf(run, value)),
];
