import { isIPv6 } from 'node:net';
import { lookedUpFault } from '../../../kit/names/entity-names.ts';
import {
  type HostView,
  isHostName,
  lookedUpName,
  plainName,
  portOf,
  quoted,
  reachedBy,
  textOf,
  textsOf,
} from '../host-view.ts';
import type { FilesOptions } from '../options.ts';
import { HostFault, type LeftOut, lostName, type Shape } from '../shape.ts';

const PLAIN_TEXT = 'text/plain; charset=utf-8';

/** Returns the address that is scraped. */
export function scraped(host: HostView, addressField: string, portField: string, common: number | undefined): string {
  const address = reachedBy(host, addressField) ?? plainName(host, 'targets of Prometheus');
  const port = portOf(host, portField, common);
  const name = isIPv6(address) ? `[${address}]` : address;
  return port === undefined ? name : `${name}:${port}`;
}

/** Names are looked up in any case. */
const inLowerCase = ({ hostname }: HostView): string => hostname.toLowerCase();

/** A line for each address. */
export function hostsShape({ address_field, short_names }: FilesOptions): Shape {
  const shortNames = new ShortNames();
  return {
    contentType: PLAIN_TEXT,
    knownAs: inLowerCase,
    leftOut: () => shortNames.lost,
    host(host, path) {
      const addresses = host.addresses(address_field);
      if (addresses.length === 0) throw new HostFault(`it has no address in ${address_field}`);
      const names = shortNames.namesOf(host, path, 'a hosts file', short_names);
      return addresses.map((address) => `${address}\t${names.join(' ')}\n`).join('');
    },
  };
}

/** Assigns names without a domain: a host with exactly that name gets it, otherwise the first in byte order. */
class ShortNames {
  readonly lost: LeftOut[] = [];
  readonly #taken = new Map<string, string>();

  namesOf(host: HostView, path: string, format: string, wantsShort: boolean): readonly string[] {
    const name = lookedUpName(host, format);
    const [first = name] = name.split('.');
    const key = `${path}\n${first.toLowerCase()}`;
    if (!wantsShort) return [name];
    const other = this.#taken.get(key);
    if (other === undefined) this.#taken.set(key, name);
    if (first === name) return [name];
    if (other === undefined && lookedUpFault(first) === undefined) return [name, first];
    if (other !== undefined) this.lost.push(lostName('short name of', name, first, other));
    return [name];
  }
}

/** A block for each host. */
export function sshConfigShape(options: FilesOptions): Shape {
  const { address_field, user_field, port_field, port, identity_field, proxy_field, short_names } = options;
  const shortNames = new ShortNames();
  return {
    contentType: PLAIN_TEXT,
    between: '\n',
    leftOut: () => shortNames.lost,
    host(host, path) {
      const lines = [`Host ${shortNames.namesOf(host, path, 'ssh_config', short_names).join(' ')}`];
      const say = (keyword: string, value: string | number | undefined): void => {
        if (value !== undefined && value !== '') lines.push(`    ${keyword} ${value}`);
      };
      say('HostName', reachedBy(host, address_field));
      say('User', word(host, user_field, /^[^\s"'\\$`%;&|<>(){}!*?#-][^\s"'\\$`%;&|<>(){}!*?#]*$/));
      say('Port', portOf(host, port_field, port));
      say('IdentityFile', pathWord(host, identity_field));
      say('ProxyJump', word(host, proxy_field, /^[\w[][\w.:@,[\]-]*$/));
      return `${lines.join('\n')}\n`;
    },
  };
}

/** Returns a value that ssh reads as exactly one word. */
function word(host: HostView, field: string, allowed: RegExp): string {
  const value = field === '' ? '' : host.text(field).trim();
  if (value !== '' && !allowed.test(value))
    throw new HostFault(`${field} is ${quoted(value)}, which ssh_config cannot hold`);
  return value;
}

/** Percent signs stand for themselves; names of variables and quotes do not come from data. */
function pathWord(host: HostView, field: string): string {
  const value = word(host, field, /^(?!-)[^"'\\$`\p{Cc}]+$/u).replaceAll('%', '%%');
  return /[\s#]/.test(value) ? `"${value}"` : value;
}

/** A line for each public key. */
export function knownHostsShape({ address_field, key_field, port_field, port: common }: FilesOptions): Shape {
  return {
    contentType: PLAIN_TEXT,
    knownAs: inLowerCase,
    host(host) {
      const keys = textsOf(host.value(key_field)).map((text) => publicKey(text, key_field));
      if (keys.length === 0) throw new HostFault(`it has no key in ${key_field}`);
      const port = portOf(host, port_field, common) ?? 22;
      const addresses = address_field === '' ? [] : host.addresses(address_field);
      const names = [lookedUpName(host, 'known_hosts'), ...addresses].map((name) =>
        port === 22 ? name : `[${name}]:${port}`,
      );
      return keys.map((key) => `${names.join(',')} ${key}\n`).join('');
    },
  };
}

/** Parses `ssh-ed25519 AAAA… comment`, or the middle alone. The key itself contains its type, after four bytes of length. */
function publicKey(text: string, field: string): string {
  const fault = (why: string): HostFault => new HostFault(`${field} holds ${quoted(text)}, ${why}`);
  const words = text.split(/\s+/);
  const encoded = words.find((part) => part.startsWith('AAAA')) ?? '';
  const key = Buffer.from(encoded, 'base64');
  if (key.toString('base64').replace(/=+$/, '') !== encoded.replace(/=+$/, '') || key.length < 5) {
    throw fault('which is not a public SSH key');
  }
  const kind = key.subarray(4, 4 + key.readUInt32BE(0)).toString('latin1');
  if (!/^[a-z0-9@.-]{3,64}$/.test(kind)) throw fault('which is not a public SSH key');
  const [said = kind] = words;
  if (said !== encoded && said !== kind) throw fault(`which says ${quoted(said)} of a key that is ${kind}`);
  return `${kind} ${encoded}`;
}

/** The longest text between two quotes of a record. */
const TXT_BYTES = 255;

/** A zone of the DNS: addresses by name, or names by address where it is a reverse zone. */
export function dnsZoneShape({ origin, ns, hostmaster, ttl, address_field, txt_field }: FilesOptions): Shape {
  const zone = origin.replace(/\.$/, '').toLowerCase();
  const reverse = /(^|\.)(in-addr|ip6)\.arpa$/.test(zone);
  return {
    contentType: 'text/dns; charset=utf-8',
    numbered: (serial) =>
      [
        `$ORIGIN ${zone}.`,
        `$TTL ${ttl}`,
        `@ IN SOA ${absolute(ns[0] ?? '')} ${mailbox(hostmaster)} ( ${serial} 7200 3600 1209600 ${ttl} )`,
        ...ns.map((name) => `@ IN NS ${absolute(name)}`),
        '',
      ].join('\n'),
    // A name without a domain is one of the zone.
    knownAs(host) {
      const name = inLowerCase(host).replace(/\.$/, '');
      return reverse || name.includes('.') ? name : `${name}.${zone}`;
    },
    host(host) {
      const name = lookedUpName(host, 'a zone', '').toLowerCase().replace(/\.$/, '');
      if (!isHostName(name)) {
        throw new HostFault('its name cannot be used in a zone; letters, digits and dashes between dots can');
      }
      const addresses = host.addresses(address_field);
      if (addresses.length === 0) throw new HostFault(`it has no address in ${address_field}`);
      if (reverse) return pointers(name, addresses, zone);
      const owner = ownerIn(name, zone);
      const lines = addresses.map((address) => `${owner} IN ${isIPv6(address) ? 'AAAA' : 'A'} ${address}\n`);
      const texts = txt_field === '' ? [] : textsOfList(host, txt_field);
      return [...lines, ...texts.map((text) => `${owner} IN TXT ${quotedTxt(text)}\n`)].join('');
    },
  };
}

function pointers(name: string, addresses: readonly string[], zone: string): string {
  if (!name.includes('.')) throw new HostFault('its name has no domain, which a reverse zone needs');
  const owners = addresses.map(arpaName).filter((owner) => owner.endsWith(`.${zone}`));
  if (owners.length === 0) throw new HostFault(`none of its addresses is in the zone ${zone}`);
  return owners.map((owner) => `${owner.slice(0, -zone.length - 1)} IN PTR ${name}.\n`).join('');
}

function ownerIn(name: string, zone: string): string {
  if (name === zone) return '@';
  if (name.endsWith(`.${zone}`)) return name.slice(0, -zone.length - 1);
  if (!name.includes('.')) return name;
  throw new HostFault(`it is not in the zone ${zone}`);
}

/** The name of an address in reverse zones. */
function arpaName(address: string): string {
  if (!isIPv6(address)) return `${address.split('.').reverse().join('.')}.in-addr.arpa`;
  const [head = '', tail] = embeddedAsHex(address).split('::');
  const words = (text: string | undefined): string[] => (text === undefined || text === '' ? [] : text.split(':'));
  const missing = tail === undefined ? 0 : 8 - words(head).length - words(tail).length;
  const all = [...words(head), ...Array<string>(missing).fill('0'), ...words(tail)];
  const digits = all.map((part) => part.padStart(4, '0')).join('');
  return `${[...digits.toLowerCase()].reverse().join('.')}.ip6.arpa`;
}

/** `::ffff:192.0.2.1` with its end as two words. */
function embeddedAsHex(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
}

function textsOfList(host: HostView, field: string): readonly string[] {
  const value = host.value(field);
  return (Array.isArray(value) ? value.map(textOf) : [textOf(value)]).filter((text) => text !== '');
}

/** Bytes other than plain characters are written as their number. */
function quotedTxt(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  const parts: string[] = [];
  for (let from = 0; from < bytes.length; from += TXT_BYTES) {
    let part = '';
    for (const byte of bytes.subarray(from, from + TXT_BYTES)) {
      const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
      part += isPlain ? String.fromCharCode(byte) : `\\${String(byte).padStart(3, '0')}`;
    }
    parts.push(`"${part}"`);
  }
  return parts.join(' ');
}

function absolute(name: string): string {
  return name.endsWith('.') ? name : `${name}.`;
}

/** Dots in front of the @ are part of the name. */
function mailbox(text: string): string {
  const at = text.lastIndexOf('@');
  if (at < 0) return absolute(text);
  return `${text.slice(0, at).replaceAll('.', '\\.')}.${absolute(text.slice(at + 1))}`;
}
