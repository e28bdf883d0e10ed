import * as z from 'zod';
import type { PlaybookRun, PlaybookRunCursor } from '../../../ports/index.ts';
import { columnNames } from '../../kernel/listing.ts';
import { defineOperation } from '../../runs/services.ts';
import { playbookRunAnswer, playbookRunSchema, visibleRuns } from '../run-answer.ts';
import { RUN_COLUMNS, runsView } from '../views/runs.ts';

const PAGE = 200;

export const listPlaybookRuns = defineOperation({
  name: 'playbooks/list-runs',
  title: 'Runs of playbooks',
  description:
    'The latest runs of playbooks, newest first. Users restricted to accounts see those for hosts of these accounts.',
  effect: 'read',
  roles: ['automation'],
  weight: 'light',
  at: {
    command: {
      words: 'playbook runs',
      description: 'List the latest runs of playbooks, newest first.',
      summary: 'list runs of playbooks',
      options: {
        host: { flags: '--host <hostname>', description: 'only runs for this one host' },
        limit: { flags: '--limit <n>', description: 'how many', parse: { from: 1, to: 1000 } },
      },
      columns: columnNames(RUN_COLUMNS),
      json: 'answer a JSON array of runs',
      answered: ({ runs }) => runs,
      examples: ['muster playbook runs', 'muster playbook runs --host web01.example.org --limit 5'],
      view: runsView,
    },
    page: true,
  },
  input: z.object({
    limit: z.number().int().min(1).max(1000).default(50),
    host: z.string().trim().min(1).optional().describe('Only runs for this one host'),
  }),
  output: z.object({ runs: z.array(playbookRunSchema) }),
  async run({ limit, host }, { services, caller, signal }) {
    const found: PlaybookRun[] = [];
    let before: PlaybookRunCursor | undefined;
    while (found.length < limit) {
      signal.throwIfAborted();
      const place = before === undefined ? {} : { before };
      const page = await services.storage.playbooks.latest({ limit: PAGE, ...place });
      const wanted = host === undefined ? page : page.filter(({ hostname }) => hostname === host);
      found.push(...(await visibleRuns(services, caller, wanted)));
      before = page.at(-1);
      if (page.length < PAGE) break;
    }
    return { runs: found.slice(0, limit).map(playbookRunAnswer) };
  },
});
