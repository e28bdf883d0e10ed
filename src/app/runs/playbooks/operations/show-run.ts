import * as z from 'zod';
import { defineOperation } from '../../../kernel/operation.ts';
import { playbookRunAnswer, playbookRunSchema, unknownRun, visibleRuns } from '../run-answer.ts';

export const showPlaybookRun = defineOperation({
  name: 'playbooks/show-run',
  title: 'Run of a playbook',
  description: 'One run of a playbook with the end of what it printed.',
  effect: 'read',
  roles: ['automation'],
  weight: 'light',
  at: { page: true },
  input: z.object({ run: z.string().trim().min(1).describe('Its id') }),
  output: playbookRunSchema.extend({ output: z.string().describe('The last 256 KiB of what it printed') }),
  async run({ run: id }, { services, caller }) {
    const found = await services.storage.playbooks.find(id);
    const [run] = found === undefined ? [] : await visibleRuns(services, caller, [found]);
    if (run === undefined) throw unknownRun(id);
    return { ...playbookRunAnswer(run), output: run.output };
  },
});
