import type { ImportOptions } from '../../../kit/account-options/import-options.ts';
import { nullTest } from '../../../kit/account-options/null-values.ts';
import { phrase, worded } from '../../../kit/worded.ts';
import { AppError, type JsonValue, type Source, type SourceItem, type SourceRecord } from '../../../ports/index.ts';
import type { RecordPreparer } from './decisions/prepare-record.ts';

/** Characters of the records that are kept until the source ends. */
const MOST_CHARACTERS = 128 * 1024 * 1024;
const BATCH_SIZE = 500;

interface Gathered {
  readonly record: SourceRecord;
  /** Those of its hosts. */
  readonly names: readonly string[];
  readonly lists: Readonly<Record<string, JsonValue[]>>;
}

/**
 * A source whose records of one host become one, by the name under which it is stored: the labels of `list_labels` hold the values
 * of all of them, in their order, and the first record gives everything else. Of several such labels, values at the same place are
 * of the same record. A host of which a record may be missing is skipped: its lists would lose values.
 */
export function gatheredSource(
  source: Source,
  { list_labels, null_values }: ImportOptions,
  preparer: Pick<RecordPreparer, 'namesOf' | 'storedNames'>,
): Source {
  if (list_labels.length === 0) return source;
  const isNull = nullTest(null_values);
  return {
    async *read(context) {
      const hosts = new Map<string, Gathered>();
      const unsure = new Set<string>();
      let isPart = false;
      let characters = 0;
      for await (const items of source.read(context)) {
        const others: SourceItem[] = [];
        for (const item of items) {
          if (item.kind === 'record') {
            characters += gather(hosts, preparer.namesOf(item), item, { labels: list_labels, isNull });
            continue;
          }
          others.push(item);
          if (item.kind === 'gap') isPart = true;
          for (const name of item.kind === 'skipped' ? preparer.storedNames(item.hostname) : []) {
            if (name === 'unknown') isPart = true;
            else if (name !== undefined) unsure.add(name.hostname);
          }
        }
        if (characters > MOST_CHARACTERS) throw tooMuch();
        if (others.length > 0) yield others;
      }
      let batch: SourceItem[] = [];
      for (const { record, names, lists } of hosts.values()) {
        batch.push(
          isPart || names.some((name) => unsure.has(name))
            ? {
                kind: 'skipped',
                position: record.position,
                hostname: record.hostname.trim(),
                reason: phrase`not all of its records could be read`,
              }
            : { ...record, labels: { ...record.labels, ...lists } },
        );
        if (batch.length < BATCH_SIZE) continue;
        yield batch;
        batch = [];
      }
      yield batch;
    },
  };
}

/** Returns how many characters are kept of it. */
function gather(
  hosts: Map<string, Gathered>,
  names: readonly string[],
  record: SourceRecord,
  { labels, isNull }: { readonly labels: readonly string[]; readonly isNull: ReturnType<typeof nullTest> },
): number {
  const key = names.join('\u0000');
  let host = hosts.get(key);
  let characters = 0;
  if (host === undefined) {
    host = { record, names, lists: Object.fromEntries(labels.map((label) => [label, []])) };
    hosts.set(key, host);
    characters = key.length + JSON.stringify(record.labels).length;
  }
  const values = labels.map((label) => known(record.labels[label], isNull));
  if (values.every((value) => value === '')) return characters;
  for (const [index, label] of labels.entries()) {
    const value = values[index] ?? '';
    host.lists[label]?.push(value);
    characters += typeof value === 'string' ? value.length : JSON.stringify(value).length;
  }
  return characters;
}

/** Returns the value, or an empty text if there is none. */
function known(value: JsonValue | undefined, isNull: ReturnType<typeof nullTest>): JsonValue {
  return value === undefined || value === null || isNull(value) ? '' : value;
}

function tooMuch(): AppError {
  return new AppError(
    'invalid_input',
    worded`with list_labels the records of a source are kept until it ends, and these have more than ${{ most: '128 MiB' }}: take out fields that are not needed, or let the source make the lists`,
  );
}
