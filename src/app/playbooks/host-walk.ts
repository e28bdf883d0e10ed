import { byBytes } from '../../kit/names/variable-names.ts';
import type { HostRecord, RememberedMatch } from '../../ports/index.ts';

/** A host with what is remembered of it, or a match whose host is not there. */
export type HostStep =
  | { readonly kind: 'host'; readonly host: HostRecord; readonly matches: readonly RememberedMatch[] }
  | { readonly kind: 'gone'; readonly match: RememberedMatch };

/** Goes along hosts and matches, both by hostname, side by side: neither is ever in memory as a whole. */
export async function* walkHosts(
  hosts: AsyncIterable<readonly HostRecord[]>,
  matches: AsyncIterable<readonly RememberedMatch[]>,
): AsyncGenerator<HostStep> {
  const remembered = items(matches);
  try {
    let next = await remembered.next();
    for await (const batch of hosts) {
      for (const host of batch) {
        const own: RememberedMatch[] = [];
        while (!next.done) {
          const order = byBytes(next.value.hostname, host.hostname);
          if (order > 0) break;
          if (order === 0) own.push(next.value);
          else yield { kind: 'gone', match: next.value };
          next = await remembered.next();
        }
        yield { kind: 'host', host, matches: own };
      }
    }
    for (; !next.done; next = await remembered.next()) yield { kind: 'gone', match: next.value };
  } finally {
    await remembered.return(undefined);
  }
}

async function* items<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<T, undefined> {
  for await (const batch of batches) yield* batch;
}
