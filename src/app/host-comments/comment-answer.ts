import * as z from 'zod';
import { secondsOf } from '../../kit/words/moment.ts';
import type { HostComment } from '../../ports/index.ts';
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

/** Its author, and administrators. */
export function mayRemove({ author }: HostComment, caller: Caller): boolean {
  return author === caller.name || isAdministrator(caller);
}
