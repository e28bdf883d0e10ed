import { fileFault, shownNames } from '../../kit/file-source/fault.ts';
import { readText } from '../../kit/file-source/read-text.ts';
import { DocumentScanner } from '../../kit/json/document-scanner.ts';
import { worded } from '../../kit/worded.ts';
import type { ReadContext, SourceFiles } from '../../ports/index.ts';
import type { JsonOptions } from './options.ts';

/**
 * Returns the path of the records if the account does not set it: the document's only list, which is the document itself or one
 * of its members. Reads the whole file if the document is an object, so that a truncated file is found before anything is
 * written.
 */
export async function locateList(
  options: JsonOptions,
  files: SourceFiles,
  context: ReadContext,
): Promise<readonly string[]> {
  const lists: string[] = [];
  const members: string[] = [];
  let isList = false;
  let objects = 0;
  const scanner = new DocumentScanner({
    enter(path, kind) {
      const [name] = path;
      if (typeof name !== 'string') {
        isList = kind === 'list';
        return kind === 'object' ? 'descend' : 'skip';
      }
      members.push(name);
      if (kind === 'list') lists.push(name);
      if (kind === 'object') objects++;
      return 'skip';
    },
    element: () => undefined,
  });
  const quiet: ReadContext = { signal: context.signal, progress: () => undefined };
  for await (const text of readText(options, files, quiet)) {
    scanner.push(text);
    if (isList) return [];
  }
  scanner.end();
  const [list, second] = lists;
  if (list !== undefined && second === undefined) return [list];
  if (list === undefined) {
    const names = shownNames(members);
    if (objects > 1) {
      throw fileFault(
        options.path,
        names === undefined
          ? worded`contains no list of records, but objects; are these the hosts by name? Then set records to by_name, else data_key to the path of the list`
          : worded`contains no list of records, but objects (${{ names }}); are these the hosts by name? Then set records to by_name, else data_key to the path of the list`,
      );
    }
    throw fileFault(
      options.path,
      names === undefined
        ? worded`contains no list of records; set data_key to the path of the list`
        : worded`contains no list of records; its members: ${{ names }}; set data_key to the path of the list, or records to document if the file is one record`,
    );
  }
  const names = shownNames(lists);
  throw fileFault(
    options.path,
    names === undefined
      ? worded`contains several lists; set data_key to one`
      : worded`contains several lists (${{ names }}); set data_key to one`,
  );
}
