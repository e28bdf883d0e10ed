import { addressText, readAddress } from './names.ts';

/** A prefix as NetBox keeps it, without bits of hosts; `undefined` for what is none. */
export function prefixText(text: string): string | undefined {
  const address = readAddress(text);
  if (address === undefined || address.length === undefined) return undefined;
  const { host, length, family } = address;
  const bytes = family === 4 ? host.split('.').map(Number) : bytesOfIPv6(host);
  const masked = bytes.map((byte, index) => byte & maskAt(length - index * 8));
  const network = family === 4 ? masked.join('.') : textOfIPv6(masked);
  return addressText(readAddress(`${network}/${length}`) ?? address);
}

function maskAt(bits: number): number {
  return bits >= 8 ? 255 : bits <= 0 ? 0 : (255 << (8 - bits)) & 255;
}

/** Of a canonical address. */
function bytesOfIPv6(host: string): readonly number[] {
  const [head = '', tail] = host.split('::');
  const words = (text: string | undefined): readonly number[] =>
    text === undefined || text === '' ? [] : text.split(':').map((word) => Number.parseInt(word, 16));
  const [first, last] = [words(head), words(tail)];
  const between = Array<number>(8 - first.length - last.length).fill(0);
  return [...first, ...between, ...last].flatMap((word) => [word >> 8, word & 255]);
}

function textOfIPv6(bytes: readonly number[]): string {
  const words = Array.from({ length: 8 }, (_, index) => ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0));
  return words.map((word) => word.toString(16)).join(':');
}
