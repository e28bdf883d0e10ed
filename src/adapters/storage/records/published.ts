import type { PublishedFile, PublishedStore, RecordStore } from '../../../ports/index.ts';
import { compareUtf8 } from '../shared/utf8-order.ts';
import { RecordKind, retried } from './record-kind.ts';

interface StoredFile extends Omit<PublishedFile, 'publishedAt'> {
  readonly publishedAt: number;
}

/** The files of an account without their texts, by name. */
interface StoredList {
  readonly accountId: string;
  readonly files: readonly StoredFile[];
}

interface StoredText {
  readonly accountId: string;
  readonly name: string;
  readonly body: string;
}

export function recordedPublished(records: () => RecordStore): PublishedStore {
  const lists = new RecordKind<StoredList>(records, { name: 'published', key: ({ accountId }) => accountId });
  const texts = new RecordKind<StoredText>(records, {
    name: 'published_texts',
    key: ({ accountId, name }) => textKey(accountId, name),
  });
  return {
    async replace(accountId, files) {
      const listed = files
        .map(({ body: _, publishedAt, ...file }): StoredFile => ({ ...file, publishedAt: publishedAt.getTime() }))
        .sort((a, b) => compareUtf8(a.name, b.name));
      const puts = files.map(({ name, body }) => texts.put({ accountId, name, body }));
      await retried(async () => {
        const { kept } = await lists.find(accountId);
        const changes = [
          lists.put({ accountId, files: listed }, kept?.version ?? null),
          texts.dropRange({ from: textKey(accountId, ''), before: `${accountId}\u0001` }),
          ...puts,
        ];
        return (await records().write(changes)) === null ? undefined : { answer: undefined };
      });
    },

    async list(accountId) {
      const { kept } = await lists.find(accountId);
      return (kept?.item.files ?? []).map(toFile);
    },

    async read(accountId, name) {
      // A text of one publication with the facts of another would not fit together.
      return retried(async () => {
        const before = (await lists.find(accountId)).kept;
        const file = before?.item.files.find((each) => each.name === name);
        if (file === undefined) return { answer: undefined };
        const text = (await texts.find(textKey(accountId, name))).kept;
        const after = (await lists.find(accountId)).kept;
        if (text === undefined || before?.version !== after?.version) return undefined;
        return { answer: { ...toFile(file), body: text.item.body } };
      });
    },
  };
}

function textKey(accountId: string, name: string): string {
  return `${accountId}\u0000${name}`;
}

function toFile({ publishedAt, ...file }: StoredFile): PublishedFile {
  return { ...file, publishedAt: new Date(publishedAt) };
}
