import type { ReadContext, SourceItem } from '../../ports/index.ts';
import { fileFault } from '../shared/file-source/fault.ts';
import type { RecordMaker } from '../shared/records/record-maker.ts';
import type { YamlOptions } from './options.ts';
import { YamlFault } from './yaml-fault.ts';

const BATCH_SIZE = 500;

/** The text of a file, or of what an address answers. */
export interface YamlDocument {
  /** What messages call it. */
  readonly place: string;
  /** The name that it gives to a host. */
  readonly host: string;
  readonly text: string;
}

/** The records of a document in batches. Throws `AppError('failed')` for what is no YAML, or has not the shape that options say. */
export async function* yamlBatches(
  { place, host, text }: YamlDocument,
  { options, maker }: { readonly options: YamlOptions; readonly maker: RecordMaker },
  { signal }: Pick<ReadContext, 'signal'>,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  // The parser is loaded with the first document, and not with every command.
  const { documentsOf } = await import('./documents.ts');
  const { recordsOf } = await import('./records.ts');
  try {
    let batch: SourceItem[] = [];
    for (const item of recordsOf(documentsOf(text), options, { maker, host })) {
      if (item === undefined) continue;
      batch.push(item);
      if (batch.length < BATCH_SIZE) continue;
      signal.throwIfAborted();
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  } catch (error) {
    throw error instanceof YamlFault ? fileFault(place, error.said, error) : error;
  }
}
