import * as z from 'zod';
import { secondsOf } from '../../../kit/words/moment.ts';
import { type ActiveRun, nodeOf } from '../../../ports/index.ts';
import { type Caller, wholeAccountsOf } from '../../kernel/caller.ts';
import type { RunServices } from '../services.ts';

export const activeRunSchema = z
  .object({
    id: z.string(),
    kind: z.enum(['import', 'export', 'plan']),
    account: z.string(),
    part: z.string().nullable().describe('null: all of the source or target'),
    started_by: z.string(),
    started_at: z.string(),
    node: z.string().nullable().describe('Host and process that run it; null: there is one node'),
    progress: z
      .object({
        done: z.number(),
        total: z.number().nullable().describe('null: not known'),
        unit: z.enum(['bytes', 'hosts', 'rules', 'records']),
        note: z.string(),
      })
      .nullable()
      .describe('null: it has just begun'),
  })
  .meta({ title: 'Active run' });

export function activeRunAnswer(
  run: ActiveRun,
  { hasOtherNodes }: Pick<RunServices, 'hasOtherNodes'>,
): z.infer<typeof activeRunSchema> {
  return {
    id: run.id,
    kind: run.kind,
    account: run.account,
    part: run.part,
    started_by: run.startedBy,
    started_at: secondsOf(run.startedAt),
    node: hasOtherNodes ? nodeOf(run.holder) : null,
    progress: run.progress === null ? null : { ...run.progress },
  };
}

/**
 * Returns the active runs that the caller may see, oldest first. Callers restricted to accounts see the imports of these accounts
 * only, since exports reveal the hosts of all accounts. Runs held by dead processes of this machine do not count as active.
 */
export async function visibleActiveRuns(
  { storage, process }: RunServices,
  caller: Caller,
): Promise<readonly ActiveRun[]> {
  const runs = await storage.activeRuns.list();
  const scope = wholeAccountsOf(caller);
  return runs.filter(
    ({ holder, kind, accountId }) =>
      !process.isDead(holder) && (scope === null || (kind === 'import' && scope.includes(accountId))),
  );
}
