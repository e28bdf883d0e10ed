import * as z from 'zod';
import { secondsOf } from '../../kit/words/moment.ts';
import type { HostRecord } from '../../ports/index.ts';

export const archivedSchema = z
  .object({ at: z.string(), by: z.enum(['api', 'import', 'stale', 'operator']) })
  .nullable()
  .describe('Since when it is in the archive, and why; null while it is active');

export function archivedAnswer({ archive }: Pick<HostRecord, 'archive'>): z.infer<typeof archivedSchema> {
  return archive === null ? null : { at: secondsOf(archive.at), by: archive.by };
}
