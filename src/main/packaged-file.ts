import { fileURLToPath } from 'node:url';

/** A file that comes with the program, such as the sample, by its path below the package. */
export function packagedFile(path: string): string {
  return fileURLToPath(new URL(`../${path}`, new URL('.', import.meta.url)));
}
