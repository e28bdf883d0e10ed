import * as z from 'zod';
import { columnNames } from '../../../kernel/listing.ts';
import { visibleWaitingJobs, waitingJobSchema } from '../../offers/waiting-work.ts';
import { defineOperation } from '../../services.ts';
import { activeRunAnswer, activeRunSchema, visibleActiveRuns } from '../active-run-answer.ts';
import { ACTIVE_RUN_COLUMNS, activeRunsView } from '../views/active-runs.ts';

export const listActiveRuns = defineOperation({
  name: 'runs/list-active',
  title: 'Active runs',
  description: 'Imports, exports and plans that run now, on all nodes and in all commands, with how far each is.',
  effect: 'read',
  roles: ['syncer'],
  weight: 'light',
  at: {
    rest: { path: 'GET /runs/active' },
    command: {
      words: 'run active',
      description: 'List imports, exports and plans that run now, on all nodes and in all commands.',
      summary: 'list what runs now',
      columns: columnNames(ACTIVE_RUN_COLUMNS),
      json: 'answer a JSON array of runs',
      answered: ({ runs }) => runs,
      examples: ['muster run active'],
      view: activeRunsView,
    },
    page: true,
  },
  input: z.object({}),
  output: z.object({
    runs: z.array(activeRunSchema).describe('Oldest first'),
    waiting: z
      .array(waitingJobSchema)
      .describe('Jobs of cron groups that no node has taken yet, in the order in which nodes take them'),
  }),
  async run(_input, { services, caller }) {
    const runs = await visibleActiveRuns(services, caller);
    return {
      runs: runs.map((run) => activeRunAnswer(run, services)),
      waiting: await visibleWaitingJobs(services, caller),
    };
  },
});
