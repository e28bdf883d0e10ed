import * as z from 'zod';
import { AppError } from '../../../ports/index.ts';
import { defineStreamOperation } from '../../hosts/services.ts';
import { feedWatchOf } from '../feed-watch.ts';
import { cursorSchema, followedSchema, followFrom } from '../follow.ts';

const CHANGES_AT_ONCE = 100;
/** A proxy or a client may hold a line for dead on which nothing comes for a minute or half of one. */
const HEARTBEAT_EVERY_MS = 15_000;

export const streamChanges = defineStreamOperation({
  name: 'hosts/stream-changes',
  title: 'Stream changes of hosts',
  description:
    'The same as server-sent events, as they happen. The id of each event is its cursor, so that a client that connects again continues from there. The stream ends when the user may no longer see it, and when the service stops.',
  effect: 'read',
  roles: ['objects'],
  weight: 'light',
  at: {
    rest: {
      path: 'GET /changes/stream',
      query: ['since'],
      headers: {
        last_event_id: {
          name: 'last-event-id',
          description: 'The cursor of the last event that was read; wins over since',
        },
      },
      cacheControl: 'no-cache, no-transform',
      mediaType: 'text/event-stream',
      errors: ['gone', 'rate_limited'],
    },
  },
  input: z.object({
    since: cursorSchema
      .default('now')
      .describe('The next of an earlier answer; now: from now on; start: as far back as is kept'),
    last_event_id: cursorSchema.optional().describe('The cursor of the last event that was read; wins over since'),
  }),
  output: followedSchema.describe('The data of each event'),
  async run({ since, last_event_id: last }, { services, caller, signal }) {
    const call = { services, caller, signal };
    const watch = feedWatchOf(call.services.storage);
    let turn = watch.turn;
    const begin = last ?? since;
    // An expired cursor is reported by the status, before the stream begins.
    let page = await followFrom(call, begin, CHANGES_AT_ONCE);
    async function* events(): AsyncGenerator<string> {
      yield 'retry: 3000\n\n';
      let reported = begin;
      let quietSince = performance.now();
      for (;;) {
        for (const { cursor, reported: change } of page.changes) {
          yield `id: ${cursor}\nevent: change\ndata: ${change.text}\n\n`;
          reported = cursor;
        }
        const isQuiet = performance.now() - quietSince >= HEARTBEAT_EVERY_MS;
        // An id alone raises no event in a client, but marks the place to continue from.
        if (page.next !== reported || isQuiet) {
          yield `: as of now\nid: ${page.next}\n\n`;
          reported = page.next;
        }
        if (page.changes.length > 0 || isQuiet) quietSince = performance.now();
        if (!page.more) {
          await watch.after(turn, page.next, { ms: quietSince + HEARTBEAT_EVERY_MS - performance.now(), signal });
        }
        signal.throwIfAborted();
        if (!page.more && turn === watch.turn) {
          page = { ...page, changes: [] };
          continue;
        }
        turn = watch.turn;
        page = await followFrom(call, page.next, CHANGES_AT_ONCE, watch.readsOf(turn));
      }
    }
    return { mediaType: 'text/event-stream', unchanged: false, body: ended(events(), signal) };
  },
});

/** Ends when the client disconnects, and sends an event if the stream cannot continue. */
async function* ended(events: AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<string> {
  try {
    yield* events;
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof AppError) || error.code !== 'gone') throw error;
    yield `event: gone\ndata: ${JSON.stringify({ code: error.code, message: error.message })}\n\n`;
  }
}
