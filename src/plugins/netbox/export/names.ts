import { createHash } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';

/**
 * Returns the key for a name. Names of objects that others refer to have several spellings (`Berlin`, `berlin`, `BERLIN `):
 * NetBox distinguishes them by their slugs, which are the same for all of these.
 */
export function foldedName(name: string): string {
  const slug = plainSlug(name);
  return slug === '' ? name.trim().toLowerCase() : slug;
}

/**
 * Returns the key for names of devices, and of interfaces within a device, which NetBox distinguishes by more than their case.
 */
export function lowerName(name: string): string {
  return name.trim().toLowerCase();
}

export function within(outer: string, inner: string): string {
  return `${outer}/${inner}`;
}

/** A slug as NetBox takes it; names without a letter of the Latin alphabet get one of their digest. */
export function slugOf(name: string): string {
  const slug = plainSlug(name).slice(0, 100);
  return slug === '' ? `x${createHash('sha256').update(name.trim()).digest('hex').slice(0, 12)}` : slug;
}

function plainSlug(name: string): string {
  // Most names are such.
  if (/^\w+$/.test(name)) return name.toLowerCase();
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

export interface Address {
  /** As NetBox writes it: `192.0.2.1`, `2001:db8::1`. */
  readonly host: string;
  /** Absent: none was given. */
  readonly length: number | undefined;
  readonly family: 4 | 6;
}

/** Parses an address; returns `undefined` for invalid ones. */
export function readAddress(text: string): Address | undefined {
  const [given = '', length, ...rest] = text.trim().split('/');
  const family = isIPv4(given) ? 4 : isIPv6(given) && !given.includes('%') ? 6 : undefined;
  if (family === undefined || rest.length > 0) return undefined;
  const most = family === 4 ? 32 : 128;
  const bits = length === undefined ? undefined : lengthOf(length, family);
  if (length !== undefined && (bits === undefined || bits > most)) return undefined;
  return { host: family === 4 ? given : canonicalIPv6(given), length: bits, family };
}

/** As NetBox keeps it, with a length. */
export function addressText({ host, length, family }: Address): string {
  return `${host}/${length ?? (family === 4 ? 32 : 128)}`;
}

/** Addresses that every machine has, or that mean nothing beyond one wire. */
export function isLocal({ host }: Address): boolean {
  return host.startsWith('127.') || host === '::1' || host.startsWith('169.254.') || /^fe[89ab]/.test(host);
}

/** A number, or a mask (`255.255.255.0`). */
function lengthOf(text: string, family: 4 | 6): number | undefined {
  if (/^\d{1,3}$/.test(text)) return Number(text);
  if (family === 6 || !isIPv4(text)) return undefined;
  const bits = text
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('');
  return /^1*0*$/.test(bits) ? bits.indexOf('0') + (bits.includes('0') ? 0 : 33) : undefined;
}

function canonicalIPv6(host: string): string {
  return new URL(`http://[${host}]/`).hostname.slice(1, -1);
}
