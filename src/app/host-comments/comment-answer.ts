import * as z from 'zod';
import { secondsOf } from '../../kit/words/moment.ts';
import type { HostComment, Storage } from '../../ports/index.ts';
import { entriesOf } from '../hosts/reported-history.ts';
import { type Caller, isAdministrator } from '../kernel/caller.ts';

/** Bytes of UTF-8. */
export const MOST_BYTES = 4096;
/** On one host. */
export const MOST_COMMENTS = 1000;

export const commentSchema = z
  .object({ id: z.string(), time: z.string(), author: z.string().describe('Name of the user'), text: z.string() })
  .meta({ title: 'Comment' });

export function commentAnswer({ id, at, author, text }: HostComment): z.infer<typeof commentSchema> {
  return { id, time: secondsOf(at), author, text };
}

/**
 * Comments that the caller may see, newest first, and how many there are. Of a host that came from an account beyond the caller's
 * reach these are the comments since then: earlier ones were written for those who reached it.
 */
export async function commentsFor(
  storage: Pick<Storage, 'comments' | 'history'>,
  caller: Caller,
  { hostname, limit, before }: Parameters<Storage['comments']['list']>[0],
): Promise<{ readonly total: number; readonly found: readonly HostComment[] }> {
  const { comments } = storage;
  const entry = (await entriesOf(storage, caller, [hostname])).get(hostname);
  if (entry === undefined) {
    const page = { hostname, limit, ...(before !== undefined && { before }) };
    const [total, found] = await Promise.all([comments.count(hostname), comments.list(page)]);
    return { total, found };
  }
  const seen = (await comments.list({ hostname, limit: MOST_COMMENTS })).filter(({ at }) => at > entry);
  return { total: seen.length, found: seen.filter(({ id }) => before === undefined || id < before).slice(0, limit) };
}

/** Its author, and administrators. */
export function mayRemove({ author }: HostComment, caller: Caller): boolean {
  return author === caller.name || isAdministrator(caller);
}
