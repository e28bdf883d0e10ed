import { fileFault } from '../../kit/file-source/fault.ts';
import { foreignFormat } from '../../kit/file-source/foreign-format.ts';
import { readKeyField } from '../../kit/records/record-keys.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import { nameFields } from '../../kit/records/record-name.ts';
import type { ReadContext, SourceItem } from '../../ports/index.ts';
import type { YamlOptions } from './options.ts';
import type { RecordsContext } from './records.ts';
import { YamlFault } from './yaml-fault.ts';

const BATCH_SIZE = 500;

/** The text of a file, or of what an address answers. */
export interface YamlDocument extends Omit<RecordsContext, 'maker'> {
  readonly text: string;
}

/**
 * Yields the records of a document in batches. Throws `AppError('failed')` for invalid YAML, or for a shape other than the
 * options specify.
 */
export async function* yamlBatches(
  { text, ...document }: YamlDocument,
  { options, maker }: { readonly options: YamlOptions; readonly maker: RecordMaker },
  { signal }: Pick<ReadContext, 'signal'>,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  // The parser is loaded with the first document, and not with every command.
  const { documentsOf } = await import('./documents.ts');
  const { recordsOf } = await import('./records.ts');
  const foreign = foreignFormat(Buffer.from(text.slice(0, 32)));
  if (foreign !== undefined) throw fileFault(document.place, foreign);
  try {
    let batch: SourceItem[] = [];
    for (const item of recordsOf(documentsOf(text, namingMembers(options)), options, { maker, ...document })) {
      if (item === undefined) continue;
      batch.push(item);
      if (batch.length < BATCH_SIZE) continue;
      signal.throwIfAborted();
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  } catch (error) {
    throw error instanceof YamlFault ? fileFault(document.place, error.said, error) : error;
  }
}

/** How the members are called that name a record or tell it from others: the last name of each path. */
function namingMembers({ hostname_field, key_fields, hosts_key }: YamlOptions): ReadonlySet<string> {
  const paths = [...nameFields(hostname_field), ...key_fields.flatMap((text) => readKeyField(text)?.path ?? [])];
  const members = paths.map((path) => path.replace(/(?:\[[^\]]*\])+$/, '').replace(/^.*[.\]]/s, ''));
  return new Set([hostname_field, hosts_key, ...paths, ...members].filter((name) => name !== ''));
}
