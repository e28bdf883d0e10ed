import type { TargetFiles } from '../../ports/files.ts';
import type { Target } from '../../ports/target.ts';
import { fileText } from './map.ts';
import type { JsonFileOptions } from './options.ts';

/** A file that is written whole, so that what happens to one host becomes of all. */
export function jsonFileTarget({ path, format }: JsonFileOptions, files: TargetFiles): Target {
  return {
    write: async (hosts, run) => ({ others: await files.replace(path, fileText(hosts, format), run) }),
    async check() {
      const size = await files.size(path);
      if (size === undefined) return `${path} does not exist yet and can be written.`;
      return `${path} has ${size} bytes and can be replaced.`;
    },
  };
}
