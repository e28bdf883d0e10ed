// Archives that are the same bytes whoever makes them, and whenever: no times, no owners, files in the order of their names. Every program
// of the name tar makes others, and those of macOS and Windows cannot be told to.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../report.mjs';

const block = 512;

/** Writes an archive of files, given as the name in the archive and the path of each from the root. */
export async function writeArchive(path, files) {
  const blocks = [];
  for (const [name, source] of files.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const contents = await readFile(join(root, source));
    blocks.push(
      headerOf(name.replaceAll('\\', '/'), contents.length),
      contents,
      Buffer.alloc(-contents.length & (block - 1)),
    );
  }
  // An archive ends with two empty blocks.
  blocks.push(Buffer.alloc(2 * block));
  await writeFile(path, gzipSync(Buffer.concat(blocks), { level: 9 }));
}

/** The header of a plain file in the format ustar. */
function headerOf(name, size) {
  if (Buffer.byteLength(name) > 100) throw new Error(`the name ${name} is too long for an archive`);
  const header = Buffer.alloc(block);
  const octal = (value, width) => `${value.toString(8).padStart(width - 1, '0')}\0`;
  header.write(name, 0);
  header.write(octal(0o644, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(size, 12), 124);
  header.write(octal(0, 12), 136);
  // The sum is made with blanks in its own place.
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\0', 257);
  header.write('00', 263);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}
