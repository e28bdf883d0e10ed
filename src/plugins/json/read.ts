import { type FileTurn, readEachFile } from '../../kit/file-source/each-file.ts';
import { fileFault } from '../../kit/file-source/fault.ts';
import { readText } from '../../kit/file-source/read-text.ts';
import { DocumentFault } from '../../kit/json/document-scanner.ts';
import { RecordMaker } from '../../kit/records/record-maker.ts';
import { isNamedByFile } from '../../kit/records/record-name.ts';
import { stepsIntoLists } from '../../kit/records/record-path.ts';
import { FILE_REMEDY } from '../../kit/records/whole-list.ts';
import { worded } from '../../kit/worded.ts';
import type { ReadContext, SourceFiles, SourceItem, Wording } from '../../ports/index.ts';
import { locateList } from './locate-list.ts';
import type { JsonOptions } from './options.ts';
import { RecordReader } from './record-reader.ts';

/** Reads a JSON file, or several, in batches of records, a chunk of the file each. Memory does not depend on a file's size. */
export async function* readJson(
  options: JsonOptions,
  files: SourceFiles,
  context: ReadContext,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const maker = await RecordMaker.of(options);
  if (options.records === 'lines' && options.data_key !== undefined) {
    throw fileFault(
      options.path,
      worded`is read line by line, where data_key says nothing; remove it from the account`,
    );
  }
  const each = {
    path: options.path,
    namesHosts: options.records === 'document' && isNamedByFile(options.hostname_field),
    read: (turn: FileTurn) => readFile({ ...options, path: turn.path }, maker, files, turn),
  };
  yield* readEachFile(each, files, context);
  const leftOut = maker.leftOut();
  if (leftOut.length > 0) yield leftOut;
}

async function* readFile(
  options: JsonOptions,
  maker: RecordMaker,
  files: SourceFiles,
  { host, context, lists }: FileTurn,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  try {
    const isList = options.records === 'list' && options.data_key === undefined;
    const found = isList ? await locateList(options, files, context) : [];
    const list = new RecordReader(options, { target: options.data_key ?? found.join('.'), maker, host });
    for await (const text of readText(options, files, context)) {
      const items = list.push(text);
      if (items.length > 0) yield items;
    }
    const items = list.end();
    if (items.length > 0) yield items;
    if (options.records !== 'document' || stepsIntoLists(options.data_key ?? ''))
      lists.add(options.path, list.whole, { records: list.count, remedy: FILE_REMEDY });
  } catch (error) {
    throw error instanceof DocumentFault ? fileFault(options.path, problemOf(error), error) : error;
  }
}

function problemOf({ kind, line, said }: DocumentFault): Wording {
  if (kind !== 'second') return said;
  return worded`contains more than one JSON document (JSON Lines? Then set records to lines) in line ${{ line: String(line) }}`;
}
