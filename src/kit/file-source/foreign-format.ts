import type { Wording } from '../../ports/index.ts';
import { worded } from '../worded.ts';

const ZIP = [0x50, 0x4b, 0x03, 0x04] as const;

/** Other kinds of files by their first bytes, with what to do about them. */
const SIGNATURES: readonly (readonly [bytes: readonly number[], said: Wording])[] = [
  [[0x1f, 0x8b], worded`is compressed (gzip); unpack it first`],
  [[0x28, 0xb5, 0x2f, 0xfd], worded`is compressed (zstd); unpack it first`],
  [[0x42, 0x5a, 0x68], worded`is compressed (bzip2); unpack it first`],
  [
    ZIP,
    worded`is a ZIP archive or spreadsheet (.xlsx, .ods): accounts of type csv read .xlsx, of others save it as text`,
  ],
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    worded`is an old spreadsheet (.xls) or one with a password; save it as .xlsx without a password, or as CSV`,
  ],
  [
    [...Buffer.from('$ANSIBLE_VAULT;')],
    worded`is encrypted by Ansible Vault, and what a vault encrypts is not imported; leave this file out`,
  ],
];

const WEB_PAGE = worded`is a web page, such as that of a login; save the answer of the system itself`;

/** Returns the format of a file that is not text, judged by its first bytes; `undefined` if they may be text. */
export function foreignFormat(start: Uint8Array): Wording | undefined {
  if (/^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)\b/i.test(Buffer.from(start.subarray(0, 64)).toString('latin1')))
    return WEB_PAGE;
  return SIGNATURES.find(([bytes]) => bytes.every((byte, index) => start[index] === byte))?.[1];
}

/** Whether a file begins as a ZIP archive does; workbooks (.xlsx) are such. */
export function isZip(start: Uint8Array): boolean {
  return ZIP.every((byte, index) => start[index] === byte);
}

/** Returns the encoding that the byte order mark declares, unless it is UTF-8. */
export function markedEncoding(start: Uint8Array): string | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : undefined;
}
