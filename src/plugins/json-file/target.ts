import type { TargetFiles } from '../../ports/files.ts';
import { BEGINNING_CHARACTERS, type Target } from '../../ports/target.ts';
import { fileText } from './map.ts';
import type { JsonFileOptions } from './options.ts';

/** A file that is written whole, so that what happens to one host becomes of all. */
export function jsonFileTarget({ path, format }: JsonFileOptions, files: TargetFiles): Target {
  return {
    async write(hosts, run) {
      if (!run.dryRun) return { others: await files.replace(path, fileText(hosts, format), run) };
      const change = (await files.size(path)) === undefined ? 'created' : 'changed';
      const text = new Begun(fileText(hosts, format));
      const others = await files.replace(path, text, run);
      const { beginning } = text;
      return { others, documents: others === 'written' ? [{ name: path, change, beginning }] : [] };
    },
    async check() {
      const size = await files.size(path);
      if (size === undefined) return `${path} does not exist yet and can be written.`;
      return `${path} has ${size} bytes and can be replaced.`;
    },
  };
}

/** A text that is handed on, of which the beginning is kept. */
class Begun implements AsyncIterable<string> {
  readonly #text: AsyncIterable<string>;
  beginning = '';

  constructor(text: AsyncIterable<string>) {
    this.#text = text;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    for await (const piece of this.#text) {
      if (this.beginning.length < BEGINNING_CHARACTERS) this.beginning += piece.slice(0, BEGINNING_CHARACTERS);
      yield piece;
    }
  }
}
