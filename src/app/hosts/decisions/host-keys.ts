import { isWorthless } from '../../../kit/records/worthless-values.ts';
import { saidAt, worded } from '../../../kit/worded.ts';
import { accepted, type Check, refused, shown } from './check.ts';

/** One thing that a host is known by elsewhere: `serial` and `J4711`. */
export interface HostKey {
  readonly name: string;
  readonly value: string;
}

/** The source's own name for a thing, meaningless outside of that source. */
const OWN_NAME = 'id';
const NAME = /^[a-z][a-z0-9_]{0,63}$/;
const LONGEST_VALUE = 500;

/** As one text, by which it is stored and found: `serial=J4711`. */
export function keyText({ name, value }: HostKey): string {
  return `${name}=${value}`;
}

/** The way back. */
export function keyOfText(text: string): HostKey {
  const sign = text.indexOf('=');
  return { name: text.slice(0, sign), value: text.slice(sign + 1) };
}

/** Whether only the account that gave the key knows what it means: hosts of other accounts with the same one are other things. */
export function isOfAccountAlone(key: string): boolean {
  return key.startsWith(`${OWN_NAME}=`);
}

/**
 * A key in the form by which the same thing is the same everywhere: MAC addresses as `00:1a:…`, UUIDs and names of machines in lower
 * case, everything else as it is. `undefined` for a value that says that nothing is known.
 */
export function inspectKey(name: string, value: string, worthless: readonly string[] = []): Check<HostKey | undefined> {
  if (!NAME.test(name)) {
    return refused(
      'keys',
      worded`the key ${{ name: shown(name) }} must have a name of lower-case letters, digits and _`,
    );
  }
  const text = normalValue(name, value.trim());
  if (isWorthless(name, text, worthless)) return accepted(undefined);
  if (text.length > LONGEST_VALUE) {
    return refused(
      'keys',
      worded`the key ${{ name }} is longer than ${{ most: String(LONGEST_VALUE) }} characters: ${{ text: shown(text) }}`,
    );
  }
  if (/\p{Cc}/u.test(text))
    return refused('keys', worded`the key ${{ name }} holds a control character: ${{ text: shown(text) }}`);
  return accepted({ name, value: text });
}

/** A key as people write it to find a host: `serial=J4711`. */
export function keyAsWritten(text: string, worthless: readonly string[] = []): Check<HostKey> {
  const sign = text.indexOf('=');
  if (sign <= 0)
    return refused(
      'key',
      worded`${{ text: shown(text) }} is not a key; write its name and value, such as serial=J4711`,
    );
  const key = inspectKey(text.slice(0, sign).trim().toLowerCase(), text.slice(sign + 1), worthless);
  if (!key.ok) return refused('key', saidAt(key));
  if (key.value !== undefined) return accepted(key.value);
  return refused(
    'key',
    worded`${{ text: shown(text) }} finds no host: such a value is the same on many machines, and is kept of none`,
  );
}

function normalValue(name: string, value: string): string {
  if (name === 'mac') return normalMac(value.toLowerCase());
  if (name === 'uuid') return normalUuid(value.toLowerCase());
  return name === 'fqdn' ? value.toLowerCase().replace(/[\s.]+$/, '') : value;
}

/** Normalises an address of six bytes, or of eight or twenty if the network is not Ethernet. */
function normalMac(value: string): string {
  const digits = value.replace(/[\s:.-]/g, '');
  if (!/^(?:[0-9a-f]{12}|[0-9a-f]{16}|[0-9a-f]{40})$/.test(digits)) return value;
  return (digits.match(/../g) ?? []).join(':');
}

function normalUuid(value: string): string {
  const digits = value.replace(/^urn:uuid:/, '').replace(/[{}\s-]/g, '');
  if (!/^[0-9a-f]{32}$/.test(digits)) return value;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
