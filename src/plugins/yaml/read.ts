import type { ReadContext, SourceFiles, SourceItem } from '../../ports/index.ts';
import { type FileTurn, readEachFile } from '../shared/file-source/each-file.ts';
import { fileFault } from '../shared/file-source/fault.ts';
import { readText } from '../shared/file-source/read-text.ts';
import { RecordMaker } from '../shared/records/record-maker.ts';
import { isNamedByFile } from '../shared/records/record-name.ts';
import type { YamlOptions } from './options.ts';
import { YamlFault } from './yaml-fault.ts';

/** Characters. A document is read whole, and takes a multiple of its size while it is parsed. */
const MAX_LENGTH = 32 * 1024 * 1024;
const BATCH_SIZE = 500;

/** Reads a YAML file, or several. Nothing of a file is given before all of it has proved to be valid. */
export async function* readYaml(
  options: YamlOptions,
  files: SourceFiles,
  context: ReadContext,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const maker = await RecordMaker.of(options);
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
  options: YamlOptions,
  maker: RecordMaker,
  files: SourceFiles,
  { host, context }: FileTurn,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const text = await wholeText(options, files, context);
  // The parser is loaded with the first file, and not with every command.
  const { documentsOf } = await import('./documents.ts');
  const { recordsOf } = await import('./records.ts');
  try {
    let batch: SourceItem[] = [];
    for (const item of recordsOf(documentsOf(text), options, { maker, host })) {
      if (item === undefined) continue;
      batch.push(item);
      if (batch.length < BATCH_SIZE) continue;
      context.signal.throwIfAborted();
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  } catch (error) {
    throw error instanceof YamlFault ? fileFault(options.path, error.message, error) : error;
  }
}

async function wholeText(options: YamlOptions, files: SourceFiles, context: ReadContext): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for await (const part of readText(options, files, context)) {
    length += part.length;
    if (length > MAX_LENGTH) {
      const most = `${MAX_LENGTH / 1024 / 1024} million characters`;
      throw fileFault(options.path, `has more than ${most}; split it, or use JSON, which is read in pieces`);
    }
    parts.push(part);
  }
  return parts.join('');
}
