import { wildcardTest } from '../wildcard.ts';

/**
 * Values that do not identify a machine, since many machines share them. Lists and rules follow what inventory programs refuse as
 * identifiers (GLPI and its agent, OCS Inventory, osquery, FreeBSD), and what systems assign to all adapters of a kind.
 */

/**
 * Placeholders for a missing name, case aside. `unknown` is not among them, as a host may have that name; these are how programs
 * write nothing.
 */
const NO_NAMES = ['null', 'none', 'nil', 'n/a', '\\n', 'nan', 'undefined'];
const NAMELESS: ReadonlySet<string> = new Set(NO_NAMES);
const LONGEST_NO_NAME = Math.max(...NO_NAMES.map(({ length }) => length));
/** `<null>`, `[NULL]`, `(none)`, `<unknown>`: brackets are how programs write that there is nothing. */
const IN_BRACKETS =
  /^[<([{](?:null|none|nil|n\/a|na|nan|unknown|undefined|unnamed|no name|empty|blank|not set|no value|object object)[>)\]}]$/i;
/** `#N/A`, `#REF!`, `#NAME?`, `#DIV/0!`, `#NV`, `#BEZUG!`, `Err:508`: what spreadsheets write in place of a value, in several languages. */
const SPREADSHEET_ERROR = /^(?:#(?:n\/?[avd]|getting_data|[\p{L}_]+(?:\/0)?[!?])|err:\d{3})$/iu;
const LONGEST = 24;
/** The form of most names; a name of this form that is longer than the words above cannot be one of them, nor another. */
const ORDINARY = /^[a-df-z0-9][\s\S]*[a-z0-9]$/i;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Whether a text of a source in the place of a name says that there is none. */
export function isNoName(text: string): boolean {
  if (text.length > LONGEST_NO_NAME && ORDINARY.test(text)) return false;
  const name = text.trim();
  if (name === '' || !LETTER_OR_DIGIT.test(name)) return true;
  if (name.length > LONGEST) return false;
  return NAMELESS.has(name.toLowerCase()) || IN_BRACKETS.test(name) || SPREADSHEET_ERROR.test(name);
}

/** Spellings of placeholder names under which hosts may be stored. */
export const STORED_NO_NAMES: readonly string[] = [...NO_NAMES, '#nv', '#ref!', '#name?', '#value!', '#null!', '#num!']
  .filter((name) => !name.includes('/'))
  .flatMap((name) => [name, name.toUpperCase(), name.replace(/[a-z]/, (sign) => sign.toUpperCase())])
  .concat(
    'NaN',
    '(null)',
    '(NULL)',
    '[NULL]',
    '<null>',
    '<none>',
    '(none)',
    '<unknown>',
    '-',
    '--',
    '---',
    '?',
    '_',
    '*',
  );

type Kind = 'serial' | 'uuid' | 'mac' | 'address' | 'name' | 'id' | 'other';

/** Parts of the names of keys, and what they are of; the first that fits counts. */
const KINDS: readonly (readonly [RegExp, Kind])[] = [
  [/(?:uuid|guid)(?:_|$)/, 'uuid'],
  [/(?:^|_)(?:macs?|macaddress|hwaddr)(?:_|$)/, 'mac'],
  [/serial|(?:^|_)(?:sn|service_?tag)(?:_|$)/, 'serial'],
  [/(?:^|_)(?:fqdn|hostname|name|dns)(?:_|$)/, 'name'],
  [/(?:^|_)(?:ip|ipv4|ipv6|address)(?:_|$)/, 'address'],
  [/id$/, 'id'],
];

/** Placeholders in the firmware of machines, in sources and in forms. A text that begins with one of them counts as one too. */
const WORDS: readonly string[] =
  `none; null; (null); (null string); unknow; undefined; unspecified; not specified; not available; not applicable; not present; not provided;
not installed; not settable; not set; not defined; not known; not reported; no enclosure; no asset tag; no asset information; no serial; no value; empty; invalid; blank;
missing; placeholder; change me; no data; no s/n; not found; unbekannt; nicht verfügbar; nicht gesetzt; keine angabe; inconnu; non disponible; desconocido; unavailable; default; oem_serial; oem default; to be filled; to be determined; to be defined; fill by oem; filled by oem; serial number;
serialnumber; system serial; base board serial number; board serial number; chassis serial; system product name; system manufacturer; system version; system name; system sku;
system uuid; product name; all series; chassis manufacturer; chassis version; bad index; out of spec; asset tag; asset-1234567890; eval; iatpass; tulip computers;
sys-12345; sys-9876543210; sn-12345; mb-12345; bss-0123456789; base board; chassis asset; type1productconfigid; vmware virtual platform; qemu; bochs; dmidecode; xxxxxx`
    .split(';')
    .map(folded);
/** These begin values that say something, such as `NA123456`. */
const SHORT_WORDS: ReadonlySet<string> = new Set(['na', 'nil', 'nan', 'tbd', 'oem', 'serial', 'sn']);
/** Whole values that say nothing, but may begin others. */
const EXACT_WORDS: ReadonlySet<string> = new Set(
  'unknown test false true error failed virtualmachine vmware keine leer'.split(' '),
);
/** An id of a system may well begin with a word. */
const SHORTEST_OF_IDS = 10;

const UUIDS: ReadonlySet<string> = new Set(
  `0300020004000500 0006000700080009; 0302010005040706 08090a0b0c0d0e0f; 1000000000008000 0040000000000000; 0002000300040005 0006000700080009; 0001000200030004 0005000600070008;
0702090101030301 0807060504030201; 0709020101030301 0807060504030201; 890e2d14cacd45d1 ae66bc80e8bfeb0f; 8e275844178f44a8 aceba7d7e5178c63; dc698397fa544cf2 82c8b1b5307a6a7f;
6ab5b300538d1014 9fb5b0684d007b53; 1234567812345678 90abcddeefaabbcc`
    .replace(/\s/g, '')
    .split(';'),
);

/** MAC addresses, or what such ones begin with. */
const MACS =
  `444553540000; 444553540001; 005345000000; 020000000000; deadbeef; 44455354616f; 204153594eff; 24b620524153; 505054503030; 33506f453030; 02004e435049; 00a0c6000000; 028037ec0200; d20a2da004be;
d26b252f2ce7; e2e616200a35; 000bcafe0000; 0a0027; 005056c0; 0001027d9b1c; 0008a1460635; 0008a166e21a; 0009dd103768; 000fea9ae2f0; 00105a7271f3; 00111185088b;
101111111111; feffffffffff; 00005e0001; 00005e0002; 00000c07ac; 00000c9ff; 0007b400; 000573a00; 0242ac; 02420a; 0242c0a8; 525400123456; 02004c4f4f50; acde48001122; 00059a3c7a00; 00059a3c7800;
00090ffe0001; 00090faa0001; 0205857feb80; 025041000001; 00000000000000e0`
    .replace(/\s/g, '')
    .split(';');

const OWN_NAMES =
  /^(?:localhost[46]?|local|loopback|broadcasthost|ip6-(?:localhost|loopback)|(?:.+\.)?(?:localhost|localdomain)[46]?)$/;
const OWN_ADDRESSES =
  /^(?:0\.0\.0\.0|255\.255\.255\.255|127\.[\d.]+|169\.254\.[\d.]+|::1?|fe80:.*|0:0:0:0:0:0:0:[01])(?:\/\d+)?$/;

/** Whether a value of a key does not identify its machine. `patterns` are those of the operator, with `*` for any characters. */
export function isWorthless(key: string, value: string, patterns: readonly string[] = []): boolean {
  const kind = KINDS.find(([names]) => names.test(key))?.[1] ?? 'other';
  const text = value.trim().toLowerCase();
  const signs = folded(text);
  if (isNoName(text) || testsOf(patterns).some((fits) => fits(signs))) return true;
  switch (kind) {
    case 'mac':
      return isWorthlessMac(text.replace(/[\s:.-]/g, ''));
    case 'uuid':
      return isWorthlessUuid(text.replace(/^urn:uuid:|[{}\s-]/g, ''));
    case 'name':
      return isWord(signs) || OWN_NAMES.test(text.replace(/\.$/, '')) || (key !== 'name' && /\s/.test(text));
    case 'id':
      if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)) return isUniform(signs);
      return isWord(signs) || WORDS.some((word) => word.length >= SHORTEST_OF_IDS && signs.startsWith(word));
  }
  if (isWord(signs) || WORDS.some((word) => signs.startsWith(word)) || isShortWord(text)) return true;
  if (kind === 'address') return OWN_ADDRESSES.test(text);
  if (/^0+$/.test(signs) || isUniform(signs) || /(?:tag|sku)#$/.test(text)) return true;
  // `SN1234567890`, `BSN12345678901234567`
  const digits = signs.replace(/^[a-z]{1,5}(?=\d{8})/, '');
  if (kind !== 'serial') return signs.length > 7 && isCounted(digits);
  return (
    signs.length < 4 ||
    // `1.23E+12`: a spreadsheet took the number for one to calculate with, and its last digits are lost
    /^\d(?:[.,]\d+)?e\+?\d+$/.test(text) ||
    isUniform(signs.replace(/^0x/, '')) ||
    isCounted(digits) ||
    isCounted(signs, HEX) ||
    /^[01]+$/.test(signs) ||
    /^\d\.\d(?:\.\d)?$/.test(text)
  );
}

/** The UUID with the bytes of its first three groups the other way round, as old firmware and some hypervisors write it. */
export function swappedUuid(uuid: string): string {
  return uuid.replace(/^(..)(..)(..)(..)-(..)(..)-(..)(..)-/, '$4$3$2$1-$6$5-$8$7-');
}

/** Without case, blanks and punctuation. */
function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function isWord(signs: string): boolean {
  return SHORT_WORDS.has(signs) || EXACT_WORDS.has(signs) || WORDS.includes(signs);
}

/** `n/a (virtual)`, `oem board`. */
function isShortWord(text: string): boolean {
  const [first = ''] = text.split(/[\s:;,(]/, 1);
  return (
    text.startsWith('n/a') || (first.length < text.length && SHORT_WORDS.has(folded(first)) && !/^serial/.test(first))
  );
}

function isUniform(signs: string): boolean {
  return /^(.)\1{3,}$/u.test(signs) || /^(..)\1{2,}$/u.test(signs);
}

/** `12345678`, `0123456789`, `87654321`, `abcdef`, `123456789000`, `112233445566`: each sign is the next one. */
function isCounted(signs: string, order = '0123456789'): boolean {
  return [signs, signs.replace(/0+$/, ''), everySecond(signs)].some((text) => {
    if (text.length < 4) return false;
    const letters = /^[a-z]+$/.test(text) ? 'abcdefghijklmnopqrstuvwxyz' : order;
    return steps(text, letters, 1) || steps(text, letters, -1);
  });
}

function everySecond(text: string): string {
  let signs = '';
  for (let index = 0; index < text.length; index += 2) {
    if (text[index] !== text[index + 1]) return text;
    signs += text[index];
  }
  return signs;
}

function steps(text: string, order: string, by: 1 | -1): boolean {
  for (let index = 0; index < text.length; index++) {
    const place = order.indexOf(text[index] as string);
    if (place === -1) return false;
    if (
      index > 0 &&
      order[(order.indexOf(text[index - 1] as string) + by + order.length) % order.length] !== text[index]
    )
      return false;
  }
  return true;
}

const HEX = '0123456789abcdef';

/** A MAC address has six bytes, or eight or twenty on networks other than Ethernet. */
function isWorthlessMac(digits: string): boolean {
  if (!/^(?:[\da-f]{12}|[\da-f]{16}|[\da-f]{40})$/.test(digits)) return true;
  if (isUniform(digits) || isCounted(digits, HEX) || isCounted(digits)) return true;
  // A group address is of no adapter.
  if (digits.length === 12 && (Number.parseInt(digits.slice(0, 2), 16) & 1) === 1) return true;
  return MACS.some((begin) => digits.startsWith(begin));
}

function isWorthlessUuid(digits: string): boolean {
  if (!/^[\da-f]{32}$/.test(digits)) return true;
  if (digits.endsWith('ffffffffffffffffffff') || isUniform(digits) || isBlankTag(digits)) return true;
  const groups = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return [groups, swappedUuid(groups)].some((uuid) => {
    const plain = uuid.replaceAll('-', '');
    if (UUIDS.has(plain) || isCounted(plain, HEX) || isCountedInBytes(plain)) return true;
    return uuid.split('-').every((group) => isUniform(group) || isCounted(group, HEX) || isCounted(group));
  });
}

/** `00010203-0405-…`. */
function isCountedInBytes(digits: string): boolean {
  const bytes = digits.match(/../g) ?? [];
  return bytes.every(
    (byte, index) => index === 0 || Number.parseInt(byte, 16) === Number.parseInt(bytes[index - 1] as string, 16) + 1,
  );
}

/** Dell writes the service tag of a board into its UUID: of one without it all are the same. */
function isBlankTag(digits: string): boolean {
  if (!digits.startsWith('4c4c4544') && !digits.startsWith('44454c4c')) return false;
  const order = digits.startsWith('4c4c4544') ? [5, 6, 9, 10, 13, 14, 15] : [4, 7, 9, 10, 13, 14, 15];
  return order.every((byte) =>
    [0, 0x20, 0x30].includes(Number.parseInt(digits.slice(2 * byte, 2 * byte + 2), 16) & 0x7f),
  );
}

const compiled = new WeakMap<readonly string[], readonly ((signs: string) => boolean)[]>();

function testsOf(patterns: readonly string[]): readonly ((signs: string) => boolean)[] {
  const known = compiled.get(patterns);
  if (known !== undefined) return known;
  const tests = patterns.map((pattern) => wildcardTest(pattern.split('*').map(folded).join('*')));
  compiled.set(patterns, tests);
  return tests;
}
