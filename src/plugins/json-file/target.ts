import type { Target } from '../../ports/target.ts';
import { replaceFile } from './client.ts';
import { fileText } from './map.ts';
import type { JsonFileOptions } from './options.ts';
import { findPlace } from './place.ts';

/** A file that is written whole, so that what becomes of one host becomes of all. */
export function jsonFileTarget({ path, format }: JsonFileOptions): Target {
  return {
    async write(hosts, { dryRun, signal, progress }) {
      return {
        others: await replaceFile(path, fileText(hosts, format), { dryRun, signal, progress: () => progress() }),
      };
    },
    async check() {
      const place = await findPlace(path);
      if (place.size === undefined) return `${place.path} does not exist yet and can be written.`;
      return `${place.path} has ${place.size} bytes and can be replaced.`;
    },
  };
}
