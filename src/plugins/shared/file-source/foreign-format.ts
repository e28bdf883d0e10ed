/** Other kinds of files by their first bytes, with what to do about them. */
const SIGNATURES: readonly (readonly [bytes: readonly number[], text: string])[] = [
  [[0x1f, 0x8b], 'is compressed (gzip); unpack it first'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'is compressed (zstd); unpack it first'],
  [[0x42, 0x5a, 0x68], 'is compressed (bzip2); unpack it first'],
  [[0x50, 0x4b, 0x03, 0x04], 'is a ZIP archive or spreadsheet (.xlsx, .ods); save it as text first'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'is an old spreadsheet (.xls); save it as text first'],
];

/** What a file is instead of text, by its first bytes; `undefined` when nothing speaks against text. */
export function foreignFormat(start: Uint8Array): string | undefined {
  return SIGNATURES.find(([bytes]) => bytes.every((byte, index) => start[index] === byte))?.[1];
}

/** The encoding that a byte order mark tells, other than that of UTF-8. */
export function markedEncoding(start: Uint8Array): string | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : undefined;
}
