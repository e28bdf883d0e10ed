import * as z from 'zod';
import { plainSecondsOf } from '../../domain/time.ts';
import { defineOperation } from '../../execution/operation.ts';

export const listAudit = defineOperation({
  name: 'syncer/list-audit',
  title: 'Audit log',
  description: 'Every write and refusal: who, what, from where and what came of it; newest first.',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  input: z.object({
    limit: z.coerce.number().int().min(1).max(10_000).default(100),
    actor: z.string().optional().describe('Only this user'),
    operation: z.string().optional().describe('Only this operation'),
  }),
  output: z.object({
    entries: z.array(
      z.object({
        time: z.string(),
        actor: z.string(),
        entrance: z.string(),
        address: z.string(),
        operation: z.string(),
        subject: z.string(),
        outcome: z.string(),
        request_id: z.string(),
      }),
    ),
  }),
  async run({ limit, actor, operation }, { services }) {
    await services.audit.settled();
    const entries = await services.storage.audit.latest({
      limit,
      ...(actor === undefined ? {} : { actor }),
      ...(operation === undefined ? {} : { operation }),
    });
    return {
      entries: entries.map((entry) => ({
        time: plainSecondsOf(entry.at),
        actor: entry.actor,
        entrance: entry.entrance,
        address: entry.address,
        operation: entry.operation,
        subject: entry.subject,
        outcome: entry.outcome,
        request_id: entry.requestId,
      })),
    };
  },
});
