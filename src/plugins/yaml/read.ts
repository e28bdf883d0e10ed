import { type FileTurn, readEachFile } from '../../kit/file-source/each-file.ts';
import { fileFault } from '../../kit/file-source/fault.ts';
import { readText } from '../../kit/file-source/read-text.ts';
import { RecordMaker } from '../../kit/records/record-maker.ts';
import { isNamedByFile } from '../../kit/records/record-name.ts';
import { worded } from '../../kit/worded.ts';
import { AppError, type ReadContext, type SourceFiles, type SourceItem } from '../../ports/index.ts';
import { yamlBatches } from './batches.ts';
import type { YamlOptions } from './options.ts';

/** Characters. A document is read whole, and takes a multiple of its size while it is parsed. */
const MAX_LENGTH = 32 * 1024 * 1024;

/** Reads a YAML file, or several. Nothing of a file is given before all of it has proved to be valid. */
export async function* readYaml(
  options: YamlOptions,
  files: SourceFiles,
  context: ReadContext,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const { path, records, hostname_field } = options;
  if (path === undefined) {
    throw new AppError(
      'invalid_input',
      worded`path is missing: the file to import; or set url to the address of a document; muster account set changes it`,
    );
  }
  const maker = await RecordMaker.of(options);
  const each = {
    path,
    namesHosts: records === 'document' && isNamedByFile(hostname_field),
    async *read(turn: FileTurn) {
      const { path: place, host, lists } = turn;
      const text = await wholeText(options, files, turn);
      yield* yamlBatches({ place, host, lists, text }, { options, maker }, turn.context);
    },
  };
  yield* readEachFile(each, files, context);
  const leftOut = maker.leftOut();
  if (leftOut.length > 0) yield leftOut;
}

async function wholeText({ encoding }: YamlOptions, files: SourceFiles, { path, context }: FileTurn): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for await (const part of readText({ path, encoding }, files, context)) {
    length += part.length;
    if (length > MAX_LENGTH) {
      const millions = MAX_LENGTH / 1024 / 1024;
      throw fileFault(
        path,
        worded`has more than ${{ millions }} million characters; split it, or use JSON, which is read in pieces`,
      );
    }
    parts.push(part);
  }
  return parts.join('');
}
