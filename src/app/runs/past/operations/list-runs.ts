import * as z from 'zod';
import { placeSchema } from '../../../journal/log-pages.ts';
import { columnNames } from '../../../kernel/listing.ts';
import { defineOperation } from '../../services.ts';
import { pastRunSchema, RUN_KINDS, RUN_OUTCOMES } from '../past-run.ts';
import { pastRuns } from '../past-runs.ts';
import { PAST_RUN_COLUMNS, pastRunsView } from '../views/past-runs.ts';

export const listRuns = defineOperation({
  name: 'runs/list-runs',
  title: 'Past runs',
  description:
    'Imports, exports, plans, cron groups and playbooks that ran, newest first, with how each ended. Of what runs now it has playbooks and plans.',
  effect: 'read',
  roles: ['syncer'],
  weight: 'light',
  at: {
    rest: { path: 'GET /runs', query: ['kind', 'account', 'outcome', 'before', 'limit'] },
    command: {
      words: 'run list',
      description: 'List imports, exports, plans, cron groups and playbooks that ran, newest first.',
      summary: 'list what ran',
      options: {
        kind: { flags: '--kind <kind>', description: `only ${RUN_KINDS.join(', ')}` },
        account: { flags: '--account <name>', description: 'only runs of this account' },
        outcome: { flags: '--outcome <outcome>', description: `only ${RUN_OUTCOMES.join(', ')}` },
        limit: { flags: '--limit <n>', description: 'how many', parse: { from: 1, to: 1000 } },
      },
      columns: columnNames(PAST_RUN_COLUMNS),
      json: 'answer a JSON array of runs',
      answered: ({ runs }) => runs,
      examples: ['muster run list --outcome failed', 'muster run list --account datacentre --kind import --json'],
      view: pastRunsView,
    },
    page: true,
  },
  input: z.object({
    kind: z.enum(RUN_KINDS).optional().describe('Only runs of this kind'),
    account: z.string().trim().min(1).optional().describe('Only imports, exports and plans of this account'),
    outcome: z.enum(RUN_OUTCOMES).optional().describe('Only runs that ended so'),
    before: placeSchema.optional(),
    limit: z.coerce.number().int().min(1).max(1000).default(50),
  }),
  output: z.object({
    runs: z.array(pastRunSchema),
    next: z.string().nullable().describe('Start of older runs; null when there are none'),
  }),
  run: (input, { services, caller }) => pastRuns(services, caller, input),
});
