import * as z from 'zod';
import { defineOperation } from '../../runs/services.ts';
import { playbookRunAnswer, playbookRunSchema, unknownRun, visibleRuns } from '../run-answer.ts';
import { runView } from '../views/runs.ts';

export const showPlaybookRun = defineOperation({
  name: 'playbooks/show-run',
  title: 'Run of a playbook',
  description: 'One playbook run with the end of its output.',
  effect: 'read',
  roles: ['automation'],
  weight: 'light',
  at: {
    command: {
      words: 'playbook show',
      description: 'Show one run of a playbook with the end of what it printed.',
      summary: 'show a run and its output',
      arguments: { run: { shown: '<run>', description: 'id of the run' } },
      json: 'answer the run with its output as JSON',
      examples: ['muster playbook show 65a1b2c3d4e5f60718293a4b'],
      view: runView,
    },
    page: true,
  },
  input: z.object({ run: z.string().trim().min(1).describe('Its id') }),
  output: playbookRunSchema.extend({ output: z.string().describe('The last 256 KiB of its output') }),
  async run({ run: id }, { services, caller }) {
    const found = await services.storage.playbooks.find(id);
    const [run] = found === undefined ? [] : await visibleRuns(services, caller, [found]);
    if (run === undefined) throw unknownRun(id);
    return { ...playbookRunAnswer(run), output: run.output };
  },
});
