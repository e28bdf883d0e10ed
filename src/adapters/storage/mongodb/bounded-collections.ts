import { AbstractCursor, type Collection, type Db, type Document } from 'mongodb';
import type { BoundedClient } from './bounded-client.ts';
import { NO_ANSWER, unavailable } from './errors.ts';

/** Collections of a database, whichever client there is for it. */
export type Collections = Pick<Db, 'collection'>;

/** Collections whose calls go to the client of this moment, and end by its deadline; of a cursor each step does. */
export function boundedCollections(current: () => BoundedClient, databaseName: string): Collections {
  const collections: Collections = {
    collection: <Doc extends Document>(name: string) => {
      let owner = current();
      let own: Collection<Doc> = owner.client.db(databaseName).collection(name);
      return new Proxy(own, {
        get(_, property) {
          if (property === 'db') return collections;
          const client = current();
          if (client !== owner) {
            owner = client;
            own = client.client.db(databaseName).collection(name);
          }
          const [asked, member]: [Collection<Doc>, unknown] = [own, Reflect.get(own, property, own)];
          if (typeof member !== 'function') return member;
          return (...given: unknown[]) => boundedResult(client, Reflect.apply(member, asked, given));
        },
      });
    },
  };
  return collections;
}

function boundedResult(client: BoundedClient, result: unknown): unknown {
  if (result instanceof Promise) return client.bounded(result);
  return result instanceof AbstractCursor ? boundedCursor(client, result) : result;
}

/** The same cursor: what sets it up answers itself. */
function boundedCursor<Doc>(client: BoundedClient, cursor: AbstractCursor<Doc>): AbstractCursor<Doc> {
  const [hasNext, close] = [cursor.hasNext.bind(cursor), cursor.close.bind(cursor)];
  return Object.assign(cursor, {
    async hasNext() {
      const more = await client.bounded(hasNext());
      if (!more && !isAtEnd(cursor)) throw unavailable(NO_ANSWER);
      return more;
    },
    // A cursor left on a server that does not answer is not worth an error.
    close: () => client.bounded(close()).catch(() => undefined),
    async toArray() {
      const all: Doc[] = [];
      try {
        while (await cursor.hasNext()) for (const doc of cursor.readBufferedDocuments()) all.push(doc);
      } finally {
        await cursor.close();
      }
      return all;
    },
  });
}

/** False for one that was cut off by the end of its client: the driver says then that nothing follows. */
function isAtEnd({ id, killed }: AbstractCursor<unknown>): boolean {
  return id?.isZero() === true && !killed;
}
