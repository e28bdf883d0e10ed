import * as z from 'zod';
import { phrase } from '../../kit/worded.ts';
import { secondsOf } from '../../kit/words/moment.ts';
import type { SessionRecord } from '../../ports/index.ts';
import { sessionHandle } from './sessions.ts';

export const sessionSchema = z.object({
  session: z.string().describe('By which it is named'),
  begun: z.string(),
  last_used: z.string().describe('To some minutes'),
  address: z.string(),
  client: z.string().describe('Name that the browser gives itself'),
  current: z.boolean().describe('Whether it is the one that asks'),
});

export const sessionHandleSchema = z
  .string()
  .regex(/^[0-9a-f]{12}$/, phrase`must be the id of a session from the list of sessions`)
  .describe('Only this session; absent: all of them');

export function sessionAnswer(record: SessionRecord, current: string | undefined): z.infer<typeof sessionSchema> {
  return {
    session: sessionHandle(record),
    begun: secondsOf(record.begunAt),
    last_used: secondsOf(record.seenAt),
    address: record.address,
    client: record.client,
    current: record.id === current,
  };
}
