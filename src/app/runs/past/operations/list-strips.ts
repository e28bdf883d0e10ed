import * as z from 'zod';
import { runKind } from '../../../accounts/account-types.ts';
import { runLogSource } from '../../../journal/run-log.ts';
import { visibleEntries } from '../../../journal/visible-logs.ts';
import { wholeAccountsOf } from '../../../kernel/caller.ts';
import { defineOperation } from '../../services.ts';
import { loggedRun, pastRunSchema } from '../past-run.ts';

export const listStrips = defineOperation({
  name: 'runs/list-strips',
  title: 'Last runs of each account',
  description: 'How the last imports and exports of each enabled account ended that has any to run.',
  effect: 'read',
  roles: ['syncer'],
  weight: 'light',
  at: { page: true },
  input: z.object({ limit: z.number().int().min(1).max(50).default(15) }),
  output: z.object({
    accounts: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        runs: z.array(pastRunSchema).describe('Oldest first'),
      }),
    ),
  }),
  async run({ limit }, { services, caller }) {
    const accounts = await services.accounts.list(wholeAccountsOf(caller));
    const shown = accounts.filter(({ type, enabled }) => enabled && runKind(services, type) !== undefined);
    const strips = shown.map(async ({ name, type }) => {
      const found = await Promise.all(
        (['import', 'export'] as const).map((kind) =>
          visibleEntries(services, caller, { limit, source: runLogSource(kind, name) }),
        ),
      );
      const runs = found
        .flat()
        .sort((a, b) => a.at.getTime() - b.at.getTime())
        .slice(-limit);
      return { name, type, runs: runs.flatMap((entry) => loggedRun(entry, caller) ?? []) };
    });
    return { accounts: await Promise.all(strips) };
  },
});
