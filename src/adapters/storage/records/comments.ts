import type { CommentStore, HostComment, RecordStore } from '../../../ports/index.ts';
import type { TransferItem } from '../shared/transfer-table.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { RecordKind, within } from './record-kind.ts';

type StoredComment = TransferItem<'host_comments'>;

export function commentKind(records: () => RecordStore): RecordKind<StoredComment> {
  return new RecordKind<StoredComment>(records, {
    name: 'host_comments',
    key: ({ hostname, id }) => keyOf(hostname, id),
  });
}

export function recordedComments(records: () => RecordStore): CommentStore {
  const kind = commentKind(records);
  return {
    async add(comment) {
      await records().write([
        kind.put({ ...comment, hostname: wellFormed(comment.hostname), at: comment.at.getTime() }),
      ]);
    },

    async list({ hostname, limit, before }) {
      const range = {
        ...within(hostname),
        ...(before !== undefined && { before: keyOf(wellFormed(hostname), before) }),
      };
      const { items } = await kind.list({ ...range, limit, descending: true });
      return items.map(({ item }): HostComment => ({ ...item, at: new Date(item.at) }));
    },

    count: (hostname) => kind.count(within(hostname)),

    remove: ({ hostname, id }) =>
      kind.change(keyOf(wellFormed(hostname), id), (comment) =>
        comment === undefined ? { answer: false } : { answer: true, put: null },
      ),
  };
}

function keyOf(hostname: string, id: string): string {
  return `${hostname}\u0000${id}`;
}
