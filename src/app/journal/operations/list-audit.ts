import * as z from 'zod';
import { plainSecondsOf } from '../../../kit/words/moment.ts';
import type { AuditEntry } from '../../../ports/index.ts';
import { anyContains, pageOfLog, placeSchema, sinceSchema } from '../log-pages.ts';
import { defineOperation } from '../services.ts';

export const listAudit = defineOperation({
  name: 'syncer/list-audit',
  title: 'Audit log',
  description: 'Every write and refusal: who, what, from where, with what result and what changed; newest first.',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  at: { page: true },
  input: z.object({
    limit: z.coerce.number().int().min(1).max(10_000).default(100),
    actor: z.string().optional().describe('Only this user'),
    operation: z.string().optional().describe('Only this operation'),
    refused: z.boolean().default(false).describe('Only what failed or was refused'),
    text: z.string().optional().describe('Only entries that contain this text, in any case'),
    since: sinceSchema.optional(),
    before: placeSchema.optional(),
  }),
  output: z.object({
    entries: z.array(
      z.object({
        entry_id: z.string(),
        time: z.string(),
        actor: z.string(),
        entrance: z.string(),
        address: z.string(),
        operation: z.string(),
        subject: z.string(),
        outcome: z.string(),
        details: z.string().describe('Changes, how the user logged in, or how often; empty if there is nothing to say'),
        request_id: z.string(),
      }),
    ),
    next: z.string().nullable().describe('Start of older entries; null when there are none'),
  }),
  async run({ limit, actor, operation, refused, text = '', since, before }, { services }) {
    await services.audit.settled();
    const filter = {
      ...(actor === undefined ? {} : { actor }),
      ...(operation === undefined ? {} : { operation }),
    };
    const matches = (entry: AuditEntry): boolean =>
      (!refused || entry.outcome !== 'done') && (text === '' || anyContains(textsOf(entry), text));
    const { entries, next } = await pageOfLog((request) => services.storage.audit.latest({ ...request, ...filter }), {
      limit,
      before,
      since: since === undefined ? undefined : new Date(since),
      matches: refused || text !== '' ? matches : undefined,
    });
    return {
      next,
      entries: entries.map((entry) => ({
        entry_id: entry.id,
        time: plainSecondsOf(entry.at),
        actor: entry.actor,
        entrance: entry.entrance,
        address: entry.address,
        operation: entry.operation,
        subject: entry.subject,
        outcome: entry.outcome,
        details: entry.details,
        request_id: entry.requestId,
      })),
    };
  },
});

function textsOf({ actor, operation, subject, address, outcome, details }: AuditEntry): readonly string[] {
  return [actor, operation, subject, address, outcome, details];
}
