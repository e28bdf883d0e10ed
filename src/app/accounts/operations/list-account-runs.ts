import * as z from 'zod';
import { visibleSources } from '../../journal/visible-logs.ts';
import { wholeAccountsOf } from '../../kernel/caller.ts';
import {
  accountSummarySchema,
  incompleteByAccount,
  incompleteSchema,
  lastRunOf,
  lastRunSchema,
  undoneOf,
  undoneSchema,
} from '../account-answer.ts';
import { runKind } from '../account-types.ts';
import { defineOperation } from '../services.ts';

export const listAccountRuns = defineOperation({
  name: 'syncer/list-account-runs',
  title: 'Last runs of accounts',
  description: 'How the last import or export of every account went that has any to run, those that never ran too.',
  effect: 'read',
  roles: ['syncer'],
  weight: 'light',
  at: { page: true },
  input: z.object({}),
  output: z.object({
    runs: z.array(
      accountSummarySchema.extend({
        kind: z.enum(['source', 'target']).describe('How it was used last, if it is both'),
        last_run: lastRunSchema,
        undone: undoneSchema,
        incomplete: incompleteSchema,
      }),
    ),
  }),
  async run(_input, { services, caller }) {
    const [accounts, newest, visible] = await Promise.all([
      services.accounts.list(wholeAccountsOf(caller)),
      services.storage.logs.newestBySource(),
      visibleSources(services, caller),
    ]);
    const seen = visible === null ? newest : newest.filter(({ source }) => visible.includes(source));
    const entries = new Map(seen.map((entry) => [entry.source, entry]));
    const runs = accounts.flatMap(({ name, type, enabled }) => {
      const kind = runKind(services, type);
      if (kind === undefined) return [];
      const last_run = lastRunOf(name, caller, (source) => entries.get(source));
      const used = kind !== 'both' ? kind : last_run?.kind === 'export' ? 'target' : 'source';
      return [{ name, type, enabled, kind: used, last_run }];
    });
    const incomplete = await incompleteByAccount(services, runs, caller);
    return {
      runs: runs.map((run) => ({
        ...run,
        undone: undoneOf(run.name, run.last_run),
        incomplete: incomplete.get(run.name) ?? null,
      })),
    };
  },
});
